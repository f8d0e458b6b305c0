import { isPlainObject } from "../../base/util/json.ts";
import { areBytes } from "./media-types.ts";
import { follow, itemsOf, member, membersOf, textIn } from "./pointers.ts";

/** How many schemas are looked at to know what an object has. */
const mostSchemas = 1_000;

/**
 * The properties of a schema by name, those included that it has through `$ref`, `allOf`, `anyOf` and `oneOf`. Of several of
 * one name the first counts.
 */
export function propertiesOf(
  root: unknown,
  schema: unknown,
  kinds: readonly string[] = ["allOf", "anyOf", "oneOf"],
): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const part of partsOf(root, schema, kinds)) {
    for (const [name, property] of membersOf(member(part, "properties"))) {
      if (!properties.has(name)) properties.set(name, property);
    }
  }
  return properties;
}

/** A schema and those that it is made of. */
export function partsOf(root: unknown, schema: unknown, kinds: readonly string[]): readonly unknown[] {
  const visited = new Set<unknown>();
  const schemas: unknown[] = [schema];
  // A list that grows while it is walked.
  for (const next of schemas) {
    const { value } = follow(root, next);
    if (!isPlainObject(value) || visited.has(value) || visited.size >= mostSchemas) continue;
    visited.add(value);
    for (const kind of kinds) schemas.push(...itemsOf(member(value, kind)));
  }
  return [...visited];
}

/** Whether a schema is of bytes that JSON has no form for. */
export function isBinary(root: unknown, schema: unknown): boolean {
  return partsOf(root, schema, ["allOf"]).some((part) => {
    if (textIn(part, "format") === "binary") return true;
    // OpenAPI 3.1 has no type for bytes: a media type, and no encoding to text.
    const mediaType = textIn(part, "contentMediaType");
    if (mediaType === undefined || member(part, "contentEncoding") !== undefined) return false;
    const types = new Set([member(part, "type")].flat());
    return types.has(undefined) || (types.has("string") && areBytes(mediaType));
  });
}

/** The schema of a list's items, if it is of a list. */
export function itemsSchema(root: unknown, schema: unknown): unknown {
  return partsOf(root, schema, ["allOf", "anyOf", "oneOf"])
    .map((part) => member(part, "items"))
    .find((items) => items !== undefined);
}
