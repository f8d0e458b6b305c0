import { isPlainObject, type JsonValue } from "./json.ts";
import { keysBesideItems, symbolKeys } from "./left-out-keys.ts";

/** The most characters of JSON that a result is made of, about, and the deepest nesting of objects and arrays. */
export const jsonLimits = { length: 1_048_576, depth: 100 } as const;

/**
 * A copy of what is JSON already and within the limits, `undefined` for everything else: that is for `toJson`, which knows
 * more and is slower.
 * @throws whatever a getter of the value throws.
 */
export function copyJson(value: unknown): JsonValue | undefined {
  return copy(value, 0, { left: jsonLimits.length });
}

function copy(value: unknown, depth: number, room: { left: number }): JsonValue | undefined {
  room.left -= typeof value === "string" ? value.length + 3 : 6;
  if (room.left < 0) return undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth === jsonLimits.depth) return undefined;
  if (Array.isArray(value)) return copyItems(value, depth, room);
  if (!isPlainObject(value) || "toJSON" in value || symbolKeys(value).length > 0) return undefined;
  const object: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    room.left -= key.length;
    const copied = key === "__proto__" ? undefined : copy(member, depth + 1, room);
    if (copied === undefined) return undefined;
    object[key] = copied;
  }
  return object;
}

function copyItems(list: readonly unknown[], depth: number, room: { left: number }): JsonValue | undefined {
  const items: JsonValue[] = [];
  for (let index = 0; index < list.length; index++) {
    const copied = copy(list[index], depth + 1, room);
    if (copied === undefined) return undefined;
    items.push(copied);
  }
  return keysBesideItems(list).length > 0 ? undefined : items;
}
