import { isPlainObject } from "./json.ts";

/** How deep a copy may be nested: what is deeper cannot be written as JSON, either. */
const deepest = 1_000;

/**
 * Copies plain objects and arrays all the way down and freezes the copies. Everything else (class instances, functions,
 * dates) is kept by reference, so that a context may hold a database handle.
 * @throws RangeError for what is nested deeper than 1,000 levels, and whatever a getter throws.
 */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  return copy(value, new Map(), 0, false);
}

/** At this depth a copy begins to look for objects that it has copied before: mostly there is nothing so deep. */
const shallow = 5;

/** @param keepsFrozen - Whether what is frozen all the way down stands in the copy itself. */
function copy(
  value: unknown,
  earlierCopies: Map<object, unknown> | undefined,
  depth: number,
  keepsFrozen: boolean,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (keepsFrozen && isFrozenThroughout(value, depth)) return value;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  if (depth > deepest) throw new RangeError(`it is nested deeper than ${deepest} levels`);
  const copies = earlierCopies ?? (depth < shallow ? undefined : new Map<object, unknown>());
  const earlier = copies?.get(value);
  if (earlier !== undefined) return earlier;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    copies?.set(value, items);
    for (const item of value) items.push(copy(item, copies, depth + 1, keepsFrozen));
    return Object.freeze(items);
  }
  const object: Record<string, unknown> = {};
  copies?.set(value, object);
  for (const key of Object.keys(value))
    defineOwn(object, key, copy(value[key], copies, depth + 1, keepsFrozen));
  return Object.freeze(object);
}

/** The value itself if it is frozen all the way down, else a frozen copy, which shares what is frozen with it. */
export function frozen<T>(value: T): T;
export function frozen(value: unknown): unknown {
  return copy(value, undefined, 0, true);
}

function isFrozenThroughout(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Object.isFrozen(value)) return !Array.isArray(value) && !isPlainObject(value);
  if (depth > deepest) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isFrozenThroughout(item, depth + 1)) return false;
    return true;
  }
  const members: Readonly<Record<string, unknown>> = Object(value);
  for (const key in members) if (!isFrozenThroughout(members[key], depth + 1)) return false;
  return true;
}

/** Freezes data that its creator has not passed on yet, all the way down. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const members: Readonly<Record<string, unknown>> = Object(value);
  for (const key in members) freeze(members[key]);
  return value;
}

/** Sets an own property, also one called `__proto__`. */
export function defineOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  // Bench row "loop, every event read": defining a property costs many times what setting one does.
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Puts the own properties of objects together, the later ones winning. One called `__proto__` is a property as any other. */
export function mergeOwn(objects: Iterable<unknown>): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const object of objects) {
    if (typeof object !== "object" || object === null) continue;
    for (const [key, value] of Object.entries(object)) defineOwn(merged, key, value);
  }
  return merged;
}
