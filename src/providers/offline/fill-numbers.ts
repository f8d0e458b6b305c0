import type { TextValue } from "./extract.ts";
import { describedBy, isIdentifier, isQuantity, labelsOf, limitCue } from "./parameter-sense.ts";
import type { Parameter } from "./parameters.ts";
import { announcementOf, nearness, type Draft, type QueryReading, unused, use } from "./reading.ts";
import { requestVerb } from "./query.ts";
import { identifierWords, isEmptyWord, stem, synonymsOf } from "./vocabulary.ts";

/** Assigns numbers to parameters: first to those whose label is near ("item 2"), then in order to the required ones. */
export function fillNumbers(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const numeric = parameters.filter(({ type }) => type === "number" || type === "integer");
  if (numeric.length === 0) return;
  const offers = numeric.flatMap((parameter) =>
    numbers(parameter, reading).map((match) => ({
      parameter,
      match,
      score: score(parameter, match, reading),
    })),
  );
  for (const { parameter, match, score } of offers.sort((a, b) => b.score - a.score)) {
    if (score > 0 && !draft.values.has(parameter.name) && !reading.used.has(match))
      assign(parameter, match, reading, draft);
  }
  const open = numeric.filter(({ name, required }) => required && !draft.values.has(name));
  for (const [index, match] of inOrder(open, reading).entries()) {
    const parameter = open[index];
    if (parameter) assign(parameter, match, reading, draft);
  }
}

function assign(parameter: Parameter, match: TextValue, reading: QueryReading, draft: Draft): void {
  draft.values.set(parameter.name, match.value);
  draft.sources.set(parameter.name, match);
  use(reading, match, announcementOf(match, reading));
  const unit = match.unit === undefined ? null : /^[\s-]*\p{L}+/u.exec(reading.text.slice(match.end));
  if (unit) reading.usedSpans.push({ start: match.end, end: match.end + unit[0].length });
}

/** The numbers that a parameter accepts. */
function numbers(parameter: Parameter, reading: QueryReading): TextValue[] {
  const cue = limitCue(parameter);
  return unused(reading).filter(
    ({ kind, value, unit, start }) =>
      kind === "number" &&
      (cue === undefined || cue.test(reading.text.slice(0, start))) &&
      !(isIdentifier(parameter) && isOtherThing(parameter, start, reading)) &&
      // The tool must refuse an invalid count ("1.5 of item 2"): otherwise another number would become the count.
      (parameter.type !== "integer" || Number.isInteger(value) || isQuantity(parameter)) &&
      (unit === undefined || fitsUnit(parameter, unit)),
  );
}

/** Whether the number belongs to a thing of the tool that is not the parameter's: "I paid for order 1" has no product's number. */
function isOtherThing(parameter: Parameter, start: number, reading: QueryReading): boolean {
  const before = /(\p{L}+)\s+(?:(?:number|no\.?|id)\s*(?:is\s+)?)?#?$/iu.exec(reading.text.slice(0, start));
  const word = before?.[1]?.toLowerCase() ?? "";
  if (before === null || isEmptyWord(word) || word === "number") return false;
  const form = stem(word);
  const isVerb = before.index === 0 || requestVerb(reading.text)[0] === form;
  const related = [...labelsOf(parameter)].flatMap(synonymsOf);
  return !isVerb && reading.toolStems.has(form) && !related.includes(form);
}

const stems = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(stem));
const currencies = stems("dollar euro pound cent");
const durations = stems("second minute min hour h day week month year");
const moneyWords = stems("amount price cost total budget money fee salary");

/** Whether a unit fits the parameter: "30 minutes" does not fit `hours`, and "3 weeks" does not fit `itemId`. */
function fitsUnit(parameter: Parameter, unit: string): boolean {
  if (isIdentifier(parameter)) return false;
  const about = [...identifierWords(parameter.name).map(stem), ...describedBy(parameter)];
  if (about.includes(unit)) return true;
  if (currencies.has(unit)) return about.some((form) => moneyWords.has(form)) || !isQuantity(parameter);
  return !(durations.has(unit) && about.some((form) => durations.has(form)));
}

function score(parameter: Parameter, match: TextValue, reading: QueryReading): number {
  if (limitCue(parameter)) return 1;
  const labels = labelsOf(parameter);
  const near = nearness(reading, match, labels);
  if (near > 0.3) return near;
  if (match.unit !== undefined && describedBy(parameter).includes(match.unit)) return 0.8;
  const related = new Set([...labels].flatMap(synonymsOf));
  if (parameter.required && nearness(reading, match, related) > 0.4) return 0.4;
  const counts = /^\s*(?:of|x|×|pieces?|copies|times)(?!\p{L})/iu.test(reading.text.slice(match.end));
  return isQuantity(parameter) && (counts || countsThings(match, reading)) ? 0.7 : 0;
}

/** Whether a number counts things: "2 jackets" is a count, not an identifier. */
function countsThings({ end }: TextValue, reading: QueryReading): boolean {
  const next = /^\s+(?:\p{L}+\s+(?!of\b))?(\p{L}+)/u.exec(reading.text.slice(end))?.[1]?.toLowerCase() ?? "";
  return /[^su]s$/u.test(next) && !isEmptyWord(next);
}

/** The remaining numbers for the open required parameters. "take 3 from 10" names the second operand first. */
function inOrder(open: readonly Parameter[], reading: QueryReading): TextValue[] {
  const [first] = open;
  if (!first) return [];
  const left = numbers(first, reading).filter(
    (match) => !isIdentifier(first) || !countsThings(match, reading),
  );
  const [one, two] = left;
  if (open.length !== 2 || !one || !two) return left;
  const isReversed =
    /\bfrom\b/iu.test(reading.text.slice(one.end, two.start)) &&
    !/\bto\b/iu.test(reading.text.slice(two.end));
  return isReversed ? [two, one] : left;
}
