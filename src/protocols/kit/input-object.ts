import { describeValue } from "../../base/options/known-options.ts";
import { copyJson, jsonLimits } from "../../base/util/copy-json.ts";
import { isDeeperThan } from "../../base/util/is-deeper-than.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/util/json.ts";
import { InvalidInputError } from "../../errors.ts";
import { longestText } from "../../message/longest-text.ts";
import { alternatives, preview } from "../../schema/words.ts";

/** The longest id or name, in characters, where a protocol has no other limit. */
const longestId = 1_000;

/**
 * An object of a client, which may hold anything: its own properties alone count, and `null` counts as absent.
 * All methods throw InvalidInputError for what is wrong: `data.path` is the place. Those called `optional...` take what is absent, too.
 */
export class InputObject {
  /** Where it is, such as `"messages[2].parts[0]"`; empty for the body of a request. */
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;

  /** @throws InvalidInputError unless the value is an object. */
  constructor(value: unknown, path = "") {
    if (!isObject(value)) throw mismatch(path, "an object", value);
    this.path = path;
    this.value = value;
  }

  /** Where a property is. */
  pathOf(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }

  /** The error for a property, as `invalidInput` words it. */
  wrong(name: string, problem: string): InvalidInputError {
    return invalidInput(this.pathOf(name), problem);
  }

  /** What it has itself under a name; `undefined` for `null`. */
  get(name: string): unknown {
    return Object.hasOwn(this.value, name) ? (this.value[name] ?? undefined) : undefined;
  }

  /**
   * Refuses fields that it does not have: what a client means by them would be left out without a word.
   * @param names - Those that it may have.
   * @param hints - The right names of fields, by wrong ones.
   */
  assertOnly(names: readonly string[], hints: Readonly<Record<string, string>> = {}): void {
    const unknown = Object.keys(this.value).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const hint = Object.hasOwn(hints, unknown) ? hints[unknown] : undefined;
    const remedy = hint === undefined ? `the fields are ${names.join(", ")}` : `the field is called ${hint}`;
    throw this.wrong(preview(unknown).slice(1, -1), `is unknown: ${remedy}`);
  }

  /** An object, or nothing; not `null`, which says neither. */
  objectIfPresent(name: string): InputObject | undefined {
    return Object.hasOwn(this.value, name) && this.value[name] !== undefined ? this.object(name) : undefined;
  }

  /** A text of at most `most` characters. */
  text(name: string, most?: number): string {
    return textAt(this.get(name), this.pathOf(name), most);
  }

  /** The same, or nothing. */
  optionalText(name: string, most?: number): string | undefined {
    return this.get(name) === undefined ? undefined : this.text(name, most);
  }

  /** A short text that is not empty. */
  id(name: string, most: number = longestId): string {
    const id = this.text(name, most);
    if (id === "") throw this.wrong(name, "must not be empty");
    return id;
  }

  /** The same, or nothing. */
  optionalId(name: string, most?: number): string | undefined {
    return this.get(name) === undefined ? undefined : this.id(name, most);
  }

  /** A list of at most `most` values, which may be anything. */
  list(name: string, most: number): readonly unknown[] {
    const value = this.get(name);
    if (!Array.isArray(value)) throw mismatch(this.pathOf(name), "a list", value);
    if (value.length > most) throw this.wrong(name, `must have at most ${most} items`);
    return value;
  }

  /** A list of at most `most` objects. */
  objects(name: string, most: number): readonly InputObject[] {
    const path = this.pathOf(name);
    return this.list(name, most).map((value, index) => new InputObject(value, `${path}[${index}]`));
  }

  /** The same; empty where it is absent. */
  optionalObjects(name: string, most: number): readonly InputObject[] {
    return this.get(name) === undefined ? [] : this.objects(name, most);
  }

  /** An object. */
  object(name: string): InputObject {
    return new InputObject(this.get(name), this.pathOf(name));
  }

  /** The same, or nothing. */
  optionalObject(name: string): InputObject | undefined {
    return this.get(name) === undefined ? undefined : this.object(name);
  }

  /** A copy of a JSON value, or nothing. */
  optionalJson(name: string): JsonValue | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const copy = copyJson(value);
    if (copy === undefined) throw this.wrong(name, jsonProblem);
    return copy;
  }

  /** A copy of the object itself, which must be JSON. */
  toJson(): JsonObject {
    const copy = copyJson(this.value);
    if (isObject(copy)) return copy;
    throw invalidInput(this.path, jsonProblem);
  }

  /** A truth value. */
  boolean(name: string): boolean {
    const value = this.get(name);
    if (typeof value !== "boolean") throw mismatch(this.pathOf(name), "true or false", value);
    return value;
  }

  /** The same, or nothing. */
  optionalBoolean(name: string): boolean | undefined {
    return this.get(name) === undefined ? undefined : this.boolean(name);
  }

  /** A number within a range, or nothing. */
  optionalNumber(
    name: string,
    [least, most]: readonly [number, number],
    isWhole = false,
  ): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const isNumber = typeof value === "number" && (!isWhole || Number.isSafeInteger(value));
    if (isNumber && value >= least && value <= most) return value;
    throw mismatch(this.pathOf(name), `a ${isWhole ? "whole " : ""}number from ${least} to ${most}`, value);
  }

  /** One of several texts. */
  choice<const T extends string>(name: string, choices: readonly T[]): T {
    const value = this.get(name);
    const choice = choices.find((each) => each === value);
    if (choice !== undefined) return choice;
    throw mismatch(this.pathOf(name), alternatives(choices.map((each) => `"${each}"`)), value);
  }

  /** The same, or nothing. */
  optionalChoice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.get(name) === undefined ? undefined : this.choice(name, choices);
  }
}

/**
 * The body of a request.
 * @throws InvalidInputError unless it is an object of at most 100 levels.
 */
export function readBody(value: unknown): InputObject {
  const body = new InputObject(value);
  if (isDeeperThan(value, jsonLimits.depth))
    throw invalidInput("", `is nested deeper than ${jsonLimits.depth} levels`);
  return body;
}

/**
 * A text, such as an item of a list.
 * @param most - The most characters.
 * @throws InvalidInputError for anything else.
 */
export function textAt(value: unknown, path: string, most: number = longestText): string {
  if (typeof value !== "string") throw mismatch(path, "a text", value);
  if (value.length > most) throw invalidInput(path, `must have at most ${most} characters`);
  return value;
}

/**
 * The error for what a client has sent.
 * @param path - The place, for programs in `data.path`.
 * @param problem - What is wrong there, behind the place and without a full stop.
 */
export function invalidInput(path: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${path === "" ? "The body" : path} ${problem}.`, { path });
}

const jsonProblem = `must be JSON of at most ${jsonLimits.length} characters and ${jsonLimits.depth} levels, without keys "__proto__"`;

function mismatch(path: string, expected: string, value: unknown): InvalidInputError {
  // A text of a client may be very long.
  const actual = typeof value === "string" ? preview(value) : describeValue(value);
  return invalidInput(path, `must be ${expected}${value === undefined ? "" : `, not ${actual}`}`);
}
