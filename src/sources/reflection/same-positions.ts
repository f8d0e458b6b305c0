import type { LinePosition } from "../compiler/index.ts";

/**
 * Whether a running text has the code of a source in the same places, up to a position: a character is the source's own or
 * took the place of a type.
 */
export function keepsPositions(text: string, source: string, { line, column }: LinePosition): boolean {
  const running = text.split("\n").slice(0, line + 1);
  const sourceLines = source.split("\n").slice(0, line + 1);
  if (running.length !== line + 1 || sourceLines.length !== line + 1) return false;
  return running.every((each, index) =>
    keepsColumns(each, sourceLines[index] ?? "", index < line ? Infinity : column),
  );
}

function keepsColumns(text: string, source: string, end: number): boolean {
  if (end < Infinity && (text.length <= end || text[end] !== source[end])) return false;
  return text
    .slice(0, end)
    .split("")
    .every((character, at) => character === source[at] || isInsteadOfType(character));
}

/** Where a type ends a statement or stands between brackets, more than spaces is needed. */
function isInsteadOfType(character: string): boolean {
  return /[\s;,()=>]/.test(character);
}
