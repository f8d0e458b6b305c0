import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { defaultEnvironment } from "./default-environment.ts";

test("a program gets the variables that the official SDK would pass on", () => {
  expect(Object.keys(defaultEnvironment())).toContain("PATH");
  expect(defaultEnvironment()).toEqual(getDefaultEnvironment());
});
