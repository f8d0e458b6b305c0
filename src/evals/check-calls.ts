import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { isPlainObject } from "../base/util/json.ts";
import type { ExpectedCall, ExpectedCalls } from "./expectations.ts";

const callOptionNames = {
  tool: true,
  arguments: true,
  example: true,
} satisfies Record<keyof Exclude<ExpectedCall, string>, true>;

/**
 * Checks the expected calls of a case, which may come from a file: what is misspelled would not be checked.
 * @param place - The case, for errors.
 * @throws ConfigurationError (`invalid-option`)
 */
export function assertCalls(calls: ExpectedCalls | undefined, place: string): void {
  if (calls === undefined) return;
  for (const call of listOf(calls, place)) assertCall(call, place);
}

/**
 * Checks the tools that a case forbids.
 * @param place - The case, for errors.
 * @throws ConfigurationError (`invalid-option`)
 */
export function assertNames(never: unknown, place: string): void {
  const isList = Array.isArray(never) && never.every((name) => typeof name === "string");
  if (never === undefined || isList) return;
  throw invalidOption(
    `never of ${place} must be a list of the names of tools, not ${describeValue(never)}.`,
    {
      option: "never",
    },
  );
}

function listOf(calls: unknown, place: string): readonly unknown[] {
  if (Array.isArray(calls)) return calls;
  if (isPlainObject(calls)) {
    assertKnownOptions(calls, { anyOrder: true, include: true }, `calls of ${place}`);
    const [list, ...others] = Object.values(calls);
    if (Array.isArray(list) && others.length === 0) return list;
  }
  throw invalidOption(
    `calls of ${place} must be a list, { anyOrder: [...] } or { include: [...] }, not ${describeValue(calls)}.`,
    { option: "calls" },
  );
}

function assertCall(call: unknown, place: string): void {
  if (typeof call === "string") return;
  const name = isPlainObject(call) ? call["tool"] : undefined;
  if (!isPlainObject(call) || typeof name !== "string")
    throw invalidOption(
      `A call in calls of ${place} must be the name of a tool, or { tool: "name", arguments: { ... } }, not ${describeValue(call)}.`,
      { option: "calls" },
    );
  assertKnownOptions(call, callOptionNames, `the call of ${name} in ${place}`);
}
