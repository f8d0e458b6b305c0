import type { Parameter } from "./parameters.ts";
import { identifierWords, isEmptyWord, sentenceWords, stem } from "./vocabulary.ts";

/** What sort of text a parameter takes, judged by its name and format. */
export type Sense = "date" | "time" | "email" | "recipient" | "url" | "path" | "code" | "text" | "name";

const stems = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(stem));

/** Parameter names that tell their sense, the first match wins. */
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
      "text message body content query question reason description note comment prompt expression formula equation topic title subject summary keyword term task todo detail sentence phrase input search instruction feedback review",
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

/** The sense of a parameter that takes text; `"name"` (a place, a person, a thing) where nothing says otherwise. */
export function senseOf(parameter: Parameter): Sense {
  const byFormat = formats.get(parameter.format ?? "");
  if (byFormat) return byFormat;
  // The last word of a name is its noun: `dueDate` is a date, `dateFormat` is none.
  const noun = stem(identifierWords(parameter.name).at(-1) ?? "");
  return senses.find(([, nouns]) => nouns.has(noun))?.[0] ?? "name";
}

const labelless = stems("id no number num index name value code");

/** Stems of the words that stand beside a parameter's value: "item" for `itemId`. */
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

/** Whether a parameter says how many or how much, and not which. */
export function isQuantity(parameter: Parameter): boolean {
  return identifierWords(parameter.name).some((word) => quantities.has(stem(word)));
}

/** Whether a parameter says which one: a number with a unit ("3 weeks") is none. */
export function isIdentifier(parameter: Parameter): boolean {
  const words = identifierWords(parameter.name);
  return words.some((word) => word === "id" || word === "index" || word === "number" || word === "no");
}

/** Words that stand before a value and tell what it is for, by stems of parameter names. */
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

/** Regular expressions of what announces a parameter's value in a text, the surest first. */
export function cuesOf(parameter: Parameter): string[] {
  const words = identifierWords(parameter.name);
  const forms = words.map(stem);
  const cues = cueWords
    .filter(([known]) => forms.some((form) => known.has(form)))
    .flatMap(([, cue]) => cue.split("|"));
  const label = words.filter((word) => !labelless.has(stem(word)) || words.length === 1).join("[\\s_-]?");
  return label === "" ? cues : [`${label}(?:\\s*[:=]|\\s+(?:is|of|to|as)(?!\\p{L}))?`, ...cues];
}

/** Those cues that end another value: not prepositions, which stand in the midst of any text. */
export function clearCuesOf(parameter: Parameter): string[] {
  return cuesOf(parameter).filter((cue) => !prepositions.has(cue));
}
