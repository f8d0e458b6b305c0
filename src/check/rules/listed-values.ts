/** What makes a list of one: it says that there are no other values. */
const introduction =
  /\b(?:one of|either|must be|can be|(?:(?:allowed|possible|valid|permitted|accepted|supported) )?values)\b/i;
/** The same before words without quotes, which "either" may have for kinds of text: either an email or a phone number. */
const strictIntroduction =
  /\b(?:one of:?|(?:allowed|possible|valid|permitted|accepted|supported) values(?: are)?:?|values:)\s+/i;
/** What comes before examples, and before what must not be there. */
const otherUse =
  /\b(?:such as|e\.g|for (?:example|instance)|examples?|like|as in|includ\w+|without|except|not|contain\w*|pattern|regex\w*|regular|expression|query|syntax)\b/i;

const quoted = /(["'`])([\w .-]{1,40})\1/g;
const word = "[A-Za-z0-9][\\w-]{0,39}";
const quotedText = "(?:\"[\\w .-]{1,40}\"|'[\\w .-]{1,40}'|`[\\w .-]{1,40}`)";
/** `open, closed or pending`, up to the end of a sentence. */
const words = new RegExp(`^${word}(?:(?:, ?(?:or |and )?| or | and )${word})+(?=\\s*(?:[.;)\\n]|$))`, "i");
/** `"open", "closed" or "pending"`, where a description or a part of it begins. */
const alternatives = new RegExp(
  `(?:^|[:(\\u2013-]\\s*)(${quotedText}(?:, ?${quotedText})*,? or ${quotedText})`,
  "i",
);
/** `open | closed`. */
const piped = new RegExp(
  `(?:^|[\\s:(])((?:${word}|${quotedText})(?:\\s*\\|\\s*(?:${word}|${quotedText}))+)(?=[\\s).,;]|$)`,
);
const typeNames = new Set("string number integer boolean null undefined any unknown object array".split(" "));

/**
 * The values of a text, where its description lists them: `One of "asc" and "desc"`, `One of: asc, desc`, `"asc" or "desc"`,
 * `asc | desc`. Empty where it does not, and where they are examples.
 */
export function listedValues(description: string): readonly string[] {
  const start = introduction.exec(description);
  if (start) {
    const values = quotedValues(description.slice(start.index + start[0].length));
    if (values.length > 1) return values;
  }
  return unlessOther(
    introducedWords(description) ?? match(alternatives, description) ?? match(piped, description),
  );
}

interface Listed {
  readonly before: string;
  readonly list: string;
}

function introducedWords(description: string): Listed | undefined {
  const start = strictIntroduction.exec(description);
  if (!start) return undefined;
  const end = start.index + start[0].length;
  const [list] = words.exec(description.slice(end)) ?? [];
  return list === undefined ? undefined : { before: description.slice(0, start.index), list };
}

function match(expression: RegExp, description: string): Listed | undefined {
  const position = expression.exec(description);
  const list = position?.[1];
  return position && list !== undefined ? { before: description.slice(0, position.index), list } : undefined;
}

function unlessOther(listed: Listed | undefined): readonly string[] {
  if (!listed || otherUse.test(listed.before)) return [];
  const inQuotes = quotedValues(listed.list);
  const values =
    inQuotes.length > 0
      ? inQuotes
      : listed.list.split(/\s*\|\s*|,\s*(?:or |and )?| or | and /).filter(Boolean);
  const isOpen = values.some((value) => typeNames.has(value) || value === "etc");
  return isOpen ? [] : [...new Set(values)];
}

function quotedValues(text: string): readonly string[] {
  return [...text.matchAll(quoted)].map(([, , value = ""]) => value);
}
