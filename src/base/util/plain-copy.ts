import { isPlainObject } from "./json.ts";
import { defineOwn } from "./snapshot.ts";

/** Copies plain objects and arrays all the way down; everything else is kept by reference. Not for what contains itself. */
export function plainCopy<T>(value: T): T;
export function plainCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => plainCopy(item));
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === "__proto__") defineOwn(copy, key, plainCopy(value[key]));
    else copy[key] = plainCopy(value[key]);
  }
  return copy;
}
