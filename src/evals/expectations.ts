import { ConfigurationError } from "../errors.ts";
import { compileWithMatcher } from "../schema/compile-with-matcher.ts";
import { isStandardSchema, type StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { validateNow } from "../schema/validate-standard.ts";
import { immediate } from "../base/util/callbacks.ts";
import { isPlainObject, type JsonValue } from "../base/util/json.ts";
import { toJson } from "../base/util/to-json.ts";
import { isLike } from "./likeness.ts";

/** The calls that a case expects: in this order, in any, or these among others. */
export type ExpectedCalls =
  | readonly ExpectedCall[]
  | { readonly anyOrder: readonly ExpectedCall[] }
  | { readonly include: readonly ExpectedCall[] };

/** A tool by its name, and what it is called with. */
export type ExpectedCall =
  | string
  | {
      readonly tool: string;
      /** An object that the arguments contain, a Standard Schema (zod, valibot, arktype), a function, or a matcher such as `like`. */
      readonly arguments?: ExpectedValue;
      /** Matching arguments for `perfectModel`, where `arguments` does not determine them. */
      readonly example?: object;
    };

/** What an answer contains (a text) or matches; all of it, for a list. */
export type ExpectedText = string | RegExp | readonly (string | RegExp)[];

/**
 * What a value must be: a value that equals it, which for a `Date`, `Map` and the like is one of the same JSON form; an object of which it has at least the properties; a regular expression that
 * matches it; a Standard Schema that takes it; a function that says yes; or a matcher, of this room or of a test runner
 * (`expect.any(String)`).
 */
export type ExpectedValue =
  | string
  | number
  | boolean
  | null
  | bigint
  | Date
  | URL
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | RegExp
  | Matcher
  | StandardSchema
  | ((value: never) => boolean)
  | readonly ExpectedValue[]
  | { readonly [key: string]: ExpectedValue };

/** Says whether a value is as expected, and gives an example where it knows one. */
export interface Matcher {
  /** What is expected, in words. */
  readonly expected: string;
  /** `value` is `undefined` where there is none. */
  readonly matches: (value: unknown) => boolean;
  readonly example?: unknown;
}

/** A value that reads the same: texts without regard to case, spaces and `,./-_*^`; objects with exactly these properties. */
export function like(value: unknown): Matcher {
  const plain = jsonForm(value);
  return {
    expected: `like ${JSON.stringify(plain)}`,
    matches: (other) => isLike(plain, jsonForm(other)),
    example: value,
  };
}

/** One of several values. */
export function oneOf(...values: readonly ExpectedValue[]): Matcher {
  const [first] = values;
  return {
    expected: values.map(describeExpected).join(" or "),
    matches: (value) => values.some((each) => isExpected(each, value)),
    ...(first !== undefined && { example: exampleOf(first) }),
  };
}

/** This value, or none at all. */
export function optional(value: ExpectedValue): Matcher {
  return {
    expected: `${describeExpected(value)}, or nothing`,
    matches: (actual) => actual === undefined || isExpected(value, actual),
  };
}

/** An object with these properties and no others. */
export function exactly(value: { readonly [key: string]: ExpectedValue }): Matcher {
  return {
    expected: `exactly ${describeExpected(value)}`,
    matches: (actual) =>
      isExpected(value, actual) &&
      Object.keys(Object(jsonForm(actual))).every((key) => Object.hasOwn(value, key)),
    example: exampleOf(value),
  };
}

/** A value that fits a JSON Schema. */
export function fits(jsonSchema: JsonSchema): Matcher {
  const schema = compileWithMatcher(jsonSchema);
  return {
    expected: `what fits ${JSON.stringify(jsonSchema)}`,
    matches: (value) => schema.validate(value).ok,
  };
}

/**
 * Whether a value is as expected.
 * @throws ConfigurationError for a schema that can only answer later.
 */
export function isExpected(expected: ExpectedValue, value: unknown): boolean {
  if (isMatcher(expected)) return expected.matches(value);
  if (isAsymmetric(expected)) return expected.asymmetricMatch(value);
  if (isStandardSchema(expected)) return takes(expected, value);
  if (typeof expected === "function") {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it receives the type that it declares
    return immediate((expected as (value: unknown) => boolean)(value), promiseRefused);
  }
  const actual = jsonForm(value);
  if (expected instanceof RegExp) return typeof actual === "string" && actual.search(expected) >= 0;
  const wanted = jsonForm(expected);
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((each: ExpectedValue, index) => isExpected(each, actual[index]))
    );
  if (!isPlainObject(wanted)) return wanted === actual || Object.is(wanted, actual);
  return (
    isPlainObject(actual) &&
    Object.entries(wanted).every(([key, each]) =>
      isExpected(each, Object.hasOwn(actual, key) ? actual[key] : undefined),
    )
  );
}

/** What JSON has of a value, one level deep: the rest is looked at in turn. */
function jsonForm<T>(value: T): T | JsonValue {
  const isPlain =
    typeof value === "object" ? isPlainObject(value) || Array.isArray(value) : typeof value !== "bigint";
  return isPlain || value === null ? value : toJson(value).value;
}

/** What is expected, in words. */
export function describeExpected(expected: ExpectedValue): string {
  if (isMatcher(expected)) return expected.expected;
  if (isStandardSchema(expected)) return `what fits its ${expected["~standard"].vendor} schema`;
  if (typeof expected === "function") return `what ${expected.name || "a function"} says yes to`;
  if (expected instanceof RegExp) return String(expected);
  if (Array.isArray(expected)) return `[${expected.map(describeExpected).join(", ")}]`;
  if (!isPlainObject(expected)) return JSON.stringify(jsonForm(expected));
  const members = Object.entries(expected).map(([key, each]) => `${key}: ${describeExpected(each)}`);
  return `{ ${members.join(", ")} }`;
}

/** A value that matches the expectation; `undefined` where none can be derived, and for what may be left out. */
export function exampleOf(expected: ExpectedValue): unknown {
  if (isMatcher(expected)) return expected.example;
  if (isStandardSchema(expected) || typeof expected === "function" || expected instanceof RegExp)
    return undefined;
  if (Array.isArray(expected)) return expected.map(exampleOf);
  if (!isPlainObject(expected)) return jsonForm(expected);
  return Object.fromEntries(
    Object.entries(expected)
      .map(([key, each]) => [key, exampleOf(each)] as const)
      .filter(([, example]) => example !== undefined),
  );
}

/** A promise is never taken for "yes". */
export function promiseRefused(): TypeError {
  return new TypeError("a function that is expected to say yes or no returned a promise: await it before");
}

function isMatcher(expected: unknown): expected is Matcher {
  return isPlainObject(expected) && typeof expected["matches"] === "function";
}

/** What test runners call asymmetric matchers: `expect.any(String)`. */
function isAsymmetric(expected: unknown): expected is { asymmetricMatch(value: unknown): boolean } {
  return (
    typeof expected === "object" &&
    expected !== null &&
    "asymmetricMatch" in expected &&
    typeof expected.asymmetricMatch === "function"
  );
}

function takes(schema: StandardSchema, value: unknown): boolean {
  const { vendor } = schema["~standard"];
  const result = validateNow(schema, value);
  if (result) return !result.issues;
  throw new ConfigurationError(`This ${vendor} schema answers later: expect what can be checked at once.`, {
    code: "asynchronous-schema",
    data: { vendor },
  });
}
