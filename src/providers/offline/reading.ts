import type { JsonValue } from "../../base/util/json.ts";
import { extract, type Found } from "./extract.ts";
import { isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";

/** A text while values are taken out of it: no value is used twice. */
export interface QueryReading {
  readonly text: string;
  readonly found: readonly Found[];
  readonly used: Set<Found>;
  /** Where used values stand, with the words that announce them. */
  readonly taken: { readonly start: number; readonly end: number }[];
  /** Stems that belong to the tool: "translate" in "translate good morning". */
  readonly toolStems: ReadonlySet<string>;
}

/** The values being filled in, and the places in the text they come from. */
export interface Draft {
  readonly values: Map<string, JsonValue>;
  readonly sources: Map<string, Found>;
}

/** Begins to read a text for a tool. */
export function read(text: string, toolStems: ReadonlySet<string>): QueryReading {
  return { text, found: extract(text, (form) => toolStems.has(form)), used: new Set(), taken: [], toolStems };
}

/** The values nobody has used. */
export function unused(reading: QueryReading): Found[] {
  return reading.found.filter(
    (found) =>
      !reading.used.has(found) &&
      reading.taken.every((span) => found.end <= span.start || found.start >= span.end),
  );
}

/** Marks a value as used; `start` is where the words that announce it begin. */
export function use(reading: QueryReading, found: Found, start: number = found.start): void {
  reading.used.add(found);
  reading.taken.push({ start, end: found.end });
}

/**
 * How near a word of `labels` stands to a value: 1 beside it, less further away, 0 if there is none.
 * Words like "number" and "is" between them do not count. A label may follow at once ("3 days"), not later.
 */
export function nearness(reading: QueryReading, found: Found, labels: ReadonlySet<string>): number {
  const before = sentenceWords(
    (
      reading.text
        .slice(0, found.start)
        .split(/[!?;]|(?<!\bno)\.\s/iu)
        .at(-1) ?? ""
    ).replace(/#$/u, ""),
  );
  let distance = 1;
  let nearest = 0;
  for (const word of before.slice(-8).toReversed()) {
    if (labels.has(stem(word))) {
      nearest = 1 / distance;
      break;
    }
    if (!isEmptyWord(word) && word !== "number" && word !== "id") distance += 1;
  }
  const after = /^[\s-]*(?:of\s+)?(\p{L}+)/u.exec(reading.text.slice(found.end))?.[1]?.toLowerCase() ?? "";
  return Math.max(nearest, labels.has(stem(after)) ? 0.9 : 0);
}

/** What follows one of `cues`: a value that stands right there, or the words up to `until`. */
export interface Announced {
  /** Where the cue begins. */
  readonly start: number;
  /** Where what it announces begins. */
  readonly from: number;
  readonly found: Found | undefined;
}

/** The places in the text that a cue announces, in order, those already taken left out. */
export function announced(reading: QueryReading, cues: readonly string[]): Announced[] {
  return cues.flatMap((cue) =>
    [
      ...reading.text.matchAll(
        new RegExp(`(?<![\\p{L}\\p{N}])(?:${cue})(?![\\p{L}\\p{N}])[\\s:]*(?:(?:the|a|an|my)\\s+)?`, "giu"),
      ),
    ]
      .filter(({ index }) => reading.taken.every((span) => index < span.start || index >= span.end))
      .map((match) => {
        const from = match.index + match[0].length;
        return { start: match.index, from, found: unused(reading).find((found) => found.start === from) };
      }),
  );
}

/** The words from `start` to the next sign, ordinary word or other value: "new york" in "in new york please". */
export function shortPhrase(reading: QueryReading, start: number): string {
  const values = unused(reading).filter((found) => found.kind !== "name");
  const ahead = [...values, ...reading.taken]
    .map((span) => span.start)
    .filter((position) => position >= start);
  const stop = Math.min(reading.text.length, ...ahead);
  const words: string[] = [];
  for (const match of reading.text.slice(start, stop).matchAll(/([\p{L}\p{N}'’-]+)([^\p{L}\p{N}'’-]*)/gu)) {
    const [, word = "", gap = ""] = match;
    if (isEmptyWord(word.toLowerCase()) || words.length === 4) break;
    words.push(word);
    if (gap.trim() !== "") break;
  }
  return words.join(" ");
}

/** The words from `start` to the end of the sentence, or to the next word that announces something else. */
export function longPhrase(reading: QueryReading, start: number, otherCues: readonly string[]): string {
  const taken = reading.taken.filter((span) => span.start >= start).map((span) => span.start);
  const rest = reading.text.slice(start, Math.min(reading.text.length, ...taken));
  const ends = [/[.!?;\n](?:\s|$)/u.exec(rest)?.index ?? rest.length];
  for (const cue of otherCues) {
    const match = new RegExp(
      `[\\s,]+(?:(?:and|with)\\s+)?(?:(?:the|a)\\s+)?(?:${cue})(?![\\p{L}\\p{N}])`,
      "iu",
    ).exec(rest);
    if (match) ends.push(match.index);
  }
  return unquote(
    rest
      .slice(0, Math.min(...ends))
      .replace(danglingEnd, "")
      .trim(),
  );
}

/** What led over to something that is not part of the phrase: "... on", "... with". */
const danglingEnd = /(?:[\s,]+(?:and|with|on|at|for|to|in|by))*[\s,]*$/iu;

/** What is left of the text when the values used, the request's opening and the tool's own words are taken away. */
export function remainder(reading: QueryReading): string {
  let rest = "";
  let position = 0;
  for (const { start, end } of reading.taken.toSorted((a, b) => a.start - b.start)) {
    rest += reading.text.slice(position, Math.max(position, start));
    position = Math.max(position, end);
  }
  rest = (rest + reading.text.slice(position)).replaceAll(/\s+/gu, " ");
  rest = withoutToolPhrase(withoutOpening(rest, reading.toolStems), reading.toolStems);
  const trimmed = rest.replaceAll(/^[\s,;:.!?–-]+|[\s,;:.!?–-]+$/gu, "");
  return sentenceWords(trimmed).some((word) => !isEmptyWord(word)) ? unquote(trimmed) : "";
}

const opening =
  /^[\s,;:.!–-]*(?:hey|hi|hello|please|kindly|can you|could you|would you|will you|i want (?:you )?to|i['’]?d like (?:you )?to|i need (?:you )?to|help me|look (?:up|for)|find out|let['’]?s|what['’]?s|what is|what are|how do you)(?![\p{L}])/iu;

function withoutOpening(text: string, toolStems: ReadonlySet<string>): string {
  let rest = text.trim();
  for (let match = opening.exec(rest); match; match = opening.exec(rest))
    rest = rest.slice(match[0].length).trim();
  // "Write an email", "put a dentist appointment": the verb that asks for the thing.
  rest = rest.replace(
    /^(?:write|compose|draft|put|make|create|add|set|schedule|book|arrange|note|save)\s+(?:an?|the|my|new)\s+/iu,
    "",
  );
  for (let word = firstWord(rest); toolStems.has(stem(word)); word = firstWord(rest)) {
    rest = rest.slice(word.length).replace(/^\s+(?:(?:the|a|an|my|me|for|that|to|of)\s+)*/iu, "");
  }
  return rest;
}

/** "buy milk to my todo list" is "buy milk" for a tool that adds to a todo list. */
function withoutToolPhrase(text: string, toolStems: ReadonlySet<string>): string {
  const match =
    /\s+(?:to|on|in|into|from|with|using)\s+(?:(?:my|the|our|your|a)\s+)?((?:[\p{L}-]+\s*){1,3})$/u.exec(
      text,
    );
  const words = sentenceWords(match?.[1] ?? "");
  return match && words.length > 0 && words.every((word) => toolStems.has(stem(word)))
    ? text.slice(0, match.index)
    : text;
}

function firstWord(text: string): string {
  return (/^[\p{L}\p{N}'’-]+/u.exec(text)?.[0] ?? "").toLowerCase();
}

function unquote(text: string): string {
  return text.replace(/^(["'“«`])(.*)["'”»`]$/su, "$2");
}
