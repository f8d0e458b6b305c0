/** A piece of a name: words, with a number behind them. A piece of a key has digits and capitals anywhere, or is longer than a word. */
const piece = /^(?:(?:[a-z]{1,19}|[A-Z][a-z]{2,18})(?:[A-Z][a-z]{2,18})*|[A-Z]{1,12}|[Xx]+)?\d{0,4}$/;

/** Whether a text has nothing but words, as names have them, and what `between` matches. */
export function isWords(text: string, between: RegExp): boolean {
  return text.split(between).every((each) => piece.test(each));
}
