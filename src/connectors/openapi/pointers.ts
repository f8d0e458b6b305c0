import { resolvePointer } from "../../schema/references.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** How many references may lead one to the next. */
const longestChain = 50;

/** What a value of the document is once its references are followed. */
export interface Followed {
  readonly value: unknown;
  /** The last reference on the way, if there was one. */
  readonly reference?: string;
}

/**
 * Follows `$ref` to what it names within `root`. The value is `undefined` if a reference names nothing or leads in a circle.
 */
export function follow(root: unknown, value: unknown): Followed {
  let result: Followed = { value };
  for (let hops = 0; hops < longestChain; hops++) {
    const reference = referenceOf(result.value);
    if (reference === undefined) return result;
    result = { value: resolvePointer(root, reference), reference };
  }
  return { value: undefined };
}

/** The `$ref` of an object. */
export function referenceOf(value: unknown): string | undefined {
  if (!isPlainObject(value) || !Object.hasOwn(value, "$ref")) return undefined;
  return typeof value["$ref"] === "string" ? value["$ref"] : undefined;
}

/** The last name in a reference: `Pet` of `#/components/schemas/Pet`. */
export function lastName(reference: string): string {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return (URL.canParse(`x:${name}`) ? decoded(name) : name).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An object's own members, and none of anything else. */
export function membersOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isPlainObject(value) ? Object.entries(value) : [];
}

/** An object's own member. */
export function member(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object's own member, if it is a text. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

/** The members of a list, and none of anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The same function, which reads each object only once: operations share objects, through references or as what the document
 * says for all of them.
 */
export function oncePerObject<T>(read: (value: unknown) => T): (value: unknown) => T {
  const results = new Map<unknown, T>();
  return (value) => {
    const before = results.get(value);
    if (before !== undefined) return before;
    const result = read(value);
    results.set(value, result);
    return result;
  };
}

/** The version that a document says; empty if it says none. YAML reads 2.0 and 3.1 without quotes as numbers. */
export function versionOf(document: unknown): string {
  const version = member(document, "openapi") ?? member(document, "swagger");
  return typeof version === "string" || typeof version === "number" ? String(version) : "";
}
