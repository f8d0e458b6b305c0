import { join, relative } from "node:path";
import { isPlainObject } from "../../base/util/json.ts";

/** The most characters of a change that a page is sent, before and after together. */
const longestChange = 100_000;

/** Lines around a change that are sent with it. */
const linesAround = 3;

/** A change of a file, for those who see the call. */
export type ChangedPart = {
  readonly path: string;
  /** `null` for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
};

/**
 * The lines of a file that a change is about, with some around them; `undefined` where nothing has changed, or more than a page is sent.
 * @param before - The text of the file; `undefined` for a new one.
 */
export function changedPart(
  path: string,
  before: string | undefined,
  after: string,
): ChangedPart | undefined {
  if (before === after) return undefined;
  const [oldText, newText] = before === undefined ? [null, after] : differentLines(before, after);
  if ((oldText?.length ?? 0) + newText.length > longestChange) return undefined;
  return { path, oldText, newText };
}

/** Both texts without the lines that they begin and end with alike, but for a few. */
function differentLines(before: string, after: string): readonly [before: string, after: string] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, current.length);
  let head = 0;
  while (head < most && old[head] === current[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === current.at(-1 - tail)) tail++;
  const part = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, head - linesAround), lines.length - Math.max(0, tail - linesAround)).join("\n");
  return [part(old), part(current)];
}

/**
 * The path of a file for those who see the call. An editor reads it from the folder of its project on, which may be another one than the
 * workspace's; all others from the workspace on, without where that is on this machine.
 */
export function pathForReaders(root: string, file: string, context: unknown): string {
  const editor = isPlainObject(context) ? context["editor"] : undefined;
  const cwd = isPlainObject(editor) ? editor["cwd"] : undefined;
  return typeof cwd === "string" ? relative(cwd, join(root, file)) : file;
}
