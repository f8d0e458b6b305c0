import { isWords } from "./words.ts";

/** Words of which one is a placeholder, if there is nothing else but words. */
const placeholderWord =
  /(?:^|[^a-z])(?:your|my|change|changeme|changethis|replace|replaceme|insert|enter|set|add|put|example|placeholder|dummy|sample|redacted|hidden|todo|fixme|here|none|unset|undefined|required|optional|disabled|enabled)(?:[^a-z]|$)/i;

/** Nothing but words and what is between them. */
const wordsOnly =
  /^[\s_.:<>()[\]-]{0,3}[A-Za-z]{1,20}\d?(?:[\s_.:<>()[\]-]{1,3}[A-Za-z]{1,20}\d?)*[\s_.:<>()[\],;-]{0,3}$/;

/** What a secret is called. */
const secretWords: ReadonlySet<string> = new Set(
  "token tokens secret secrets password passwords passwd pass pwd key keys credential credentials".split(" "),
);

/** The words of a text, those in camel case one by one. */
const word = /[A-Z]?[a-z]+|[A-Z]+/g;

/** One character again and again, behind a beginning such as `sk-`. */
const blanked = /^(?:[A-Za-z\d]{1,8}[-_])*([xX*.•#_-])\1{2,}\d{0,4}$|^(.)\2+$/;

/** What stands for a value that is elsewhere: a variable, a command, a template, an address, a name in a vault. */
const reference =
  /^(?:\$[A-Za-z_\d({]|%\w+%$|<[^>]*>?$|\{|(?:[a-z][a-z\d+.-]*:\/\/)|(?:arn|vault|ssm|keyring|env|file):)|\$\{/i;

/** What stands between words. */
const between = /[\s_.:/+<>()[\]-]+/;

/** Whether a value stands in place of a secret: a placeholder, what refers to one, or what one is called. */
export function isStandIn(value: string): boolean {
  if (blanked.test(value) || reference.test(value)) return true;
  if (placeholderWord.test(value) && wordsOnly.test(value)) return true;
  const words = value.match(word) ?? [];
  return words.some((each) => secretWords.has(each.toLowerCase())) && isPlainWords(value.replace(/\d$/, ""));
}

/** Whether a value has words alone, as names of things have them: what is generated has a digit, or is longer than a word. */
export function isPlainWords(value: string): boolean {
  return !/\d/.test(value) && isWords(value, between);
}
