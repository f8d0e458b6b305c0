import type { JsonValue } from "./json.ts";
import { isPlainObject } from "./json.ts";
import { nameType } from "./name-type.ts";
import { defineOwn } from "./snapshot.ts";

/** What JSON can carry of a value, and what it cannot. */
export interface Stored {
  /** `undefined` if nothing of it can be stored. */
  readonly value: JsonValue | undefined;
  readonly omissions: readonly Omission[];
}

/** A part of a value that is not stored. */
export interface Omission {
  /** Such as `context.db`. */
  readonly path: string;
  /** What it is, with its article: `a Database`. */
  readonly what: string;
}

/** The most omissions that are listed of one value. */
const mostOmissions = 20;

interface Reading {
  readonly omissions: Omission[];
  readonly parents: Set<object>;
}

/**
 * What can be stored of an application's data: plain objects, arrays, texts, finite numbers, booleans, `null`, and what says by
 * `toJSON` how it is written, such as a `Date`. Instances of classes are left out, since their fields would come back without their
 * methods, and may be secrets. Never throws. Its depth must be bounded, as that of a frozen copy is.
 * @param path - What the value is called.
 */
export function toStorable(value: unknown, path: string): Stored {
  const reading: Reading = { omissions: [], parents: new Set() };
  return { value: read(value, path, reading), omissions: reading.omissions };
}

function read(value: unknown, path: string, reading: Reading): JsonValue | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return undefined;
  if (typeof value === "number")
    return Number.isFinite(value) ? value : leaveOut(String(value), path, reading);
  if (typeof value !== "object") return leaveOut(`a ${typeof value}`, path, reading);
  if (reading.parents.has(value)) return leaveOut("an object that contains itself", path, reading);
  reading.parents.add(value);
  try {
    return readObject(value, path, reading);
  } catch {
    return leaveOut("something that cannot be read", path, reading);
  } finally {
    reading.parents.delete(value);
  }
}

function readObject(value: object, path: string, reading: Reading): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => read(item, `${path}[${index}]`, reading) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return read(value.toJSON(), path, reading);
  if (!isPlainObject(value)) return leaveOut(nameType(value), path, reading);
  const stored: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = read(value[key], `${path}.${key}`, reading);
    if (member !== undefined) defineOwn(stored, key, member);
  }
  return stored;
}

function leaveOut(what: string, path: string, { omissions }: Reading): undefined {
  if (omissions.length < mostOmissions) omissions.push({ path, what });
  return undefined;
}
