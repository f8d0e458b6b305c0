/**
 * The rules' knowledge of English: word forms, words without meaning of their own, and synonyms.
 * It is general, and not specific to any tool or sentence.
 */

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Words that never distinguish tools: function words and small talk. */
const emptyWords = `
  a an the this that these those it its i me my mine myself you your yours we us our he him his she her they them their
  who whom whose which what where when why how am is are was were be been being do does did doing have has had having
  can could will would shall should may might must let lets and or but if then than so as at by for from in into of off on
  onto out over to up with without within about after before again against between through during under not no nor yes yeah
  ok okay please kindly thank thanks hello hi hey dear bye goodbye sorry just only also too very really quite much many more
  most some any all each every both either other another there here now today ever never always maybe perhaps like want wish
  need would'd id ill ive im dont doesnt didnt isnt wasnt cant couldnt wouldnt wont youre theyre whats thats got get gets
  getting go going gone would possible able one ones anything something everything nothing anyone someone because since while
  such own same way per via instead rather else
`;

/** Words that help to rank tools, but are not evidence on their own: tools of all kinds have them. */
const weakWords = `
  show tell give take find make create add new set see look know current number value data information info name id
  list display use using call called text string input output result content detail type kind option customer user
  person people agent conversation first last next given change update edit delete remove arrange plan book done
`;

/** Groups of words with similar meanings in a request. They are not specific to any domain or tool. */
const groups = `
  refund reimburse repay return
  buy order purchase sell sale
  discount voucher coupon rebate cheaper reduction
  broken damaged defective faulty torn ripped cracked
  complaint complain unhappy dissatisfied
  item article product thing
  price cost sell sale
  expense spend spending expenditure
  list show display catalogue catalog browse
  search lookup
  delete remove erase cancel
  create make arrange schedule book plan
  change update edit modify rename
  calendar meeting appointment event agenda
  email mail
  message text
  weather forecast temperature rain rainy snow snowy sunny warm cold hot humid windy
  add sum plus addition
  record log enter add
  subtract minus difference subtraction
  multiply product multiplication
  divide division quotient
  root sqrt
  power exponent
  translate translation
  currency exchange convert conversion
  remind reminder
  support help assistance
  shipping delivery ship deliver parcel package
  invoice bill
  employee staff colleague
  flight fly
  car vehicle
  doctor physician
  film movie
  photo picture image
`;

