import { formatPath } from "../schema/format-path.ts";
import { isPlainObject } from "../base/util/json.ts";
import type { Excerpt, PrefixSegment } from "./records.ts";

/** A part of a request, in the order in which providers read it. */
interface Segment {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** How two requests compare. */
export interface PrefixComparison {
  readonly segments: readonly PrefixSegment[];
  /** The first place at which what both have differs. */
  readonly difference?: { readonly path: string; readonly character?: number };
}

/**
 * The fields that make up the prefix of a request, in the order of each protocol: that of Anthropic, of Chat Completions, of Responses, of Gemini, and
 * of Skein's own requests. Other fields are not part of it.
 */
const fields = [
  "model",
  "tools",
  "system",
  "systemInstruction",
  "instructions",
  "messages",
  "input",
  "contents",
];

/** Marks where a cache begins or ends: it moves with every request, and is not part of what is cached. */
const cacheMark = "cache_control";

const characters = 60;

/** Compares a request with the one before, in the order of a provider's prefix. Bodies that are not JSON objects have no parts. */
export function comparePrefix(before: unknown, current: unknown): PrefixComparison {
  const earlier = Map.groupBy(segmentsOf(before), ({ path: [field] }) => field);
  const later = Map.groupBy(segmentsOf(current), ({ path: [field] }) => field);
  const segments: PrefixSegment[] = [];
  let difference: PrefixComparison["difference"];
  for (const [order, field] of fields.entries()) {
    const old = earlier.get(field) ?? [];
    const own = later.get(field) ?? [];
    // What is added or missing moves what the request before had behind it.
    const hasMore = fields.slice(order + 1).some((next) => earlier.has(next));
    for (let index = 0; index < Math.max(old.length, own.length); index++) {
      const { segment, place } = compareSegments(old[index], own[index]);
      const isBreak = difference === undefined && (place !== undefined || (isOdd(segment.state) && hasMore));
      const state = segment.state === "same" && difference ? "lost" : segment.state;
      segments.push({ ...segment, state: isBreak && state === "new" ? "cut" : state });
      if (!isBreak) continue;
      const { path, character } = place ?? {};
      difference = {
        path: path ? displayPath(path) : segment.path,
        ...(character !== undefined && { character }),
      };
    }
  }
  return { segments, ...(difference && { difference }) };
}

function isOdd(state: PrefixSegment["state"]): boolean {
  return state === "new" || state === "gone";
}

/** A part beside that at the same place of the request before. One of them is there. */
function compareSegments(
  old: Segment | undefined,
  own: Segment | undefined,
): { readonly segment: PrefixSegment; readonly place?: Place } {
  const { path, value } = own ?? old ?? { path: [], value: undefined };
  const about = {
    path: displayPath(path),
    label: labelOf(value),
    size: JSON.stringify(value ?? null).length,
  };
  if (!old || !own) return { segment: { ...about, state: own ? "new" : "gone" } };
  const place = firstDifference(old.value, own.value, path);
  if (!place) return { segment: { ...about, state: "same" } };
  const [before, after] = place.excerpts ?? [];
  return {
    segment: { ...about, state: "new", ...(before && { before }), ...(after && { after }) },
    place,
  };
}

function segmentsOf(body: unknown): readonly Segment[] {
  if (!isPlainObject(body)) return [];
  return fields.flatMap((field): readonly Segment[] => {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return [{ path: [field], value: unmarked(value) }];
    return value.map((item, index) => ({ path: [field, index], value: unmarked(item) }));
  });
}

/** A value without the marks of the cache. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== cacheMark);
  return Object.fromEntries(entries.map(([name, member]) => [name, unmarked(member)]));
}

/** Where two values begin to differ. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly character?: number;
  readonly excerpts?: readonly [Excerpt, Excerpt];
}

/** The first place at which two values differ, in the order of their JSON; `undefined` if they are equal. */
function firstDifference(
  before: unknown,
  current: unknown,
  path: readonly (string | number)[],
): Place | undefined {
  if (typeof before === "string" && typeof current === "string")
    return differenceOfTexts(before, current, path);
  if (Array.isArray(before) && Array.isArray(current)) {
    for (let index = 0; index < Math.max(before.length, current.length); index++) {
      if (index >= before.length || index >= current.length) return { path: [...path, index] };
      const place = firstDifference(before[index], current[index], [...path, index]);
      if (place) return place;
    }
    return undefined;
  }
  // A text may be marked as the only part of a list: to the provider it is the same.
  if (typeof before === "string" && Array.isArray(current))
    return differenceOfOnlyText(before, current, path);
  if (typeof current === "string" && Array.isArray(before)) {
    const text = onlyText(before);
    return typeof text === "string" ? differenceOfTexts(text, current, path) : { path };
  }
  if (isPlainObject(before) && isPlainObject(current)) return differenceOfObjects(before, current, path);
  if (Object.is(before, current)) return undefined;
  return { path, excerpts: [excerptOf(show(before), 0), excerptOf(show(current), 0)] };
}

function differenceOfOnlyText(
  before: string,
  current: readonly unknown[],
  path: readonly (string | number)[],
): Place | undefined {
  const text = onlyText(current);
  return typeof text === "string" ? differenceOfTexts(before, text, [...path, 0, "text"]) : { path };
}

/** The text of a list that has nothing else, or the list. */
function onlyText(list: readonly unknown[]): unknown {
  const [only] = list;
  if (list.length !== 1 || !isPlainObject(only) || only["type"] !== "text") return [...list];
  return typeof only["text"] === "string" ? only["text"] : [...list];
}

function differenceOfObjects(
  before: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): Place | undefined {
  const earlier = Object.keys(before);
  const names = Object.keys(current);
  for (let index = 0; index < Math.max(earlier.length, names.length); index++) {
    const name = names[index];
    // The order counts: the provider reads the bytes.
    if (name === undefined || name !== earlier[index])
      return { path: [...path, name ?? earlier[index] ?? ""] };
    const place = firstDifference(before[name], current[name], [...path, name]);
    if (place) return place;
  }
  return undefined;
}

function differenceOfTexts(
  before: string,
  current: string,
  path: readonly (string | number)[],
): Place | undefined {
  if (before === current) return undefined;
  let start = 0;
  while (start < before.length && start < current.length && before[start] === current[start]) start++;
  let end = 0;
  const most = Math.min(before.length, current.length) - start;
  while (end < most && before.at(-1 - end) === current.at(-1 - end)) end++;
  return {
    path,
    character: start,
    excerpts: [
      excerptOf(before, start, before.length - end),
      excerptOf(current, start, current.length - end),
    ],
  };
}

/** What stands around the characters from `start` to `end`. */
function excerptOf(text: string, start: number, end: number = text.length): Excerpt {
  const from = Math.max(0, start - characters);
  const differs = text.slice(start, Math.min(end, start + characters * 2));
  const to = start + differs.length;
  return {
    start: `${from > 0 ? "…" : ""}${text.slice(from, start)}`,
    differs,
    end: `${text.slice(to, to + characters)}${to + characters < text.length ? "…" : ""}`,
  };
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** A path without the root: `system[0].text`. */
function displayPath(path: readonly (string | number)[]): string {
  return formatPath(path).replace(/^\$\.?/, "");
}

/** What a part is, in a few words. */
function labelOf(value: unknown): string {
  const text = typeof value === "string" ? value : labelOfObject(value);
  return text.slice(0, 120);
}

function labelOfObject(value: unknown): string {
  if (!isPlainObject(value)) return "";
  const { role, type, name, content, text, parts } = value;
  const own: unknown = isPlainObject(value["function"]) ? value["function"]["name"] : name;
  const words = [role, own ?? (role === undefined ? type : undefined)].filter(
    (word) => typeof word === "string",
  );
  const calls = value["toolCalls"] ?? value["tool_calls"];
  const inner = firstText(content ?? text ?? parts ?? value["result"]) || firstText(calls);
  return [words.join(" "), inner].filter((word) => word !== "").join(": ");
}

/** The first text within a value, at most a few levels deep. */
function firstText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (depth > 4) return "";
  const members: readonly unknown[] = Array.isArray(value)
    ? value
    : isPlainObject(value)
      ? ["text", "content", "toolName", "name", "function", "input", "output"].map((name) => value[name])
      : [];
  for (const member of members) {
    const text = firstText(member, depth + 1);
    if (text !== "") return text;
  }
  return "";
}
