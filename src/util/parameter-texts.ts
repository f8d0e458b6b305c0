import { readList, skipSpace } from "./javascript-text.ts";

/**
 * The parameters of a function as its source (`toString()`) writes them: `["city", "days = 3"]`. `undefined` where the
 * source has no parameter list that can be read.
 */
export function parameterTexts(text: string): readonly string[] | undefined {
  const single = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)\s*=>/u.exec(text);
  if (single !== null) return [single[1] ?? ""];
  let at = skipSpace(text, 0);
  // A method's key may be computed or quoted, and hold any character.
  for (; at < text.length && text[at] !== "("; at = skipSpace(text, at)) {
    const character = text[at] ?? "";
    if (character === "[") at = readList(text, at)?.end ?? text.length;
    else if (character === '"' || character === "'") at = text.indexOf(character, at + 1) + 1 || text.length;
    else at += 1;
  }
  return readList(text, at)?.items;
}

/**
 * The names of a function's parameters; an empty one for a parameter that is destructured. None for functions whose
 * source is not to be had: native and bound ones.
 */
export function parameterNames(fn: (...args: never[]) => unknown): readonly string[] {
  const texts = parameterTexts(Function.prototype.toString.call(fn)) ?? [];
  return texts.map((text) => /^(?:\.\.\.)?([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(text)?.[1] ?? "");
}
