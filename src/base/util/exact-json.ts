/** A text of JSON that may have a number that JavaScript cannot hold: integers from 2^53 on have 16 digits. */
const mayHaveHuge = /\d{16}|\d[eE]\+?\d{3}/;

/** What JSON has outside of its texts: numbers; and where a text begins. */
const numberOrQuote = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * As `JSON.parse`, but numbers that it would change are texts with their digits: integers beyond 2^53 - 1, such as ids, and what is too
 * large for a double.
 * @throws SyntaxError for what is not JSON.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayHaveHuge.test(text)) return value;
  const quoted = quoteHuge(text);
  return quoted === text ? value : JSON.parse(quoted);
}

function quoteHuge(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  numberOrQuote.lastIndex = 0;
  for (let match = numberOrQuote.exec(text); match; match = numberOrQuote.exec(text)) {
    const [token] = match;
    if (token === '"') numberOrQuote.lastIndex = endOfText(text, match.index);
    else if (isChanged(token)) {
      pieces.push(text.slice(from, match.index), `"${token}"`);
      from = match.index + token.length;
    }
  }
  return pieces.join("") + text.slice(from);
}

function isChanged(token: string): boolean {
  const number = Number(token);
  return /^-?\d+$/.test(token) ? !Number.isSafeInteger(number) : !Number.isFinite(number);
}

/** The place after the quote that ends the text which begins at `start`. No pattern: it would need a stack as long as the text. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}
