import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import type { JsonPatchOperation } from "./types.ts";

/** Below this level a value is replaced as a whole. */
const deepest = 50;

/** What makes one value of another: as little of it as its form says. */
export function patchOf(before: JsonValue, after: JsonValue): readonly JsonPatchOperation[] {
  const patch: JsonPatchOperation[] = [];
  compare(before, after, "", patch);
  return patch;
}

function compare(before: JsonValue, after: JsonValue, path: string, patch: JsonPatchOperation[]): void {
  if (Object.is(before, after)) return;
  const depth = path.split("/").length;
  if (depth <= deepest && Array.isArray(before) && Array.isArray(after))
    return compareLists(before, after, path, patch);
  if (depth <= deepest && isPlainObject(before) && isPlainObject(after))
    return compareObjects(before, after, path, patch);
  if (JSON.stringify(before) !== JSON.stringify(after)) patch.push({ op: "replace", path, value: after });
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
  patch: JsonPatchOperation[],
): void {
  for (const [index, value] of after.entries()) {
    const earlier = before[index];
    if (earlier === undefined) patch.push({ op: "add", path: `${path}/-`, value });
    else compare(earlier, value, `${path}/${index}`, patch);
  }
  // From the end, so that the places before stay what they are.
  for (let index = before.length - 1; index >= after.length; index--)
    patch.push({ op: "remove", path: `${path}/${index}` });
}

function compareObjects(
  before: Readonly<Record<string, JsonValue | undefined>>,
  after: Readonly<Record<string, JsonValue | undefined>>,
  path: string,
  patch: JsonPatchOperation[],
): void {
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) patch.push({ op: "remove", path: `${path}/${escaped(key)}` });
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const place = `${path}/${escaped(key)}`;
    const earlier = Object.hasOwn(before, key) ? before[key] : undefined;
    if (earlier === undefined) patch.push({ op: "add", path: place, value });
    else compare(earlier, value, place, patch);
  }
}

/** A key as RFC 6901 has it in a path. */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
