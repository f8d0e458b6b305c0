import type { Found, FoundKind } from "./extract.ts";
import { clearCuesOf, cuesOf, labelsOf, type Sense, senseOf } from "./parameter-sense.ts";
import { isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";
import type { Parameter } from "./parameters.ts";
import {
  announced,
  longPhrase,
  nearness,
  type Draft,
  type QueryReading,
  remainder,
  shortPhrase,
  unused,
  use,
} from "./reading.ts";

/** The kinds of value that each sense takes, the best first. */
const kindsBySense: Readonly<Record<Sense, readonly FoundKind[]>> = {
  date: ["date", "relative-date", "time"],
  time: ["time"],
  email: ["email"],
  recipient: ["email", "quoted", "name", "code"],
  url: ["url"],
  path: ["path", "quoted"],
  code: ["code", "number", "quoted"],
  text: ["quoted"],
  name: ["quoted", "name", "code"],
};

/** Gives texts to parameters: what is announced ("subject: Lunch"), then values of their kind, then the remaining text. */
export function fillTexts(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const textual = parameters.filter(({ type }) => type === "string" || type === "unknown");
  const open = (): Parameter[] => textual.filter(({ name }) => !draft.values.has(name));
  for (const parameter of open()) fillByKind(parameter, reading, draft, typed(parameter));
  for (const parameter of open()) fillExpression(parameter, reading, draft);
  for (const parameter of open()) fillAnnounced(parameter, parameters, reading, draft);
  for (const parameter of open()) {
    if (parameter.required) fillByKind(parameter, reading, draft, kindsBySense[senseOf(parameter)]);
  }
  for (const parameter of open()) if (parameter.required) fillRest(parameter, reading, draft);
}

/** Kinds that only such a parameter takes, so that no label is needed. */
function typed(parameter: Parameter): readonly FoundKind[] {
  const sense = senseOf(parameter);
  if (sense === "email" || sense === "url" || sense === "path" || sense === "time")
    return kindsBySense[sense];
  if (sense === "recipient") return ["email"];
  if (sense === "date") return parameter.format === undefined ? ["date", "relative-date"] : ["date"];
  return sense === "code" && parameter.required ? ["code"] : [];
}

function fillByKind(
  parameter: Parameter,
  reading: QueryReading,
  draft: Draft,
  kinds: readonly FoundKind[],
): void {
  const labels = labelsOf(parameter);
  for (const kind of kinds) {
    const candidates = unused(reading)
      .filter((found) => found.kind === kind && allows(parameter, found))
      .map((found) => ({ found, near: nearness(reading, found, labels) }))
      .sort((a, b) => b.near - a.near);
    const [best] = candidates;
    if (best) return take(parameter, best.found, reading, draft);
  }
}

/** A formatted date cannot be relative: the rules do not know what day it is. */
function allows(parameter: Parameter, found: Found): boolean {
  if (senseOf(parameter) !== "date" || parameter.format === undefined) return true;
  return found.kind === "date";
}

function take(parameter: Parameter, found: Found, reading: QueryReading, draft: Draft, start?: number): void {
  use(reading, found, start ?? announcementOf(found, reading));
  draft.sources.set(parameter.name, found);
  draft.values.set(parameter.name, textOf(parameter, found, reading));
}

/** A preposition before a value belongs to it: what remains of the text shall not end in "to". */
function announcementOf(found: Found, reading: QueryReading): number {
  const before = /(?:\b(?:in|at|on|to|into|from|for|with|of|by|near)\s+)$/iu.exec(
    reading.text.slice(0, found.start),
  );
  return before?.index ?? found.start;
}

function textOf(parameter: Parameter, found: Found, reading: QueryReading): string {
  if (found.kind === "number") return reading.text.slice(found.start, found.end).replace(/^#/u, "");
  const value = String(found.value);
  if (senseOf(parameter) !== "date" || parameter.format === "time") return value;
  if (parameter.format === "date") return value.slice(0, 10);
  const time = value.length > 10 ? undefined : unused(reading).find(({ kind }) => kind === "time");
  if (parameter.format === "date-time") {
    if (time) use(reading, time, announcementOf(time, reading));
    return toDateTime(value, time ? String(time.value) : undefined);
  }
  return value;
}

/** RFC 3339 wants seconds and an offset: what the text leaves open is taken as UTC. */
function toDateTime(date: string, time = "00:00"): string {
  const full = date.length > 10 ? date.replace(" ", "T") : `${date}T${time}`;
  const seconds = full.replace(/T(\d{2}:\d{2})(?!:)/u, "T$1:00");
  return /(?:Z|[+-]\d{2}:?\d{2})$/u.test(seconds.slice(10)) ? seconds : `${seconds}Z`;
}

const expressionNames = /^(?:expression|formula|equation|calculation)$/iu;
const arithmetic = /[-(]*\d[\d.]*(?:\s*[-+*/^×÷]\s*[-(]*\d[\d.]*\)*)+/u;

function fillExpression(parameter: Parameter, reading: QueryReading, draft: Draft): void {
  const match = expressionNames.test(parameter.name) ? arithmetic.exec(reading.text) : null;
  if (!match) return;
  reading.taken.push({ start: match.index, end: match.index + match[0].length });
  draft.values.set(parameter.name, match[0].trim());
}

/** Takes what a cue announces: "because it is broken" for `reason`, "to Rome" for `destination`. */
function fillAnnounced(
  parameter: Parameter,
  all: readonly Parameter[],
  reading: QueryReading,
  draft: Draft,
): void {
  const sense = senseOf(parameter);
  if (sense === "date" || sense === "time" || sense === "email" || sense === "url") return;
  for (const { start, from, found } of announced(reading, cuesOf(parameter))) {
    if (found && kindsBySense[sense].includes(found.kind))
      return take(parameter, found, reading, draft, start);
    const phrase = phraseFor(parameter, sense, from, all, reading);
    if (phrase === "" || isToolPhrase(phrase, reading)) continue;
    reading.taken.push({ start, end: from + phrase.length });
    draft.values.set(parameter.name, phrase);
    return;
  }
}

function phraseFor(
  parameter: Parameter,
  sense: Sense,
  from: number,
  all: readonly Parameter[],
  reading: QueryReading,
): string {
  if (sense === "text") {
    const others = all.filter(({ name }) => name !== parameter.name).flatMap(clearCuesOf);
    return longPhrase(reading, from, others);
  }
  return (sense === "name" || sense === "path" || sense === "recipient") && parameter.required
    ? shortPhrase(reading, from)
    : "";
}

/** The last resort for what is required: the remaining text, or a short phrase after any preposition. */
function fillRest(parameter: Parameter, reading: QueryReading, draft: Draft): void {
  const sense = senseOf(parameter);
  if (sense === "text") {
    const rest = remainder(reading);
    if (rest === "") return;
    reading.taken.push({ start: 0, end: reading.text.length });
    draft.values.set(parameter.name, rest);
    return;
  }
  if (sense !== "name" && sense !== "recipient") return;
  for (const { start, from } of announced(reading, ["in|at|near|of|for|about|with|to|from|into"])) {
    const phrase = shortPhrase(reading, from);
    if (phrase === "" || isToolPhrase(phrase, reading)) continue;
    reading.taken.push({ start, end: from + phrase.length });
    draft.values.set(parameter.name, phrase);
    return;
  }
}

function isToolPhrase(phrase: string, reading: QueryReading): boolean {
  const words = sentenceWords(phrase).filter((word) => !isEmptyWord(word));
  return words.length > 0 && words.every((word) => reading.toolStems.has(stem(word)));
}
