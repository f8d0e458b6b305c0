import { assertAtLeast } from "../base/options/at-least.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import type { CodeLimits, CodeModeOptions } from "./types.ts";

const optionNames = {
  name: true,
  direct: true,
  check: true,
  limits: true,
  interpreter: true,
  search: true,
} satisfies Record<keyof CodeModeOptions, true>;

const defaultLimits: Required<CodeLimits> = {
  timeoutMs: 30_000,
  memoryMb: 64,
  calls: 200,
  parallel: 8,
  outputChars: 20_000,
};

/** Options with all their defaults. */
export interface ReadOptions {
  readonly name: string;
  readonly direct: ReadonlySet<string>;
  readonly check: boolean;
  readonly limits: Required<CodeLimits>;
  readonly interpreter: CodeModeOptions["interpreter"];
  readonly search: boolean | "auto";
}

/** @throws ConfigurationError (`invalid-option`) for the first invalid option. */
export function readCodeOptions(options: CodeModeOptions): ReadOptions {
  assertKnownOptions(options, optionNames, "codeMode()");
  const {
    name = "execute_typescript",
    direct = [],
    check = true,
    limits = {},
    interpreter,
    search = "auto",
  } = options;
  assertText("name", name);
  if (!Array.isArray(direct)) throw wrong("direct", "a list of names", direct);
  if (typeof check !== "boolean") throw wrong("check", "true or false", check);
  if (search !== "auto" && typeof search !== "boolean")
    throw wrong("search", '"auto", true or false', search);
  if (interpreter !== undefined && typeof Object(interpreter).execute !== "function")
    throw wrong("interpreter", "an object with a method execute", interpreter);
  assertKnownOptions(limits, defaultLimits, "limits of codeMode()");
  for (const [limit, value] of Object.entries(limits)) assertAtLeast(`${limit} of codeMode()`, value, 1);
  const set = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  return {
    name,
    direct: new Set(direct),
    check,
    limits: { ...defaultLimits, ...set },
    interpreter,
    search,
  };
}

function assertText(option: string, value: unknown): void {
  if (typeof value !== "string" || value === "") throw wrong(option, "a text", value);
}

function wrong(option: string, words: string, value: unknown): Error {
  return invalidOption(`${option} of codeMode() must be ${words}, not ${describeValue(value)}.`, { option });
}
