import { ConfigurationError } from "../../errors.ts";
import { isPlainObject } from "../util/json.ts";
import { closest } from "../util/closest.ts";
import { isPromiseLike } from "../util/promise-like.ts";

/** The names that other libraries have for options, each with the option that is meant. */
export type OtherNames = Readonly<Record<string, string>>;

/**
 * Checks that options are an object literal without a key that is not known: a misspelled one, or one that a class or a
 * prototype defines, would be ignored without a word.
 * @param allowed the names, as a record checked with `satisfies Record<keyof Options, true>` so that none is forgotten.
 * @param place names the options in the error, such as `new Agent({ ... })`.
 * @param otherNames what other libraries call an option, for the hint.
 * @throws ConfigurationError (`invalid-option`) naming the wrong key and the nearest right one, or what the options are instead.
 */
export function assertKnownOptions(
  options: object,
  allowed: Readonly<Record<string, unknown>>,
  place: string,
  otherNames: OtherNames = {},
): void {
  const names = ownNames(options, place);
  for (const name of names) {
    if (Object.hasOwn(allowed, name)) continue;
    const available = Object.keys(allowed);
    const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
    const [near = other] = closest(name, available, 1);
    const hint = near === undefined ? `There are: ${available.join(", ")}.` : `Did you mean "${near}"?`;
    throw invalidOption(`${place} has no option "${name}". ${hint}`, { option: name });
  }
}

/**
 * The options as a plain copy, each of them read once: a getter that answers twice may answer twice differently.
 * @throws ConfigurationError as `assertKnownOptions` does.
 */
export function readOptions<T extends object>(
  options: T,
  allowed: Readonly<Record<string, unknown>>,
  place: string,
  otherNames?: OtherNames,
): T {
  assertKnownOptions(options, allowed, place, otherNames);
  return { ...options };
}

/** The names of all options, where nothing but an own, enumerable property can be one. */
function ownNames(options: object, place: string): readonly string[] {
  if (!isLiteral(options)) {
    throw invalidOption(
      `The options of ${place} are ${describeValue(options)}, of which only own properties would count. Write an object literal: { ... }.`,
      { option: "" },
    );
  }
  const listed = Object.keys(options);
  const names = Object.getOwnPropertyNames(options);
  if (names.length === listed.length) return listed;
  const hidden = names.find((name) => !listed.includes(name)) ?? "";
  throw invalidOption(
    `The option "${hidden}" of ${place} is not enumerable, so it would be ignored. Write it in an object literal: { ${hidden}: ... }.`,
    { option: hidden },
  );
}

/** Whether an object inherits nothing but what every object does, of this realm or another. */
function isLiteral(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null || prototype === Object.prototype || Object.hasOwn(Object(prototype), "isPrototypeOf")
  );
}

/** A wrong value, as an error names it. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object" || value === null) return String(value);
  if (isLiteral(value)) return "an object";
  const { constructor } = value;
  const name = typeof constructor === "function" ? constructor.name : "";
  return name === "" || name === "Object" ? "an object with a prototype" : `an instance of ${name}`;
}

/** A wrong argument, as an error names it, with what it comes from most of the time. */
export function describeArgument(value: unknown): string {
  if (value === undefined) return "undefined: is it imported in a circle?";
  return isPromiseLike(value) ? "a promise: await it" : describeValue(value);
}

/** The error for an option whose value makes no sense. */
export function invalidOption(message: string, data: { readonly option: string }): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-option", data });
}
