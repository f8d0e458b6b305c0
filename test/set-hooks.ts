/** Loaded once for each test file: does what the modules of tests have to do around its tests. */
import { afterAll, afterEach, beforeEach } from "vitest";
import { hooks } from "./hooks.ts";

beforeEach(hooks.beforeEach);
afterEach(hooks.afterEach);
afterAll(hooks.afterAll);
