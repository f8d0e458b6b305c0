import { isEmptyWord, isWeakStem, stem } from "./vocabulary.ts";

/** The kind of a value in a text. */
export type TextValueKind =
  | "quoted"
  | "email"
  | "url"
  /** The path of a file, such as `/tmp` or `src/index.ts`. */
  | "path"
  | "date"
  /** A day that depends on today: "tomorrow", "next Friday". The rules do not know the current date. */
  | "relative-date"
  | "time"
  | "number"
  /** Letters and digits mixed, such as `SKU-42`. */
  | "code"
  /** Words joined by hyphens or underscores, such as `cancel-a-paid-plan`. */
  | "slug"
  /** Capitalized words. */
  | "name";

/** A value in a text, and its position. */
export interface TextValue {
  readonly kind: TextValueKind;
  /** A number for `"number"`; a date as `YYYY-MM-DD` with the time if there is one; a time as `HH:MM`. */
  readonly value: string | number;
  readonly start: number;
  readonly end: number;
  /** The stem of a number's unit ("minut", "dollar", "percent"). */
  readonly unit?: string;
}

/**
 * All values in a text, in order, without overlaps.
 * @param isOrdinary - Whether a stem is an ordinary word even if it is capitalized: "Email Ann" names Ann.
 */
export function extract(text: string, isOrdinary: (form: string) => boolean = () => false): TextValue[] {
  const values: TextValue[] = [];
  for (const scan of scanners) {
    for (const candidate of scan(text, isOrdinary)) {
      if (values.every((other) => candidate.end <= other.start || candidate.start >= other.end))
        values.push(candidate);
    }
  }
  return values.sort((a, b) => a.start - b.start);
}

type Scanner = (text: string, isOrdinary: (form: string) => boolean) => Iterable<TextValue>;

