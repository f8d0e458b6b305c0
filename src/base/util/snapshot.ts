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
  return copy(value, new Map(), 0);
}

function copy(value: unknown, copies: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  if (depth > deepest) throw new RangeError(`it is nested deeper than ${deepest} levels`);
  const earlier = copies.get(value);
  if (earlier !== undefined) return earlier;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    copies.set(value, items);
    for (const item of value) items.push(copy(item, copies, depth + 1));
    return Object.freeze(items);
  }
  const object: Record<string, unknown> = {};
  copies.set(value, object);
  for (const key of Object.keys(value)) defineOwn(object, key, copy(value[key], copies, depth + 1));
  return Object.freeze(object);
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
