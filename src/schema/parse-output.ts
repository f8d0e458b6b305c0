import { fit, maxArgumentsLength } from "./parse-arguments.ts";
import { readDocument } from "./lenient/read-document.ts";
import { type ParsedJson, parsePlain } from "./parse-json.ts";
import type { Issue, JsonSchema, Schema, Validation } from "./types.ts";
import { checkClosed } from "./unclosed.ts";
import { isObject } from "../base/util/json.ts";

/** The property that holds an answer which is not an object. */
const property = "value";

/** Every provider asks for an object, and the strict ones for one that is not a union. */
export function isPlainObjectSchema({ type, anyOf, oneOf, allOf, $ref }: JsonSchema): boolean {
  return type === "object" && [anyOf, oneOf, allOf, $ref].every((keyword) => keyword === undefined);
}

/** The schema of an object that holds, as its only property, a value of `schema`. */
export function wrapped(schema: JsonSchema): JsonSchema {
  const { $schema: _, $defs, definitions, ...inner } = schema;
  const moved: unknown = JSON.parse(JSON.stringify(inner), (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? movedReference(value) : value,
  );
  return {
    type: "object",
    properties: { [property]: moved },
    required: [property],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

const movingParts = ["#/$defs/", "#/definitions/"];

/** Definitions move with the root; all else is one property deeper. */
function movedReference(reference: string): string {
  const isPath = reference === "#" || reference.startsWith("#/");
  const isMoved = isPath && !movingParts.some((part) => reference.startsWith(part));
  return isMoved ? `#/properties/${property}${reference.slice(1)}` : reference;
}

/**
 * Reads an answer as the model wrote it, like `parseArguments` does arguments, but of any type.
 * @param isWrapped whether the request had the schema in its `wrapped` form; the bare value is accepted as well.
 */
export async function parseOutput<T>(
  raw: string,
  schema: Schema<T>,
  isWrapped: boolean,
): Promise<Validation<T>> {
  if (raw.length > maxArgumentsLength) return failure(`longer than ${maxArgumentsLength} characters`);
  const parsed = read(raw);
  if (!parsed.ok) return failure(parsed.problem);
  const { value, unclosed } = parsed;
  const isHeld = isWrapped && isObject(value) && Object.hasOwn(value, property);
  const requested = unclosed && isHeld ? wrapped(schema.jsonSchema) : schema.jsonSchema;
  const cut = checkClosed(requested, value, unclosed);
  if (cut) return cut;
  if (!isHeld) return fit(schema, value, raw);
  const inner = await fit(schema, value[property], raw);
  return inner.ok ? inner : { ok: false, issues: inner.issues.map(moved) };
}

function read(raw: string): ParsedJson {
  const plain = parsePlain(raw);
  return plain && typeof plain.value !== "string" ? { ok: true, value: plain.value } : readDocument(raw);
}

function moved(issue: Issue): Issue {
  return { ...issue, path: [property, ...issue.path] };
}

function failure(message: string): Validation<never> {
  return { ok: false, issues: [{ path: [], message, expected: "JSON" }] };
}