/** The scanners, in the order of precedence. */
const scanners: readonly Scanner[] = [
  quoted,
  (text) => matches(text, /\b(?:https?:\/\/|www\.)[^\s<>"']*[^\s<>"'.,;:!?)]/giu, "url"),
  (text) => matches(text, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, "email"),
  (text) =>
    matches(
      text,
      /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/gu,
      "date",
    ),
  writtenDates,
  (text) => matches(text, relativeDays, "relative-date"),
  times,
  (text) =>
    matches(
      text,
      /(?<![\w@./~])(?:[~.]{0,2}\/[\w.-]+(?:\/[\w.-]+)*|[\w-]{2,}(?:\/[\w-]+)*\.\p{Ll}[\p{Ll}\d]{0,4})(?<![.])(?![\w/])/gu,
      "path",
    ),
  (text) =>
    matches(text, /(?<![\w#])(?=[\w-]*\d)(?=[\w-]*\p{L})(?!\d+-?\p{Ll}+\b)[\p{L}\d][\w-]*\w/gu, "code"),
  (text) =>
    matches(text, /(?<![\p{L}\d_@./-])\p{Ll}+(?:(?:-\p{Ll}+){2,}|(?:_\p{Ll}+)+)(?![\p{L}\d_@/-])/gu, "slug"),
  digits,
  wordNumbers,
  names,
];

function* matches(text: string, pattern: RegExp, kind: TextValueKind): Iterable<TextValue> {
  for (const match of text.matchAll(pattern)) {
    yield { kind, value: match[0], start: match.index, end: match.index + match[0].length };
  }
}

function* quoted(text: string): Iterable<TextValue> {
  for (const match of text.matchAll(
    /"([^"]+)"|“([^”]+)”|«([^»]+)»|`([^`]+)`|(?<![\p{L}\d])'([^']+(?:'\p{L}[^']*)*)'(?!\p{L})/gu,
  )) {
    const value = match.slice(1).find((group) => group !== undefined) ?? "";
    yield { kind: "quoted", value: value.trim(), start: match.index, end: match.index + match[0].length };
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month},?\\s+(\\d{4})\\b`, "giu");
const monthFirst = new RegExp(`\\b${month}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, "giu");

const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const relativeDays = new RegExp(
  `\\b(?:the day after tomorrow|today|tonight|tomorrow|yesterday|(?:(?:next|this|last) )?${weekday}|(?:next|this|last) (?:week|weekend|month|year))\\b`,
  "giu",
);

/** "5 March 2026" and "March 5th, 2026". */
function* writtenDates(text: string): Iterable<TextValue> {
  for (const match of text.matchAll(dayFirst)) yield dated(match, match[1], match[2], match[3]);
  for (const match of text.matchAll(monthFirst)) yield dated(match, match[2], match[1], match[3]);
}

function dated(match: RegExpExecArray, day = "", monthName = "", year = ""): TextValue {
  const number = months.indexOf(monthName.toLowerCase().slice(0, 3)) + 1;
  const value = `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { kind: "date", value, start: match.index, end: match.index + match[0].length };
}

/** "10:30", "3 pm", "3:15pm", "noon". */
function* times(text: string): Iterable<TextValue> {
  const pattern = /\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b)?|\b(\d{1,2})\s*([ap])\.?m\b|\b(noon|midnight)\b/giu;
  for (const match of text.matchAll(pattern)) {
    const [, hours = match[4] ?? "0", minutes = "00", half = match[5], , , word] = match;
    const hour = word ? (word.toLowerCase() === "noon" ? 12 : 0) : toHour(Number(hours), half?.toLowerCase());
    if (hour > 23) continue;
    const value = `${String(hour).padStart(2, "0")}:${minutes}`;
    yield { kind: "time", value, start: match.index, end: match.index + match[0].length };
  }
}

function toHour(hour: number, half: string | undefined): number {
  if (half === "p") return hour < 12 ? hour + 12 : hour;
  return half === "a" && hour === 12 ? 0 : hour;
}

/** "2", "#2", "2nd", "-3.5", "minus 3", "1,000", "$20", "15%". */
function* digits(text: string): Iterable<TextValue> {
  const pattern =
    /([#$€£]\s?)?(?<![\w.])((?<![\d)]\s*|\p{L})-|(?<![\d)]\s*)minus\s+)?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:(st|nd|rd|th)\b)?(\s?%)?/giu;
  for (const match of text.matchAll(pattern)) {
    const [whole, mark, minus = "", number = "", , percent] = match;
    const end = match.index + whole.length;
    const unit = percent ? "percent" : (currencies[mark?.trim() ?? ""] ?? unitAfter(text, end));
    const value = Number((minus && "-") + number.replaceAll(",", ""));
    yield { kind: "number", value, start: match.index, end, ...(unit !== undefined && { unit }) };
  }
}

const currencies: Readonly<Record<string, string>> = { $: "dollar", "€": "euro", "£": "pound" };

const units: ReadonlySet<string> = new Set(
  "second minute hour day night week month year time dollar euro pound cent percent degree celsius fahrenheit person people km kilometer kilometre meter metre mile kg kilogram gram pound liter litre px cm mm m h min guest ticket page"
    .split(" ")
    .map(stem),
);

function unitAfter(text: string, end: number): string | undefined {
  const word = /^[\s-]?(\p{L}+)/u.exec(text.slice(end))?.[1]?.toLowerCase();
  return word !== undefined && units.has(stem(word)) ? stem(word) : undefined;
}

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
  " ",
);
const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1_000_000 };
const numberWord = [...small, ...tens, ...Object.keys(scales)].join("|");
const wordNumber = new RegExp(
  `\\b(?:(?:${numberWord})(?:(?:[\\s-]+|\\s+and\\s+)(?:${numberWord}))*|${ordinals.join("|")})\\b`,
  "giu",
);

/** "two", "twenty-five", "three hundred", "second". "One" that refers to a thing ("this one") is not a number. */
function* wordNumbers(text: string): Iterable<TextValue> {
  for (const match of text.matchAll(wordNumber)) {
    const phrase = match[0].toLowerCase();
    const before = /(\p{L}+)\s+$/u.exec(text.slice(0, match.index))?.[1]?.toLowerCase() ?? "";
    const end = match.index + match[0].length;
    if (phrase === "one" && standsForThing(text.slice(0, match.index))) continue;
    if (ordinals.includes(phrase) && !countsPlace(before, text.slice(end))) continue;
    const listed = joinedNumbers(match[0], match.index);
    for (const number of listed) {
      const unit = number.end === end ? unitAfter(text, end) : undefined;
      yield { ...number, ...(unit !== undefined && { unit }) };
    }
  }
}

/** "This one", "the big one". */
function standsForThing(textBefore: string): boolean {
  return /\b(?:the|this|that|which|an?|my|your|each|every|another|any|no|last)\s+(?:\p{L}+\s+){0,2}$/iu.test(
    textBefore,
  );
}

/** Whether an ordinal is a position, unlike in "First, ..." and "a second". */
function countsPlace(before: string, after: string): boolean {
  return before !== "a" && before !== "one" && !/^\s*(?:,|of all\b)/u.test(after);
}

/** Reads a run of number words; "two and three" are two numbers, "two hundred and three" is one. */
function joinedNumbers(phrase: string, offset: number): TextValue[] {
  const numbers: { start: number; end: number; total: number; current: number; last: number }[] = [];
  for (const match of phrase.matchAll(/\p{L}+/gu)) {
    const word = match[0].toLowerCase();
    if (word === "and") continue;
    const value = valueOf(word);
    const open = numbers.at(-1);
    const start = match.index;
    const end = start + word.length;
    const scale = scales[word];
    if (open && scale !== undefined) {
      open.current = Math.max(open.current, 1) * scale;
      if (scale >= 1000) [open.total, open.current] = [open.total + open.current, 0];
      [open.end, open.last] = [end, scale];
    } else if (
      open &&
      value < open.last &&
      (open.last >= 100 || (open.last >= 20 && value > 0 && value < 10))
    ) {
      open.current += value;
      [open.end, open.last] = [end, value];
    } else {
      numbers.push({ start, end, total: 0, current: value, last: value });
    }
  }
  return numbers.map(({ start, end, total, current }) => ({
    kind: "number",
    value: total + current,
    start: offset + start,
    end: offset + end,
  }));
}

function valueOf(word: string): number {
  const ordinal = ordinals.indexOf(word);
  if (ordinal >= 0) return ordinal + 1;
  const ten = tens.indexOf(word);
  return ten >= 0 ? (ten + 2) * 10 : (scales[word] ?? small.indexOf(word));
}

const nameRun =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d'’.-]*(?:\s+(?:(?:of|de|da|del|la|le|van|von|der)\s+)?\p{Lu}[\p{L}\d'’.-]*)*/gu;

/** Capitalized words, without ordinary words at the start: "Is Paris warm?" names Paris. */
function* names(text: string, isOrdinary: (form: string) => boolean): Iterable<TextValue> {
  if (!/\p{Ll}/u.test(text)) return;
  for (const match of text.matchAll(nameRun)) {
    let run = match[0].replace(/(?:['’]s|[.'’-]+)$/u, "");
    let start = match.index;
    const startsSentence = /(?:^|[.!?:;\n]["'“(]?)$/u.test(text.slice(0, start).trimEnd());
    for (let first = firstWord(run); isSkipped(first, startsSentence, isOrdinary); first = firstWord(run)) {
      const rest = run.slice(first.length).trimStart();
      start += run.length - rest.length;
      run = rest;
    }
    if (run.length > 0) yield { kind: "name", value: run, start, end: start + run.length };
  }
}

function firstWord(run: string): string {
  return /^\S+/u.exec(run)?.[0] ?? "";
}

function isSkipped(word: string, startsSentence: boolean, isOrdinary: (form: string) => boolean): boolean {
  if (word === "") return false;
  const plain = word.toLowerCase().replaceAll(/['’]/gu, "");
  if (plain === "i" || isEmptyWord(plain)) return true;
  return startsSentence && (isWeakStem(stem(plain)) || isOrdinary(stem(plain)));
}