/** Phrases and symbols that are replaced by a single word. */
const phrases: readonly (readonly [RegExp, string])[] = [
  // The hyphens of a date subtract nothing.
  [/\b\d{4}-\d{2}-\d{2}(?:[tT][\d:.]*)?/gu, " "],
  [/\b(?:(?:my|our|the)\s+)?(?:money|cash)\s+back\b/giu, "refund"],
  [
    /\b(?:give|gave|send|sent|take|took|bring|brought|pay|paid|ship)(?:\s+[\w#]+){0,3}?\s+back\b/giu,
    "return",
  ],
  [/\be-mail/giu, "email"],
  [/(?:%|\bpercent)\s+(?:off|less|cheaper)\b/giu, " discount"],
  [/\blook(?:ing)?\s+(?:for|up)\b/giu, "search"],
  [/\b(?:do|have)\s+you\s+(?:have|got|sell|stock|carry|offer)\b/giu, "sell"],
  [/\bi(?:ll| will)\s+(?:take|have)\b/giu, "buy"],
  [/\bhow\s+(?:much|expensive)\b/giu, "price"],
  [/(?<=[\d)]\s*)\+(?=\s*[\d(-])/gu, " plus "],
  [/(?<=[\d)]\s*)[-−–](?=\s*[\d(])/gu, " minus "],
  [/(?<=[\d)]\s*)(?:[*×x·]|times)(?=\s*[\d(-])/gu, " multiply "],
  [/(?<=[\d)]\s*)[/÷](?=\s*[\d(-])/gu, " divide "],
];

const irregularForms: ReadonlyMap<string, string> = new Map([
  ["bought", "buy"],
  ["sold", "sell"],
  ["sent", "send"],
  ["paid", "pay"],
  ["gave", "give"],
  ["took", "take"],
  ["made", "make"],
  ["found", "find"],
  ["spent", "spend"],
  ["met", "meet"],
]);

const irregularPlurals: ReadonlyMap<string, string> = new Map([
  ["children", "child"],
  ["people", "person"],
  ["men", "man"],
  ["women", "woman"],
  ["mice", "mouse"],
  ["geese", "goose"],
  ["feet", "foot"],
  ["teeth", "tooth"],
  ["scarves", "scarf"],
  ["shelves", "shelf"],
  ["knives", "knife"],
  ["wolves", "wolf"],
  ["loaves", "loaf"],
  ["halves", "half"],
]);

/** The words of a sentence in lower case, without apostrophes, and with single words for phrases and symbols. */
export function sentenceWords(text: string): string[] {
  let plain = text.toLowerCase().replaceAll(/['’]/gu, "");
  for (const [pattern, word] of phrases) plain = plain.replaceAll(pattern, word);
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of an identifier such as `getHTTPStatus`, `transfer_to_sales` or `item-id`, in lower case. */
export function identifierWords(name: string): string[] {
  const spaced = name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replaceAll(/(\p{L})(\p{N})/gu, "$1 $2");
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Reduces a word to its stem, the same for "orders", "ordered" and "ordering". */
export function stem(word: string): string {
  const form = irregularForms.get(word) ?? irregularPlurals.get(word) ?? word;
  return (form.length > 3 ? withoutEnding(singular(form)) : form).replace(/ie?$|y$/u, "i");
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/u.test(word)) return word.slice(0, -2);
  return /[^su]s$/u.test(word) && word !== "news" ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  return word
    .replace(/ied$/u, "y")
    .replace(/(?<=[aeiouy].*[^e])(?:ing|ed)$/u, "")
    .replace(/(?<=.{5})ment$/u, "")
    .replace(/(?<=.{4}[st])ion$/u, "")
    .replace(/(?<=.{3})e$/u, "")
    .replace(/([bdfgklmnprst])\1$/u, "$1");
}

/** The lookup tables, created at first use, not on import. */
interface Lexicon {
  readonly empty: ReadonlySet<string>;
  readonly weak: ReadonlySet<string>;
  /** By stem: its groups. A group has all stems of a line. */
  readonly groups: ReadonlyMap<string, readonly (readonly string[])[]>;
}

let lexicon: Lexicon | undefined;

function lookup(): Lexicon {
  lexicon ??= {
    empty: new Set(words(emptyWords)),
    weak: new Set(words(weakWords).map(stem)),
    groups: readGroups(),
  };
  return lexicon;
}

function readGroups(): Map<string, string[][]> {
  const byStem = new Map<string, string[][]>();
  for (const line of groups.trim().split("\n")) {
    const group = words(line).map(stem);
    for (const form of group) byStem.set(form, [...(byStem.get(form) ?? []), group]);
  }
  return byStem;
}

function groupsOf(form: string): readonly (readonly string[])[] {
  return lookup().groups.get(form) ?? [];
}

/** Whether a word (not a stem) says nothing about a request. */
export function isEmptyWord(word: string): boolean {
  return lookup().empty.has(word);
}

/** Whether a stem is too common among tools to be evidence on its own. */
export function isWeakStem(form: string): boolean {
  return lookup().weak.has(form);
}

/** Stems with a similar meaning, including the stem itself. */
export function synonymsOf(form: string): readonly string[] {
  return [form, ...groupsOf(form).flat()];
}

/** The ideas of a stem, which its synonyms share. An idea with a weak stem is weak. */
export function ideasOf(form: string): readonly Idea[] {
  return groupsOf(form).map((group) => ({ name: `@${group[0]}`, isWeak: group.some(isWeakStem) }));
}

/** Whether a term is the name of an idea. */
export function isIdea(term: string): boolean {
  return term.startsWith("@");
}

/** The common meaning of a group of words. */
export interface Idea {
  /** Starts with `@`, unlike any stem. */
  readonly name: string;
  readonly isWeak: boolean;
}

/** Whether a word is a past form. */
export function isPast(word: string): boolean {
  return irregularForms.has(word) || /[^e]ed$/u.test(word);
}

/** The significant stems, in order, without repetition. */
export function contentStems(wordList: readonly string[]): string[] {
  return [...new Set(wordList.filter((word) => !isEmptyWord(word)).map(stem))];
}
