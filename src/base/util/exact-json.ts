/** A text of JSON that may have a number that JavaScript cannot hold: integers from 2^53 on have 16 digits. */
const mayHaveHuge = /\d{16}|[\d.]{19}|\d[eE][+-]?\d{3}/;

/** Below it, doubles have fewer digits, and in the end none. */
const smallestNormal = 2 ** -1022;

/** As many digits as any double needs, and as programs write of each (`%.17g`). */
const digitsOfDouble = 17;

/** What JSON has outside of its texts: numbers; and where a text begins. */
const numberOrQuote = /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * As `JSON.parse`, but numbers that it would change are texts with their digits: integers beyond 2^53 - 1, such as ids, decimals of
 * more digits than a double has, and what is too large or too small for one. `-0` is 0.
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
  if (!Number.isFinite(number)) return true;
  if (Number.isInteger(number) && /^-?\d+(?:\.0+)?$/.test(token)) return !Number.isSafeInteger(number);
  const digits = significantDigits(token);
  const isCertain = digits.length <= digitsOfDouble && Math.abs(number) >= smallestNormal;
  return !isCertain && digits !== significantDigits(String(number));
}

/** The digits without the zeros around them. No pattern for these: it would take quadratic time. */
function significantDigits(token: string): string {
  const [mantissa = ""] = token.split(/e/i, 1);
  const digits = mantissa.replaceAll(/[-.]/g, "");
  let start = 0;
  let end = digits.length;
  while (digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return digits.slice(start, end);
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
