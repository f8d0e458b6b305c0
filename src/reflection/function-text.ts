import type { FunctionShape } from "../compiler/index.ts";
import { readList } from "../util/javascript-text.ts";
import { parameterTexts } from "../util/parameter-texts.ts";

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
