/** A bracketed list read from JavaScript text. */
export interface BracketedList {
  /** What stands between the commas of the list itself, without comments around it. */
  readonly items: readonly string[];
  /** The offset after the closing bracket. */
  readonly end: number;
}

/** Reads the list whose opening bracket stands at `start`; `undefined` if none stands there or it never closes. */
export function readList(text: string, start: number): BracketedList | undefined {
  if (!"([{".includes(text[start] ?? " ")) return undefined;
  const items: string[] = [];
  let depth = 0;
  let item = "";
  for (let at = start; at < text.length;) {
    const next = endOfToken(text, at);
    const token = text.slice(at, next);
    at = next;
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    if ("([{".includes(token)) depth += 1;
    if (")]}".includes(token)) depth -= 1;
    if (depth === 0 || (depth === 1 && token === ",")) {
      if (depth === 1 || item.trim() !== "") items.push(item.trim());
      item = "";
      if (depth === 0) return { items, end: at };
    } else if (!(depth === 1 && item === "" && "([{".includes(token) && at === start + 1)) {
      item += token;
    }
  }
  return undefined;
}

/** The offset of the next character that is neither space nor part of a comment. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at = endOfToken(text, at)) {
    const isComment = text.startsWith("//", at) || text.startsWith("/*", at);
    if (!isComment && /\S/.test(text[at] ?? "")) return at;
  }
  return at;
}

/** The end of what starts at `at`: a comment, a string, a template or a regular expression, else one character. */
function endOfToken(text: string, at: number): number {
  const character = text[at] ?? "";
  if (text.startsWith("//", at)) return endAfter(text, "\n", at);
  if (text.startsWith("/*", at)) return endAfter(text, "*/", at + 2);
  if (character === '"' || character === "'") return endOfQuoted(text, at, character);
  if (character === "`") return endOfTemplate(text, at);
  const startsExpression = character === "/" && /[=(,:[!&|?{};+\-*%~^<>]\s*$/.test(text.slice(0, at));
  return startsExpression ? endOfRegularExpression(text, at) : at + 1;
}

function endAfter(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index < 0 ? text.length : index + mark.length;
}

function endOfQuoted(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

function endOfTemplate(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") return at + 1;
    else if (text.startsWith("${", at)) at = (readList(text, at + 1)?.end ?? text.length) - 1;
  }
  return text.length;
}

function endOfRegularExpression(text: string, start: number): number {
  let isClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "[") isClass = true;
    else if (text[at] === "]") isClass = false;
    else if (text[at] === "/" && !isClass) return at + 1;
  }
  return text.length;
}
