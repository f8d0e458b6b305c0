import { copyJson, jsonLimits } from "../../base/util/copy-json.ts";
import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import { isObject, type JsonObject } from "../../base/util/json.ts";
import { InvalidInputError } from "../../errors.ts";

/** An object of a request, of which own properties alone are read. */
export type Fields = Readonly<Record<string, unknown>>;

/** The most of what a request may have. Its bytes are limited by what reads it. */
export const limits = {
  /** Characters of a text, as in OpenAI's API. */
  text: 10_485_760,
  /** Characters of an address, which may hold an image or a file. */
  url: 52_428_800,
  messages: 4_096,
  parts: 1_024,
  tools: 128,
  calls: 128,
  id: 512,
} as const;

/** The error for a wrong field: `data.param` is its path. */
export function wrongField(param: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${param} ${problem}`, { param });
}

/**
 * The body of a request.
 * @throws InvalidInputError unless it is an object of at most 100 levels.
 */
export function requestFields(body: unknown): Fields {
  if (!isObject(body)) throw new InvalidInputError("The request must be a JSON object.", { param: "" });
  if (isDeeperThan(body, jsonLimits.depth))
    throw new InvalidInputError(`The request is nested deeper than ${jsonLimits.depth} levels.`, {
      param: "",
    });
  return body;
}

/** A field; `undefined` for one that is absent or null. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

/** An object. */
export function objectAt(value: unknown, param: string): Fields {
  if (isObject(value)) return value;
  throw wrongField(param, "must be an object.");
}

/** A list of at most `most` items. */
export function listAt(value: unknown, param: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongField(param, "must be a list.");
  if (value.length > most) throw wrongField(param, `must have at most ${most} items.`);
  return value;
}

/** A text of at most `most` characters. */
export function textAt(value: unknown, param: string, most: number = limits.text): string {
  if (typeof value !== "string") throw wrongField(param, "must be a text.");
  if (value.length > most) throw wrongField(param, `must have at most ${most} characters.`);
  return value;
}

/** A text that is not empty. */
export function idAt(value: unknown, param: string): string {
  const id = textAt(value, param, limits.id);
  if (id === "") throw wrongField(param, "must not be empty.");
  return id;
}

/** A truth value; `undefined` where it is absent. */
export function booleanAt(fields: Fields, name: string): boolean | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined || typeof value === "boolean") return value;
  throw wrongField(name, "must be true or false.");
}

/** A number in a range; `undefined` where it is absent. */
export function numberAt(
  fields: Fields,
  name: string,
  [least, most]: readonly [number, number],
  isWhole = false,
): number | undefined {
  const value = fieldOf(fields, name);
  if (value === undefined) return undefined;
  const isNumber = typeof value === "number" && (isWhole ? Number.isSafeInteger(value) : true);
  if (isNumber && value >= least && value <= most) return value;
  throw wrongField(name, `must be a ${isWhole ? "whole " : ""}number from ${least} to ${most}.`);
}

/** One of several texts. */
export function choiceAt<T extends string>(value: unknown, param: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw wrongField(param, `must be one of ${choices.map((each) => `"${each}"`).join(", ")}.`);
}

/** A copy of a JSON object. */
export function jsonAt(value: unknown, param: string): JsonObject {
  const copy = copyJson(objectAt(value, param));
  if (isJsonObject(copy)) return copy;
  throw wrongField(
    param,
    `must be JSON of at most ${jsonLimits.length} characters, without a key __proto__.`,
  );
}

function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** Refuses fields that change what is asked for, in a way that an agent cannot follow. */
export function assertUnset(fields: Fields, refusals: Readonly<Record<string, string>>): void {
  for (const [name, problem] of Object.entries(refusals))
    if (fieldOf(fields, name) !== undefined) throw wrongField(name, problem);
}
