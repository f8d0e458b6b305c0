import type { Parameter } from "./parameters.ts";
import { identifierWords, isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";

/** The sort of text that a parameter expects, judged by its name and format. */
export type Sense = "date" | "time" | "email" | "recipient" | "url" | "path" | "code" | "text" | "name";

const stems = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(stem));

/** The nouns in parameter names that imply a sense. The first match wins. */
const senses: readonly (readonly [Sense, ReadonlySet<string>])[] = [
  ["date", stems("date day when deadline due birthday")],
  ["time", stems("time hour clock")],
  ["email", stems("email mail")],
  ["recipient", stems("to cc bcc recipient attendee invitee participant guest")],
  ["url", stems("url uri link website webpage page href")],
  ["path", stems("path file filename directory folder")],
  ["code", stems("id code sku number isbn reference")],
  [
    "text",
    stems(
      "text message body content query question reason description note comment prompt expression formula equation topic title subject summary keyword term task todo what detail sentence phrase input search instruction feedback review",
    ),
  ],
];

const formats: ReadonlyMap<string, Sense> = new Map([
  ["date", "date"],
  ["date-time", "date"],
  ["time", "time"],
  ["email", "email"],
  ["uri", "url"],
  ["url", "url"],
]);

/** The sense of a text parameter; `"name"` (a place, a person, a thing) by default. */
export function senseOf(parameter: Parameter): Sense {
  const byFormat = formats.get(parameter.format ?? "");
  if (byFormat) return byFormat;
  // The last word of a name is its noun: `dueDate` is a date, `dateFormat` is not.
  const noun = stem(identifierWords(parameter.name).at(-1) ?? "");
  return senses.find(([, nouns]) => nouns.has(noun))?.[0] ?? "name";
}

const labelless = stems("id no number num index name value code");

/** Stems of the words that label a parameter's value in a text: "item" for `itemId`. */
export function labelsOf(parameter: Parameter): ReadonlySet<string> {
  const named = identifierWords(parameter.name).map(stem);
  const labels = named.filter((form) => !labelless.has(form));
  return new Set(labels.length > 0 ? labels : describedBy(parameter));
}

/** Stems of the words that describe a parameter. */
export function describedBy(parameter: Parameter): string[] {
  return sentenceWords(parameter.description)
    .filter((word) => !isEmptyWord(word))
    .map(stem);
}

const quantities = stems("quantity count amount copies pieces units times how many");

/** Whether a parameter is an amount, not an identifier. */
export function isQuantity(parameter: Parameter): boolean {
  return identifierWords(parameter.name).some((word) => quantities.has(stem(word)));
}

/** Whether a parameter is an identifier, which a number with a unit ("3 weeks") cannot be. */
export function isIdentifier(parameter: Parameter): boolean {
  const words = identifierWords(parameter.name);
  return words.some((word) => word === "id" || word === "index" || word === "number" || word === "no");
}

/** Words before a value that indicate its parameter, by stems of parameter names. */
const cueWords: readonly (readonly [ReadonlySet<string>, string])[] = [
  [stems("reason"), "because of|because|due to|since|as it|as they"],
  [stems("title"), "called|named|titled|entitled|about|for"],
  [stems("subject topic theme"), "about|on|regarding|concerning"],
  [stems("name"), "called|named"],
  [
    stems("body message content text note comment"),
    "saying that|saying|that says|says that|says|telling him|telling her|telling them",
  ],
  [stems("query keyword term search question"), "for|about"],
  [stems("task todo"), "to"],
  [stems("city location place country town region venue address"), "in|at|near|around|for|to"],
  [stems("from origin source departure sender start"), "from"],
  [stems("to destination target recipient receiver end"), "to|into"],
  [stems("language lang"), "into|to|in"],
  [stems("person attendee guest participant contact with"), "with"],
];

const prepositions: ReadonlySet<string> = new Set(
  "in at near around for to into from with about on".split(" "),
);

/** Regular expressions for the cues of a parameter's value in a text, the most reliable first. */
export function cuesOf(parameter: Parameter): string[] {
  const words = identifierWords(parameter.name);
  const forms = words.map(stem);
  const cues = cueWords
    .filter(([names]) => forms.some((form) => names.has(form)))
    .flatMap(([, cue]) => cue.split("|"));
  const label = words.filter((word) => !labelless.has(stem(word)) || words.length === 1).join("[\\s_-]?");
  return label === "" ? cues : [`${label}(?:\\s*[:=]|\\s+(?:is|of|to|as)(?!\\p{L}))?`, ...cues];
}

/** The cues that end another value: all except prepositions, which occur within any text. */
export function clearCuesOf(parameter: Parameter): string[] {
  return cuesOf(parameter).filter((cue) => !prepositions.has(cue));
}

const searching = stems("query question search keyword term word prompt topic filter q");

/** Whether a parameter is what a tool searches for, so that a whole request may be its value. */
export function isSearch(parameter: Parameter): boolean {
  return identifierWords(parameter.name).some((word) => searching.has(stem(word)));
}

/** Words before a number that make it a limit. */
const limits: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [
    stems("max maximum most below until"),
    /\b(?:under|below|less than|at most|up to|no more than|not more than|cheaper than|maximum(?: of)?|max|within)\s*[$€£]?$/iu,
  ],
  [
    stems("min minimum least above"),
    /\b(?:over|above|more than|at least|no less than|not less than|minimum(?: of)?|min|from)\s*[$€£]?$/iu,
  ],
];

/** The words that must stand before a number that is the value of a limit (`maxPrice`); `undefined` if the parameter is none. */
export function limitCue(parameter: Parameter): RegExp | undefined {
  const forms = identifierWords(parameter.name).map(stem);
  return limits.find(([names]) => forms.some((form) => names.has(form)))?.[1];
}
