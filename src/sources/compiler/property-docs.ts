import type { JsonSchema } from "../../schema/types.ts";
import { applyTags, described } from "./constraints.ts";
import type { DocComment } from "./doc-comments.ts";

/** Adds to the properties of `schema` what `@param prefix.property` entries say of them. */
export function describeProperties(
  schema: JsonSchema,
  prefix: string,
  doc: DocComment,
  warn: (message: string) => void,
): JsonSchema {
  const properties = propertiesOf(schema);
  const names = [...doc.parameters.keys()].filter((name) => name.startsWith(prefix));
  if (properties === undefined || names.length === 0) return schema;
  const entries = Object.entries(properties).map(([name, property]) => {
    const entry = doc.parameters.get(`${prefix}${name}`);
    const inner = describeProperties(property, `${prefix}${name}.`, doc, warn);
    if (entry === undefined) return [name, inner];
    return [name, applyTags(described(inner, entry.description), entry.tags, warn)];
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** The properties of an object schema; `undefined` if it has none. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  const { properties } = schema;
  return isProperties(properties) ? properties : undefined;
}

function isProperties(value: unknown): value is Readonly<Record<string, JsonSchema>> {
  return typeof value === "object" && value !== null;
}
