import type { Insertion } from "../plugin/edit.ts";

/** A stretch of an edited text that attaching has put there, on one line unless it is the last. */
export interface Stretch {
  /** In the edited text. */
  readonly start: number;
  readonly length: number;
}

/** The stretches of a text by their lines, in order: columns and lengths. */
export type Stretches = ReadonlyMap<number, readonly (readonly [column: number, length: number])[]>;

/** None at all. */
export const noStretches: Stretches = new Map();

/** Puts texts in, which are ordered by their places, and returns where they stand then. */
export function insertAll(
  code: string,
  insertions: readonly Insertion[],
): { readonly text: string; readonly stretches: readonly Stretch[] } {
  const pieces: string[] = [];
  const stretches: Stretch[] = [];
  let from = 0;
  let added = 0;
  for (const { at, text } of insertions) {
    pieces.push(code.slice(from, at), text);
    stretches.push({ start: at + added, length: text.length });
    from = at;
    added += text.length;
  }
  return { text: [...pieces, code.slice(from)].join(""), stretches };
}

/** The text without its stretches, up to the last one. */
export function removeAll(text: string, stretches: readonly Stretch[]): string {
  let from = 0;
  const pieces: string[] = [];
  for (const { start, length } of stretches) {
    pieces.push(text.slice(from, start));
    from = start + length;
  }
  return pieces.join("");
}

/** Sorts the stretches of an edited text by lines, as TypeScript and other compilers count them. */
export function stretchesByLine(text: string, stretches: readonly Stretch[]): Stretches {
  const starts = [
    0,
    ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length),
  ];
  const byLine = new Map<number, [number, number][]>();
  let line = 0;
  for (const { start, length } of stretches) {
    while ((starts[line + 1] ?? Infinity) <= start) line += 1;
    const column = start - (starts[line] ?? 0);
    const others = byLine.get(line);
    if (others === undefined) byLine.set(line, [[column, length]]);
    else others.push([column, length]);
  }
  return byLine;
}

/** Where a column is once the stretches are put in. */
export function moveColumn(stretches: Stretches, line: number, column: number): number {
  let moved = column;
  for (const [start, length] of stretches.get(line) ?? []) if (start <= moved) moved += length;
  return moved;
}

/** Where a column of the edited text was before. */
export function returnColumn(stretches: Stretches, line: number, column: number): number {
  let removed = 0;
  for (const [start, length] of stretches.get(line) ?? []) if (start + length <= column) removed += length;
  return column - removed;
}
