import type { Found } from "./extract.ts";
import { describedBy, isIdentifier, isQuantity, labelsOf } from "./parameter-sense.ts";
import type { Parameter } from "./parameters.ts";
import { nearness, type Draft, type QueryReading, unused, use } from "./reading.ts";
import { identifierWords, isEmptyWord, stem, synonymsOf } from "./vocabulary.ts";

/** Gives numbers to parameters: first where a label stands near ("item 2"), then in order to what is required. */
export function fillNumbers(parameters: readonly Parameter[], reading: QueryReading, draft: Draft): void {
  const numeric = parameters.filter(({ type }) => type === "number" || type === "integer");
  if (numeric.length === 0) return;
  const offers = numeric.flatMap((parameter) =>
    numbers(parameter, reading).map((found) => ({
      parameter,
      found,
      score: score(parameter, found, reading),
    })),
  );
  for (const { parameter, found, score } of offers.sort((a, b) => b.score - a.score)) {
    if (score > 0 && !draft.values.has(parameter.name) && !reading.used.has(found))
      take(parameter, found, reading, draft);
  }
  const open = numeric.filter(({ name, required }) => required && !draft.values.has(name));
  for (const [index, found] of inOrder(open, reading).entries()) {
    const parameter = open[index];
    if (parameter) take(parameter, found, reading, draft);
  }
}

function take(parameter: Parameter, found: Found, reading: QueryReading, draft: Draft): void {
  draft.values.set(parameter.name, found.value);
  draft.sources.set(parameter.name, found);
  use(reading, found);
}

/** The numbers that a parameter may take. */
function numbers(parameter: Parameter, reading: QueryReading): Found[] {
  return unused(reading).filter(
    ({ kind, value, unit }) =>
      kind === "number" &&
      // A count that is none ("1.5 of item 2") is for the tool to refuse: without it, another would be taken.
      (parameter.type !== "integer" || Number.isInteger(value) || isQuantity(parameter)) &&
      (unit === undefined || fitsUnit(parameter, unit)),
  );
}

const stems = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(stem));
const currencies = stems("dollar euro pound cent");
const durations = stems("second minute min hour h day week month year");
const moneyWords = stems("amount price cost total budget money fee salary");

/** A unit must not contradict the parameter: "30 minutes" are no `hours`, and "3 weeks" no `itemId`. */
function fitsUnit(parameter: Parameter, unit: string): boolean {
  if (isIdentifier(parameter)) return false;
  const about = [...identifierWords(parameter.name).map(stem), ...describedBy(parameter)];
  if (about.includes(unit)) return true;
  if (currencies.has(unit)) return about.some((form) => moneyWords.has(form)) || !isQuantity(parameter);
  return !(durations.has(unit) && about.some((form) => durations.has(form)));
}

function score(parameter: Parameter, found: Found, reading: QueryReading): number {
  const labels = labelsOf(parameter);
  const near = nearness(reading, found, labels);
  if (near > 0.3) return near;
  if (found.unit !== undefined && describedBy(parameter).includes(found.unit)) return 0.8;
  const related = new Set([...labels].flatMap(synonymsOf));
  if (parameter.required && nearness(reading, found, related) > 0.4) return 0.4;
  const counts = /^\s*(?:of|x|×|pieces?|copies|times)(?!\p{L})/iu.test(reading.text.slice(found.end));
  return isQuantity(parameter) && (counts || countsThings(found, reading)) ? 0.7 : 0;
}

/** "2 jackets" counts jackets, and does not say which. */
function countsThings({ end }: Found, reading: QueryReading): boolean {
  const next = /^\s+(?:\p{L}+\s+(?!of\b))?(\p{L}+)/u.exec(reading.text.slice(end))?.[1]?.toLowerCase() ?? "";
  return /[^su]s$/u.test(next) && !isEmptyWord(next);
}

/** What is left for the required parameters that are open; "take 3 from 10" names the second operand first. */
function inOrder(open: readonly Parameter[], reading: QueryReading): Found[] {
  const [first] = open;
  if (!first) return [];
  const left = numbers(first, reading).filter(
    (found) => !isIdentifier(first) || !countsThings(found, reading),
  );
  const [one, two] = left;
  if (open.length !== 2 || !one || !two) return left;
  const isReversed =
    /\bfrom\b/iu.test(reading.text.slice(one.end, two.start)) &&
    !/\bto\b/iu.test(reading.text.slice(two.end));
  return isReversed ? [two, one] : left;
}
