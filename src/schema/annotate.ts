import { isObject } from "./json-value.ts";
import type { Issue } from "./types.ts";
import { preview } from "./words.ts";

/** The longest key or value that is shown, and the longest mark. */
const maxShown = 80;
const maxMark = 160;

/** A place in a value: what is wrong there, and the places within that have something wrong. */
interface Place {
  readonly marks: string[];
  readonly within: Map<string, Place>;
}

/** What is being written: the lines, and how many more characters may follow. */
interface Page {
  readonly lines: string[];
  room: number;
}

/**
 * A value as indented JSON with a mark at each wrong place: `"price": "1,000"  <-- expected a number`. Long values are cut;
 * of objects and arrays with many members only the neighbours of wrong ones are shown. About `room` characters at most.
 */
export function annotate(value: unknown, issues: readonly Issue[], room: number): string {
  const root: Place = { marks: [], within: new Map() };
  for (const issue of issues) placeOf(root, issue.path).marks.push(markOf(issue));
  const page: Page = { lines: [], room };
  write(page, value, root, "", "", "");
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

function write(
  page: Page,
  value: unknown,
  place: Place | undefined,
  indent: string,
  start: string,
  end: string,
): void {
  const members = place && place.within.size > 0 ? membersOf(value) : undefined;
  if (!place || !members)
    return line(page, `${indent}${start}${preview(value, maxShown)}${end}`, marksIn(place));
  const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
  line(page, `${indent}${start}${opening}`, place.marks);
  writeMembers(page, members, place, `${indent}  `, Array.isArray(value));
  line(page, `${indent}${closing}${end}`);
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return isObject(value) || Array.isArray(value) ? Object.entries(value) : undefined;
}

function writeMembers(
  page: Page,
  members: readonly (readonly [string, unknown])[],
  { within }: Place,
  indent: string,
  isArray: boolean,
): void {
  const last = members.length - 1;
  const isWrong = (index: number): boolean => within.has(members[index]?.[0] ?? "");
  const found = new Set<string>();
  let hidden = 0;
  for (const [index, [key, value]] of members.entries()) {
    if (page.room < 0) return;
    const place = within.get(key);
    if (place) found.add(key);
    if (!place && last >= 8 && !isWrong(index - 1) && !isWrong(index + 1)) {
      hidden++;
      continue;
    }
    hidden = lineOfHidden(page, indent, hidden);
    write(page, value, place, indent, isArray ? "" : `${preview(key, maxShown)}: `, index < last ? "," : "");
  }
  lineOfHidden(page, indent, hidden);
  for (const [key, place] of within)
    if (!found.has(key)) line(page, `${indent}${preview(key, maxShown)} is missing`, marksIn(place));
}

function lineOfHidden(page: Page, indent: string, hidden: number): 0 {
  if (hidden > 0) line(page, `${indent}… ${hidden} more`);
  return 0;
}

/** Everything that is wrong at a place and within it. */
function marksIn(place: Place | undefined): readonly string[] {
  return place ? [...place.marks, ...[...place.within.values()].flatMap(marksIn)] : [];
}

function line(page: Page, text: string, marks: readonly string[] = []): void {
  if (page.room < 0) return;
  const mark = marks.length === 0 ? "" : `  <-- ${marks.slice(0, 3).join("; ")}`;
  page.room -= text.length + mark.length + 1;
  if (page.room >= 0) page.lines.push(text + mark);
}
