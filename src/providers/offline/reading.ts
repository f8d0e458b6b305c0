import type { JsonValue } from "../../base/util/json.ts";
import { extract, type TextValue } from "./extract.ts";
import { isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";

/** A text whose values are assigned to parameters, each at most once. */
export interface QueryReading {
  readonly text: string;
  readonly values: readonly TextValue[];
  readonly used: Set<TextValue>;
  /** The positions of used values, with the words that announce them. */
  readonly usedSpans: { readonly start: number; readonly end: number }[];
  /** Stems that belong to the tool: "translate" in "translate good morning". */
  readonly toolStems: ReadonlySet<string>;
  /** Whether the text answers a question, so that all of it may be a value. */
  readonly isAnswer: boolean;
}

/** The values assigned so far, and their sources in the text. */
export interface Draft {
  readonly values: Map<string, JsonValue>;
  readonly sources: Map<string, TextValue>;
}

/** Starts reading a text for a tool. */
export function read(text: string, toolStems: ReadonlySet<string>, isAnswer: boolean): QueryReading {
  return {
    text,
    values: extract(text, (form) => toolStems.has(form)),
    used: new Set(),
    usedSpans: [],
    toolStems,
    isAnswer,
  };
}

/** The values that have not been used. */
export function unused(reading: QueryReading): TextValue[] {
  return reading.values.filter(
    (match) =>
      !reading.used.has(match) &&
      reading.usedSpans.every((span) => match.end <= span.start || match.start >= span.end),
  );
}

/** Marks a value as used, from `start`, where the words that announce it start. */
export function use(reading: QueryReading, match: TextValue, start: number = match.start): void {
  reading.used.add(match);
  reading.usedSpans.push({ start, end: match.end });
}

/** Where the preposition before a value starts: it belongs to the value, so that the remaining text does not end with "to". */
export function announcementOf(match: TextValue, reading: QueryReading): number {
  const before = /(?:\b(?:in|at|on|to|into|from|for|with|of|by|near)\s+)$/iu.exec(
    reading.text.slice(0, match.start),
  );
  return before?.index ?? match.start;
}

/**
 * How near the closest word of `labels` is to a value: 1 if it is adjacent, less if it is further away, 0 if there is none.
 * Words like "number" and "is" between them are ignored. A label may also follow directly ("3 days").
 */
export function nearness(reading: QueryReading, match: TextValue, labels: ReadonlySet<string>): number {
  const before = sentenceWords(
    (
      reading.text
        .slice(0, match.start)
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
  const after = /^[\s-]*(?:of\s+)?(\p{L}+)/u.exec(reading.text.slice(match.end))?.[1]?.toLowerCase() ?? "";
  return Math.max(nearest, labels.has(stem(after)) ? 0.9 : 0);
}

/** A cue in the text, and the value directly after it, if there is one. */
export interface Announced {
  /** Where the cue starts. */
  readonly start: number;
  /** Where the announced text starts. */
  readonly from: number;
  readonly value: TextValue | undefined;
}

/** The cues in the unused part of the text, in order. */
export function announced(reading: QueryReading, cues: readonly string[]): Announced[] {
  return cues.flatMap((cue) =>
    [
      ...reading.text.matchAll(
        new RegExp(`(?<![\\p{L}\\p{N}])(?:${cue})(?![\\p{L}\\p{N}])[\\s:]*(?:(?:the|a|an|my)\\s+)?`, "giu"),
      ),
    ]
      .filter(({ index }) => reading.usedSpans.every((span) => index < span.start || index >= span.end))
      .map((match) => {
        const from = match.index + match[0].length;
        return { start: match.index, from, value: unused(reading).find((value) => value.start === from) };
      }),
  );
}

/** The words from `start` to the next punctuation mark, ordinary word or other value: "new york" in "in new york please". */
export function shortPhrase(reading: QueryReading, start: number): string {
  const values = unused(reading).filter((match) => match.kind !== "name" && match.kind !== "slug");
  const ahead = [...values, ...reading.usedSpans]
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
  const ahead = reading.usedSpans.filter((span) => span.start >= start).map((span) => span.start);
  const rest = reading.text.slice(start, Math.min(reading.text.length, ...ahead));
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

/** Words at the end that lead to the next phrase: "... on", "... with". */
const danglingEnd = /(?:[\s,]+(?:and|with|on|at|for|to|in|by))*[\s,]*$/iu;

/** What is left of a text. */
export interface Remainder {
  readonly text: string;
  /** Whether words of the tool, or a verb such as "write", led to it: else the text may be about something else. */
  readonly isAnnounced: boolean;
}

/** The text without used values, the opening of the request and the tool's own words. */
export function remainder(reading: QueryReading): Remainder {
  let rest = "";
  let position = 0;
  for (const { start, end } of reading.usedSpans.toSorted((a, b) => a.start - b.start)) {
    rest += reading.text.slice(position, Math.max(position, start));
    position = Math.max(position, end);
  }
  rest = (rest + reading.text.slice(position)).replaceAll(/\s+/gu, " ");
  const { text, isAnnounced } = withoutOpening(rest, reading.toolStems);
  const trimmed = withoutToolPhrase(text, reading.toolStems).replaceAll(
    /^[\s,;:.!?–-]+|[\s,;:.!?–-]+$/gu,
    "",
  );
  const hasWords = sentenceWords(trimmed).some((word) => !isEmptyWord(word));
  return { text: hasWords ? unquote(trimmed) : "", isAnnounced };
}

const opening =
  /^[\s,;:.!–-]*(?:hey|hi|hello|please|kindly|can you|could you|would you|will you|i want (?:you )?to|i['’]?d like (?:you )?to|i need (?:you )?to|help me|look (?:up|for)|find out|let['’]?s|what['’]?s|what is|what are|how do you)(?![\p{L}])/iu;

/** Verbs that ask for something to be written or arranged. */
const writingVerb =
  /^(?:write|compose|draft|put|make|create|add|set|schedule|book|arrange|note|save)\s+(?:an?|the|my|new)\s+/iu;

function withoutOpening(text: string, toolStems: ReadonlySet<string>): Remainder {
  let rest = text.trim();
  for (let match = opening.exec(rest); match; match = opening.exec(rest))
    rest = rest.slice(match[0].length).trim();
  // "Notify me: your bag is ready", where everything before the colon is about the tool.
  const [, head = "", tail = ""] = /^([^:]{1,60}):\s+(\S.*)$/su.exec(rest) ?? [];
  const headWords = sentenceWords(head).filter((word) => !isEmptyWord(word));
  if (headWords.some((word) => toolStems.has(stem(word)))) return { text: tail, isAnnounced: true };
  const start = rest;
  // The verb of the request: "Write an email", "put a dentist appointment".
  rest = rest.replace(writingVerb, "");
  for (let word = firstWord(rest); toolStems.has(stem(word)); word = firstWord(rest)) {
    rest = rest.slice(word.length).replace(/^\s+(?:(?:the|a|an|my|me|for|that|to|of)\s+)*/iu, "");
  }
  return { text: rest, isAnnounced: rest !== start };
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
