import type { TextValue, TextValueKind } from "./extract.ts";
import { clearCuesOf, cuesOf, isSearch, labelsOf, type Sense, senseOf } from "./parameter-sense.ts";
import { identifierWords, isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";
import type { Parameter } from "./parameters.ts";
import {
  announced,
  announcementOf,
  longPhrase,
  nearness,
  type Draft,
  type QueryReading,
  remainder,
  shortPhrase,
  unused,
  use,
} from "./reading.ts";

/** The kinds of value that each sense accepts, the best first. */
const kindsBySense: Readonly<Record<Sense, readonly TextValueKind[]>> = {
  date: ["date", "relative-date", "time"],
  time: ["time"],
  email: ["email"],
  recipient: ["email", "quoted", "name", "code"],
  url: ["url"],
  path: ["path", "quoted"],
  code: ["code", "slug", "number", "quoted"],
  text: ["quoted"],
  name: ["quoted", "name", "code"],
};

/** Assigns texts to parameters: announced ones ("subject: Lunch"), then values of a matching kind, then the remaining text. */
export function fillTexts(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const textual = parameters.filter(({ type }) => type === "string" || type === "unknown");
  const open = (): Parameter[] => textual.filter(({ name }) => !draft.values.has(name));
  for (const parameter of open()) fillByKind(parameter, reading, draft, exclusiveKinds(parameter));
  for (const parameter of open()) fillExpression(parameter, reading, draft);
  for (const parameter of open()) fillAnnounced(parameter, parameters, reading, draft);
  for (const parameter of open()) {
    if (parameter.required) fillByKind(parameter, reading, draft, kindsBySense[senseOf(parameter)]);
  }
  for (const parameter of open()) if (parameter.required) fillRest(parameter, reading, draft);
  // What a search is narrowed by need not be announced: "find customer Ada".
  for (const parameter of open()) {
    if (parameters.length === 1 && (isSearch(parameter) || labelless(parameter)))
      fillByKind(parameter, reading, draft, ["quoted", "name"]);
  }
}

function labelless({ name }: Parameter): boolean {
  return identifierWords(name).every((word) => word === "name" || word === "text" || word === "title");
}

/** The kinds of value that only this sort of parameter accepts, so that no label is needed. */
function exclusiveKinds(parameter: Parameter): readonly TextValueKind[] {
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
  kinds: readonly TextValueKind[],
): void {
  const labels = labelsOf(parameter);
  for (const kind of kinds) {
    const candidates = unused(reading)
      .filter((match) => match.kind === kind && allows(parameter, match))
      .map((match) => ({ match, near: nearness(reading, match, labels) }))
      .sort((a, b) => b.near - a.near);
    const [best] = candidates;
    if (best) return assign(parameter, best.match, reading, draft);
  }
}

/** A formatted date cannot be relative: the rules do not know the current date. */
function allows(parameter: Parameter, match: TextValue): boolean {
  if (!parameter.accepts(String(match.value))) return false;
  if (senseOf(parameter) !== "date" || parameter.format === undefined) return true;
  return match.kind === "date";
}

function assign(
  parameter: Parameter,
  match: TextValue,
  reading: QueryReading,
  draft: Draft,
  start?: number,
): void {
  use(reading, match, start ?? announcementOf(match, reading));
  draft.sources.set(parameter.name, match);
  draft.values.set(parameter.name, formatText(parameter, match, reading));
}

function formatText(parameter: Parameter, match: TextValue, reading: QueryReading): string {
  if (match.kind === "number") return reading.text.slice(match.start, match.end).replace(/^#/u, "");
  const value = String(match.value);
  if (senseOf(parameter) !== "date" || parameter.format === "time") return value;
  if (parameter.format === "date") return value.slice(0, 10);
  const time = value.length > 10 ? undefined : unused(reading).find(({ kind }) => kind === "time");
  if (parameter.format === "date-time") {
    if (time) use(reading, time, announcementOf(time, reading));
    return toDateTime(value, time ? String(time.value) : undefined);
  }
  return value;
}

/** RFC 3339 requires seconds and an offset, which is UTC by default. */
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
  reading.usedSpans.push({ start: match.index, end: match.index + match[0].length });
  draft.values.set(parameter.name, match[0].trim());
}

/** Assigns the text after a cue: "because it is broken" for `reason`, "to Rome" for `destination`. */
function fillAnnounced(
  parameter: Parameter,
  all: readonly Parameter[],
  reading: QueryReading,
  draft: Draft,
): void {
  const sense = senseOf(parameter);
  if (sense === "date" || sense === "time" || sense === "email" || sense === "url") return;
  for (const { start, from, value } of announced(reading, cuesOf(parameter))) {
    if (value && kindsBySense[sense].includes(value.kind))
      return assign(parameter, value, reading, draft, start);
    const phrase = phraseFor(parameter, sense, from, all, reading);
    if (phrase === "" || isToolPhrase(phrase, reading) || !parameter.accepts(phrase)) continue;
    reading.usedSpans.push({ start, end: from + phrase.length });
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

/** Fills a required parameter as a last resort: with the remaining text, or a short phrase after any preposition. */
function fillRest(parameter: Parameter, reading: QueryReading, draft: Draft): void {
  const sense = senseOf(parameter);
  if (sense === "text") {
    const { text, isAnnounced } = remainder(reading);
    // Only what is searched for may be a whole message: elsewhere it would be recorded or sent as it is.
    if (text === "" || !(isAnnounced || reading.isAnswer || isSearch(parameter)) || !parameter.accepts(text))
      return;
    reading.usedSpans.push({ start: 0, end: reading.text.length });
    draft.values.set(parameter.name, text);
    return;
  }
  if (sense !== "name" && sense !== "recipient") return;
  for (const { start, from } of announced(reading, ["in|at|near|of|for|about|against|with|to|from|into"])) {
    const phrase = shortPhrase(reading, from);
    if (phrase === "" || isToolPhrase(phrase, reading) || !parameter.accepts(phrase)) continue;
    reading.usedSpans.push({ start, end: from + phrase.length });
    draft.values.set(parameter.name, phrase);
    return;
  }
}

function isToolPhrase(phrase: string, reading: QueryReading): boolean {
  const words = sentenceWords(phrase).filter((word) => !isEmptyWord(word));
  return words.length > 0 && words.every((word) => reading.toolStems.has(stem(word)));
}
