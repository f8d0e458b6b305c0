import { isPlainObject } from "../../base/util/json.ts";
import { formatPath } from "../../schema/format-path.ts";
import { mask } from "../../base/util/redact-keys.ts";

/** One place in which two requests differ. */
export interface Difference {
  /** Such as `$.body.messages[1].content`. */
  readonly path: string;
  /** `undefined` where there was nothing. */
  readonly recorded: unknown;
  readonly current: unknown;
}

/** The most characters of a value that are shown. */
const mostShown = 160;

/** Deeper values are compared as a whole. */
const maxDepth = 100;

type Path = readonly (string | number)[];

/**
 * Where two requests differ, in their order. What was redacted fits anything; paths in `ignore`, as they are printed, and all
 * beneath them are not looked at.
 */
export function* differences(
  recorded: unknown,
  current: unknown,
  ignore: readonly string[] = [],
  path: Path = [],
): Generator<Difference, void, undefined> {
  if (fits(recorded, current)) return;
  const place = formatPath(path);
  if (ignore.includes(place)) return;
  if (path.length < maxDepth && Array.isArray(recorded) && Array.isArray(current)) {
    const length = Math.max(recorded.length, current.length);
    for (let index = 0; index < length; index++)
      yield* differences(recorded[index], current[index], ignore, [...path, index]);
  } else if (path.length < maxDepth && isPlainObject(recorded) && isPlainObject(current)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(current)]))
      yield* differences(own(recorded, name), own(current, name), ignore, [...path, name]);
  } else if (JSON.stringify(recorded) !== JSON.stringify(current)) {
    yield { path: place, recorded, current };
  }
}

/** The first differences as text: what was recorded above, what was sent below. */
export function describeDifferences(list: Iterable<Difference>, most = 8): string {
  const all = [...list];
  const lines = all.slice(0, most).map(({ path, recorded, current }) => {
    const from = typeof recorded === "string" && typeof current === "string" ? parting(recorded, current) : 0;
    return `  ${path}\n    recorded: ${show(recorded, from)}\n    sent:     ${show(current, from)}`;
  });
  if (all.length > most) lines.push(`  and ${all.length - most} more`);
  return lines.join("\n");
}

/** Whether texts are equal; a mask stands for any text. */
function fits(recorded: unknown, current: unknown): boolean {
  if (typeof recorded !== "string" || typeof current !== "string") return Object.is(recorded, current);
  if (recorded === current) return true;
  if (!recorded.includes(mask)) return false;
  const [first = "", ...rest] = recorded.split(mask);
  const last = rest.pop() ?? "";
  if (!current.startsWith(first) || !current.endsWith(last)) return false;
  let from = first.length;
  for (const piece of rest) {
    const index = current.indexOf(piece, from);
    if (index < 0) return false;
    from = index + piece.length;
  }
  return from <= current.length - last.length;
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A little before the place from which two texts differ. */
function parting(left: string, right: string): number {
  let place = 0;
  while (place < left.length && left[place] === right[place]) place++;
  return Math.max(0, place - 40);
}

function show(value: unknown, from: number): string {
  if (value === undefined) return "nothing";
  const whole =
    typeof value === "string"
      ? JSON.stringify(value.slice(from, from + mostShown * 2))
      : JSON.stringify(value);
  const cut = whole.length > mostShown ? `${whole.slice(0, mostShown)}…` : whole;
  return from > 0 ? `…${cut}` : cut;
}
