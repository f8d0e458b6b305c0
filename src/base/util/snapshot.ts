import { isPlainObject } from "./json.ts";

/**
 * Copies plain objects and arrays all the way down and freezes the copies. Everything else (class instances, functions,
 * dates) is kept by reference, so that a context may hold a database handle.
 */
export function frozenCopy<T>(value: T): T;
export function frozenCopy(value: unknown): unknown {
  return copy(value, new Map());
}

function copy(value: unknown, seen: Map<object, unknown>): unknown {
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    seen.set(value, items);
    for (const item of value) items.push(copy(item, seen));
    return Object.freeze(items);
  }
  const object: Record<string, unknown> = {};
  seen.set(value, object);
  for (const key of Object.keys(value)) defineOwn(object, key, copy(value[key], seen));
  return Object.freeze(object);
}

/** Sets an own property, also one called `__proto__`. */
export function defineOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
