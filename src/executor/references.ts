import type { ToolCall, ToolResult } from "../message/messages.ts";
import { maxArgumentsLength } from "../schema/parse-arguments.ts";
import type { Issue } from "../schema/types.ts";
import { isPlainObject, type JsonValue } from "../base/util/json.ts";
import { defineOwn } from "../base/util/snapshot.ts";
import { valueOf } from "./finalize.ts";
import { hidden } from "./policies/mask.ts";

/** The key of an object that stands for another call's result. */
export const referenceKey = "$result";

/** The longest reference that is looked at, in characters, and how many there may be in one call. */
const longestReference = 500;
const mostReferences = 1_000;

/** What a name means that more than one call has: nobody knows which of them the model means. */
export const severalCalls: unique symbol = Symbol("several calls");

/** The call that a name means. */
export type NamedCall = string | typeof severalCalls;

/** A place in a call's arguments that stands for another call's result, or for a part of it. */
export interface Reference {
  /** Where it stands. */
  readonly path: readonly (string | number)[];
  /** As the model wrote it: `"call_1/path/to"`. */
  readonly text: string;
}

/** A reference as far as it is understood. */
export interface Target {
  readonly toolCallId: NamedCall;
  /** The properties and items that lead to the part; none for the whole. */
  readonly steps: readonly string[];
}

/** The objects `{ "$result": "..." }` in a value: all, or one more than there may be. The value's depth must be bounded. */
export function findReferences(value: unknown): readonly Reference[] {
  const references: Reference[] = [];
  collect(value, [], references);
  return references;
}

function collect(value: unknown, path: (string | number)[], references: Reference[]): void {
  if (typeof value !== "object" || value === null || references.length > mostReferences) return;
  const text = isPlainObject(value) ? referenceIn(value) : undefined;
  if (text !== undefined) {
    references.push({ path: [...path], text });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    path.push(Array.isArray(value) ? Number(name) : name);
    collect(member, path, references);
    path.pop();
  }
}

function referenceIn(value: Readonly<Record<string, unknown>>): string | undefined {
  if (!Object.hasOwn(value, referenceKey) || Object.keys(value).length > 1) return undefined;
  const text = value[referenceKey];
  return typeof text === "string" ? text : undefined;
}

/**
 * What calls can be referred to by: their ids, else their places in the answer from 1 on, else a tool's name if it is called once. What
 * a server has called several of them, or one of them and one of an earlier answer, means none.
 * @param isEarlier - Whether an earlier answer has a call of that id.
 */
export function namesOf(
  calls: readonly ToolCall[],
  isEarlier: (toolCallId: string) => boolean = () => false,
): ReadonlyMap<string, NamedCall> {
  const names = new Map<string, NamedCall>();
  for (const { toolName, toolCallId } of calls) names.set(toolName, names.has(toolName) ? "" : toolCallId);
  for (const [name, id] of names) if (id === "") names.delete(name);
  for (const [index, { toolCallId }] of calls.entries()) names.set(String(index + 1), toolCallId);
  const ids = new Map<string, NamedCall>(calls.map(({ toolCallId }) => [toolCallId, toolCallId]));
  for (const { toolCallId, originalId } of calls)
    if (originalId !== undefined)
      ids.set(originalId, ids.has(originalId) || isEarlier(originalId) ? severalCalls : toolCallId);
  return new Map([...names, ...ids]);
}

/** The call, and the part of its result, that a reference means. Ids may have a `/` in them. */
export function targetOf(text: string, idOf: (name: string) => NamedCall | undefined): Target | undefined {
  if (text.length > longestReference) return undefined;
  for (let end = text.length; end > 0; end = text.lastIndexOf("/", end - 1)) {
    const toolCallId = idOf(text.slice(0, end));
    if (toolCallId === undefined) continue;
    const steps = text.slice(end + 1).split("/");
    // As in a JSON Pointer (RFC 6901).
    const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { toolCallId, steps: end === text.length ? [] : names };
  }
  return undefined;
}

