import { assertAtLeast } from "../base/options/at-least.ts";
import { assertFunction } from "../base/options/assert-function.ts";
import { describeValue, invalidOption, readOptions } from "../base/options/known-options.ts";
import type { GuardChecks, GuardOptions } from "./checks.ts";
import type { CheckPlace } from "./verdict.ts";

/** A guard's checks and options. */
export interface GuardSettings extends Required<Omit<GuardOptions, "message">> {
  readonly message: string | undefined;
  readonly checks: GuardChecks;
}

const checkNames = {
  input: true,
  output: true,
  tool: true,
  result: true,
} satisfies Record<keyof GuardChecks, true>;

const optionNames = {
  name: true,
  message: true,
  parallel: true,
  hold: true,
  timeout: true,
} satisfies Record<keyof GuardOptions, true>;

const longestName = 200;

/** @throws ConfigurationError (`invalid-option`) */
export function readSettings(checks: GuardChecks, options: GuardOptions): GuardSettings {
  const own = readOptions(checks, checkNames, "guard()");
  for (const [stage, check] of Object.entries(own))
    assertFunction(stage, check, "guard()", `{ ${stage}: ({ text }) => ... }`);
  if (Object.values(own).every((check) => check === undefined))
    throw invalidOption("guard() has nothing to check. Write guard({ input: ({ text }) => ... }).", {
      option: "checks",
    });
  const {
    name = "guard",
    message,
    parallel = false,
    hold = false,
    timeout = 60_000,
  } = readOptions(options, optionNames, "guard()");
  assertName(name);
  if (message !== undefined && typeof message !== "string")
    throw invalidOption(`message of guard() must be a text, not ${describeValue(message)}.`, {
      option: "message",
    });
  assertFlag("parallel", parallel, "input", own.input);
  assertFlag("hold", hold, "output", own.output);
  assertAtLeast("timeout", timeout, 0);
  return { checks: own, name, message, parallel, hold, timeout };
}

function assertName(name: unknown): void {
  if (typeof name === "string" && name !== "" && name.length <= longestName) return;
  throw invalidOption(`name of guard() must be a text of 1 to ${longestName} characters.`, {
    option: "name",
  });
}

/** A flag that has nothing to be about would promise what does not happen. */
function assertFlag(option: string, flag: unknown, stage: string, check: unknown): void {
  if (typeof flag !== "boolean")
    throw invalidOption(`${option} of guard() must be true or false, not ${describeValue(flag)}.`, {
      option,
    });
  if (flag && check === undefined)
    throw invalidOption(`${option} of guard() is about its check \`${stage}\`, which it does not have.`, {
      option,
    });
}

/** The place of a guard's check. */
export function placeOf({ name, message, timeout }: GuardSettings, stage: keyof GuardChecks): CheckPlace {
  return { guard: name, stage, message, timeout };
}
