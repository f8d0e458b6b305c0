import type { Issue } from "./types.ts";
import { preview } from "./words.ts";
import { isObject } from "../base/util/json.ts";

/** The longest key or value that is shown, and the longest mark. */
const maxShown = 80;
const maxMark = 160;

/** Objects and arrays with no more members are shown whole. */
const fewMembers = 8;

/** A place in a value: what is wrong there, and the places within that have something wrong. */
interface Place {
  readonly marks: string[];
  readonly within: Map<string, Place>;
}

/** What is being written: the lines, how many more characters may follow, and how deep the next line stands. */
interface Page {
  readonly lines: string[];
  room: number;
  indent: string;
}

/**
 * A value as indented JSON with a mark at each wrong place: `"price": "1,000"  <-- expected a number`. Long values are cut;
 * of objects and arrays with many members only the neighbours of wrong ones are shown. About `room` characters at most.
 */
export function annotate(value: unknown, issues: readonly Issue[], room: number): string {
  const root: Place = { marks: [], within: new Map() };
  for (const issue of issues) placeOf(root, issue.path).marks.push(markOf(issue));
  const page: Page = { lines: [], room, indent: "" };
  write(page, value, root, "", "");
  if (page.room < 0) page.lines.push("…");
  return page.lines.join("\n");
}

function placeOf(root: Place, path: Issue["path"]): Place {
  let place = root;
  for (const key of path) {
    const next: Place = place.within.get(String(key)) ?? { marks: [], within: new Map() };
    place.within.set(String(key), next);
    place = next;
  }
  return place;
}

function markOf({ expected, message }: Issue): string {
  const mark = expected === undefined ? message : `expected ${expected}`;
  return mark.length <= maxMark ? mark : `${mark.slice(0, maxMark)}…`;
}

/** Writes a value between `start` and `end`, such as its key and a comma. */
function write(page: Page, value: unknown, place: Place | undefined, start: string, end: string): void {
  const isContainer = isObject(value) || Array.isArray(value);
  if (!place || place.within.size === 0 || !isContainer)
    return line(page, `${start}${preview(value, maxShown)}${end}`, marksIn(place));
  const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
  line(page, `${start}${opening}`, place.marks);
  page.indent += "  ";
  writeMembers(page, value, place);
  page.indent = page.indent.slice(2);
  line(page, `${closing}${end}`);
}

function writeMembers(page: Page, value: object, { within }: Place): void {
  const keys = Object.keys(value);
  let next = 0;
  for (const index of shownMembers(keys, within)) {
    if (page.room < 0) return;
    const key = keys[index] ?? "";
    const start = Array.isArray(value) ? "" : `${preview(key, maxShown)}: `;
    lineOfHidden(page, index - next);
    write(page, Reflect.get(value, key), within.get(key), start, index < keys.length - 1 ? "," : "");
    next = index + 1;
  }
  lineOfHidden(page, keys.length - next);
  for (const [key, place] of within)
    if (!Object.hasOwn(value, key)) line(page, `${preview(key, maxShown)} is missing`, marksIn(place));
}

/** The indexes of the members that are shown, in order: all of a few, else wrong ones with those before and after them. */
function shownMembers(keys: readonly string[], within: Place["within"]): Iterable<number> {
  if (keys.length <= fewMembers) return keys.keys();
  const visibleLines = new Set<number>();
  for (const [index, key] of keys.entries()) {
    if (!within.has(key)) continue;
    if (index > 0) visibleLines.add(index - 1);
    visibleLines.add(index);
    if (index < keys.length - 1) visibleLines.add(index + 1);
  }
  return visibleLines;
}

function lineOfHidden(page: Page, hidden: number): void {
  if (hidden > 0) line(page, `… ${hidden} more`);
}

/** Everything that is wrong at a place and within it. */
function marksIn(place: Place | undefined): readonly string[] {
  return place ? [...place.marks, ...[...place.within.values()].flatMap(marksIn)] : [];
}

function line(page: Page, text: string, marks: readonly string[] = []): void {
  if (page.room < 0) return;
  const mark = marks.length === 0 ? "" : `  <-- ${marks.slice(0, 3).join("; ")}`;
  const annotated = `${page.indent}${text}${mark}`;
  page.room -= annotated.length + 1;
  if (page.room >= 0) page.lines.push(annotated);
}
