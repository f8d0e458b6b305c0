import { expect } from "vitest";
import type { ExpectedCall, ExpectedValue } from "../expectations.ts";
import { toCallTool, toCallTools, toEndWith, toHandOffTo, toPass } from "./matchers.ts";

/** What importing `skein/evals/vitest` adds to `expect`. */
export interface EvalMatchers<R = unknown> {
  /** A tool of that name is called, with these arguments if any are given: an object that they contain, a schema, a function. */
  toCallTool(tool: string, args?: ExpectedValue): R;
  /** Exactly these tools are called, in this order; none for no arguments. */
  toCallTools(...expected: readonly ExpectedCall[]): R;
  /** The lead is passed to that agent at some time. */
  toHandOffTo(agent: string | { readonly name: string }): R;
  /** That agent has the lead at the end. */
  toEndWith(agent: string | { readonly name: string }): R;
  /** So large a share of an evaluation's runs passes, from 0 to 1; all of them by default. */
  toPass(share?: number): R;
}

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type, no-unused-vars -- vitest's own parameters have to be repeated
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends EvalMatchers<R> {}
}

expect.extend({ toCallTool, toCallTools, toEndWith, toHandOffTo, toPass });
