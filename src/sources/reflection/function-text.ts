import type { FunctionShape } from "../compiler/index.ts";
import { readList, skipSpace } from "./javascript-text.ts";

/** The shape of a function from its `name` and the text that `toString()` gives. */
export function shapeOf(name: string, text: string): FunctionShape {
  // Vite renames an anonymous default export.
  const plain = name.replace(/^(?:bound )+/, "").replace(/^__vite_ssr_export_default__$/, "default");
  const parameters = parameterTexts(text)?.map(parameterName);
  return parameters === undefined ? { name: plain } : { name: plain, parameters };
}

/** Whether the text is that of a class. */
export function isClassText(text: string): boolean {
  return /^class\b/.test(text);
}

/** Whether `text` runs where `source` was written: the same, but for types that are blanked out, and modifiers before. */
export function isStripped(source: string, text: string): boolean {
  const start = source.length - text.length;
  if (start < 0) return false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== source[start + at] && text[at] !== " ") return false;
  }
  return true;
}

/**
 * The parameters of a function as its source (`toString()`) writes them: `["city", "days = 3"]`. `undefined` where the
 * source has no parameter list that can be read.
 */
function parameterTexts(text: string): readonly string[] | undefined {
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

/** A parameter as `FunctionShape` writes it. */
function parameterName(parameter: string): string {
  const rest = parameter.startsWith("...") ? "..." : "";
  const text = parameter.slice(rest.length).trimStart();
  if (text.startsWith("[")) return `${rest}[]`;
  if (!text.startsWith("{")) return rest + (/^[^\s=/]+/.exec(text)?.[0] ?? "");
  const keys = (readList(text, 0)?.items ?? []).map((item) => {
    const spread = item.startsWith("...") ? "..." : "";
    const quoted = /^(["'])(.*?)\1/.exec(item);
    const key = quoted ? quoted[2] : /^[^\s:=/]+/.exec(item.slice(spread.length).trimStart())?.[0];
    return spread + (key?.startsWith("[") ? "" : (key ?? ""));
  });
  return `${rest}{${keys.join(",")}}`;
}
