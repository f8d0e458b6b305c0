import { isExact } from "./parse-json.ts";

const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether the text is a number in JSON's grammar. */
export function isJsonNumber(text: string): boolean {
  return jsonNumber.test(text);
}

/** Whether `number`, read from `text`, is what was written. A fraction may be rounded, as everywhere in JSON. */
export function keepsDigits(text: string, number: number): boolean {
  // What is closer to 0 than any number becomes 0.
  if (number === 0) return !/^[^eE]*[1-9]/.test(text);
  // A number that is finite has no more digits before its point; it also keeps hostile texts short.
  return isExact(number) || (text.length < 400 && digitsOf(text) === digitsOf(String(number)));
}

/**
 * The number that a text spells in JSON's grammar, if no digit is lost on the way; `undefined` for all else
 * (`"1,000"`, `"007"`, `""`, `"9007199254740993"`).
 */
export function numberFromText(text: string): number | undefined {
  // No number that survives has more digits; it also keeps hostile texts short.
  if (text.length > 40 || !jsonNumber.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && digitsOf(text) === digitsOf(String(number)) ? number : undefined;
}

/**
 * The text of a number, if it is sure to be the one that was written; `undefined` where digits may have been lost.
 * @param respelled - The numbers that were written in another way, as by `respelledNumbers`.
 */
export function textFromNumber(number: number, respelled: ReadonlySet<number>): string | undefined {
  if (respelled.has(number)) return undefined;
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? String(number) : undefined;
  const text = String(number);
  // Every decimal of 15 significant digits survives being a binary number; longer ones may not have.
  return Number.isFinite(number) && text.replace(/e.*$/, "").replace(/^-?0\.0*|\D/g, "").length <= 15
    ? text
    : undefined;
}

/**
 * The numbers in JSON, or almost-JSON, that JavaScript spells in another way: `1.10`, `1.0`, `1e3`, `+3`. As texts they would not
 * be what was written. Numbers within strings count too, since a string may hold JSON.
 */
export function respelledNumbers(json: string): ReadonlySet<number> {
  const respelled = new Set<number>();
  const spelled = /(?<=[\s:,[/])[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?=[\s,\]}])/g;
  for (const [text] of json.matchAll(spelled)) {
    if (String(Number(text)) !== text) respelled.add(Number(text));
  }
  return respelled;
}

/** A decimal number as its significant digits and exponent, so that `"1.50e1"` and `"15"` are the same. */
function digitsOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = jsonNumber.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