/** A part of a result, or a sentence on why there is none. */
export interface ResultPart {
  readonly value?: JsonValue;
  readonly problem?: string;
  /** How many characters were looked at for it, besides a few. */
  readonly length: number;
}

/**
 * The part of a result that a target means, as the model could have read it.
 * @param isHidden - Whether something of the result may be hidden from the model.
 */
export function partOf(
  result: ToolResult,
  { toolCallId, steps }: Target & { readonly toolCallId: string },
  isHidden: boolean,
): ResultPart {
  let value = valueOf(result);
  for (const [index, step] of steps.entries()) {
    const inner = memberOf(value, step);
    if (inner === undefined) {
      const place = `the result of ${toolCallId}${steps
        .slice(0, index)
        .map((name) => `/${name}`)
        .join("")}`;
      return noPart(`${place} has no ${JSON.stringify(step)}: it is ${describeValue(value)}`);
    }
    value = inner;
  }
  const text = JSON.stringify(value);
  if (!isHidden || !text.includes(hidden)) return { value, length: text.length };
  const problem = `what it stands for in the result of ${toolCallId} is hidden from you`;
  return { problem, length: text.length };
}

/** What becomes of a reference that leads nowhere. */
export function noPart(problem: string): ResultPart {
  return { problem, length: 0 };
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  if (!isList(value)) return value[name];
  return /^\d+$/.test(name) ? value[Number(name)] : undefined;
}

function describeValue(value: JsonValue): string {
  if (typeof value === "string") return "a text";
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) return `a list of ${value.length}`;
  const examples: string[] = [];
  // Not all keys: there may be as many as the result is long, and as many references to it.
  for (const name in value) {
    if (examples.length === 10) return `an object with ${examples.join(", ")} and more`;
    examples.push(JSON.stringify(name.slice(0, 50)));
  }
  return `an object with ${examples.join(", ") || "nothing in it"}`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** How many characters of results may still be put into arguments. */
export interface ReferenceRoom {
  left: number;
}

/** The room for the calls of one batch: each may refer to a call that refers to others. */
export function referenceRoom(): ReferenceRoom {
  return { left: 2 * maxArgumentsLength };
}

/** The arguments with every reference replaced by its value, or what is wrong with them, and which references led nowhere. */
export function substitute(
  value: unknown,
  references: readonly Reference[],
  partAt: (text: string) => ResultPart,
  batchRoom: ReferenceRoom,
):
  | { readonly text: string }
  | { readonly issues: readonly Issue[]; readonly unresolved: ReadonlySet<string> } {
  const parts = new Map<string, ResultPart>();
  const unresolved = new Set<string>();
  const issues: Issue[] = [];
  let room = Math.min(maxArgumentsLength, batchRoom.left);
  if (references.length > mostReferences) {
    issues.push({ path: [], message: `more than ${mostReferences} references to results` });
  }
  for (const { path, text } of references.slice(0, mostReferences)) {
    if (room < 0) break;
    const part = parts.get(text) ?? partAt(text);
    const isNew = !parts.has(text);
    parts.set(text, part);
    const { problem, length } = part;
    if (problem !== undefined) {
      issues.push({ path, message: problem, received: { [referenceKey]: text } });
      unresolved.add(text);
    }
    if (problem === undefined || isNew) {
      room -= length;
      batchRoom.left -= length;
    }
  }
  if (room < 0) issues.push({ path: [], message: "with the results put in, too long" });
  return issues.length > 0 ? { issues, unresolved } : { text: JSON.stringify(replaced(value, parts)) };
}

function replaced(value: unknown, parts: ReadonlyMap<string, ResultPart>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, parts));
  if (!isPlainObject(value)) return value;
  const text = referenceIn(value);
  if (text !== undefined) return parts.get(text)?.value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) defineOwn(copy, name, replaced(member, parts));
  return copy;
}
