/** Where the lines of a file differ from what a loader of this process has made of it: the first column, by lines. */
type ChangedLines = ReadonlyMap<number, number>;

/** By files; shared by all copies of the package. */
function changedFiles(): Map<string, ChangedLines> {
  const key = Symbol.for("skein.attached-lines");
  const shared: Record<symbol, Map<string, ChangedLines> | undefined> = Object(globalThis);
  return (shared[key] ??= new Map());
}

/** Notes what a loader has made of a file, in which no line moves. */
export function noteAttachedLines(file: string, before: string, after: string): void {
  const lines = before.split("\n");
  const changed = after.split("\n").flatMap((line, index): readonly (readonly [number, number])[] => {
    const column = firstDifference(lines[index] ?? "", line);
    return column === undefined ? [] : [[index, column]];
  });
  changedFiles().set(file, new Map(changed));
}

/**
 * Whether a place in what a loader has made of a file may be another one in the file: something in front of it was put into its line. Loaders
 * behind it map what they make to its text, under the file's name.
 */
export function isMoved(
  file: string,
  { line, column }: { readonly line: number; readonly column: number },
): boolean {
  const from = changedFiles().get(file)?.get(line);
  return from !== undefined && column > from;
}

function firstDifference(one: string, other: string): number | undefined {
  if (one === other) return undefined;
  let column = 0;
  while (column < one.length && one[column] === other[column]) column++;
  return column;
}
