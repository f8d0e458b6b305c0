import type { ToolSpec } from "../../model/types.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** How deep a sample may be nested: schemas may refer to themselves. */
const deepest = 8;

/** Texts of the usual formats. */
const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "somebody@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** Arguments for a tool: those passed, and a plain value for each other required parameter. */
export function sampleArguments(spec: ToolSpec | undefined, stated: unknown): object {
  const statedArgs = isPlainObject(stated) ? stated : {};
  const sampled = spec ? sample(spec.inputSchema, spec.inputSchema, 0) : {};
  return { ...(isPlainObject(sampled) ? sampled : {}), ...statedArgs };
}

/** A plain value of a schema: its first choice, its least number, its shortest text. */
function sample(schema: unknown, root: JsonSchema, depth: number): unknown {
  if (!isPlainObject(schema) || depth > deepest) return null;
  const { type, minimum, exclusiveMinimum, minLength, format, $ref, anyOf, oneOf, allOf } = schema;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (schema["default"] !== undefined) return schema["default"];
  if (typeof $ref === "string") return sample(referred(root, $ref), root, depth + 1);
  const choices = [anyOf, oneOf, allOf].find(Array.isArray);
  if (choices) return sample(choices[0], root, depth + 1);
  const kind: unknown = Array.isArray(type) ? type[0] : type;
  if (kind === "object" || "properties" in schema) return sampleObject(schema, root, depth);
  if (kind === "array") return sampleItems(schema, root, depth);
  if (kind === "boolean") return false;
  if (kind === "null") return null;
  if (kind === "number" || kind === "integer") {
    if (typeof minimum === "number") return Math.ceil(minimum);
    return typeof exclusiveMinimum === "number" ? Math.floor(exclusiveMinimum) + 1 : 1;
  }
  if (typeof format === "string" && Object.hasOwn(formats, format)) return formats[format];
  return "text".padEnd(typeof minLength === "number" ? Math.min(minLength, 1_000) : 0, ".");
}

function sampleObject(schema: Record<string, unknown>, root: JsonSchema, depth: number): unknown {
  const { properties, required } = schema;
  const ownProperties = isPlainObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sample(ownProperties[name], root, depth + 1)]));
}

function sampleItems(schema: Record<string, unknown>, root: JsonSchema, depth: number): unknown {
  const { items, prefixItems, minItems } = schema;
  if (Array.isArray(prefixItems)) return prefixItems.map((each) => sample(each, root, depth + 1));
  const count = typeof minItems === "number" ? Math.min(minItems, 100) : 0;
  return Array.from({ length: count }, () => sample(items, root, depth + 1));
}

/** What a reference within the document names. */
function referred(root: JsonSchema, reference: string): unknown {
  let at: unknown = root;
  for (const key of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    at = isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}
