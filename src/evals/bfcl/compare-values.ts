import { canonicalJson } from "../../base/util/canonical-json.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { plainText } from "../likeness.ts";
import type { BfclType } from "./format.ts";

/** What kind a value is. JSON has one kind of number: 5 and 5.0 are the same. */
type Kind = "text" | "number" | "boolean" | "list" | "dict" | "none";

/** The kinds of values that the files' types take. */
const kinds: Readonly<Record<string, Kind>> = {
  string: "text",
  any: "text",
  integer: "number",
  float: "number",
  number: "number",
  boolean: "boolean",
  bool: "boolean",
  array: "list",
  list: "list",
  tuple: "list",
  dict: "dict",
  object: "dict",
};

/** What is wrong with a parameter's value, by the leaderboard's rules, in a sentence; nothing if it is one of `allowed`. */
export function valueProblem(
  name: string,
  value: unknown,
  allowed: readonly unknown[],
  type: BfclType,
): string | undefined {
  const wanted = kindOfType(type);
  const inner = wanted === "list" && type.items ? kindOfType(type.items) : undefined;
  const answerKind = kindOfAnswers(allowed);
  const isOfType = wanted === undefined || kindOf(value) === wanted;
  // Where no answer is of the parameter's type, the answers are names of variables.
  if (!isOfType && kindOf(value) !== answerKind)
    return `${name} is ${kindOf(value)} instead of ${wanted ?? answerKind}`;
  const isVariable = wanted !== undefined && answerKind !== undefined && answerKind !== wanted;
  const isFound = isVariable ? isAmong(value, allowed) : isAllowed(value, wanted, inner, allowed);
  return isFound ? undefined : `${name} is ${short(value)}; allowed: ${allowed.map(short).join(", ")}`;
}

function isAllowed(
  value: unknown,
  wanted: Kind | undefined,
  inner: Kind | undefined,
  allowed: readonly unknown[],
): boolean {
  if (wanted === "dict" && isPlainObject(value)) return allowed.some((each) => isSameDict(value, each));
  if (wanted === "list" && Array.isArray(value)) {
    if (inner === "dict") return allowed.some((each) => isSameDicts(value, each));
    const plain = value.map(plainly);
    return allowed.some((each) => isSame(plain, Array.isArray(each) ? each.map(plainly) : []));
  }
  if (typeof value === "string") {
    const plain = plainText(value);
    return allowed.some((each) => typeof each === "string" && plainText(each) === plain);
  }
  return isAmong(value, allowed);
}

/** Each key has one of its values; keys with `""` among their values may be left out. */
function isSameDict(value: Readonly<Record<string, unknown>>, answer: unknown): boolean {
  if (!isPlainObject(answer)) return false;
  const hasRight = Object.entries(value).every(([key, each]) => {
    const allowed = Object.hasOwn(answer, key) ? answer[key] : undefined;
    return Array.isArray(allowed) && isAmong(plainly(each), allowed.map(plainly));
  });
  const isComplete = Object.entries(answer).every(
    ([key, allowed]) => Object.hasOwn(value, key) || (Array.isArray(allowed) && allowed.includes("")),
  );
  return hasRight && isComplete;
}

function isSameDicts(value: readonly unknown[], answer: unknown): boolean {
  return (
    Array.isArray(answer) &&
    answer.length === value.length &&
    value.every((each, index) => isPlainObject(each) && isSameDict(each, answer[index]))
  );
}

function kindOfType({ type = "any" }: BfclType): Kind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

/** The kind of the first answer that is not the mark of an optional parameter. */
function kindOfAnswers(allowed: readonly unknown[]): Kind | undefined {
  const first = allowed.find((each) => each !== "");
  return first === undefined ? undefined : kindOf(first);
}

function kindOf(value: unknown): Kind {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return "list";
  return isPlainObject(value) ? "dict" : "none";
}

function plainly(value: unknown): unknown {
  return typeof value === "string" ? plainText(value) : value;
}

function isAmong(value: unknown, allowed: readonly unknown[]): boolean {
  return allowed.some((each) => isSame(value, each));
}

function isSame(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
