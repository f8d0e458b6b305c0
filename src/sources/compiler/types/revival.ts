import type { RevivedType } from "../../../schema/function-schema.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { isObject } from "../../../base/util/json.ts";

/** Stands on a schema while schemas are joined and copied, unseen by JSON. */
const mark: unique symbol = Symbol("type that JSON lacks");

interface MarkedSchema extends JsonSchema {
  readonly [mark]?: RevivedType;
}

/** `schema`, for values that are made a `type` before the call. */
export function marked(type: RevivedType, schema: JsonSchema): JsonSchema {
  const result: MarkedSchema = { ...schema, [mark]: type };
  return result;
}

/** What values of `schema` itself are made before the call. */
export function revivedType(schema: { readonly [mark]?: RevivedType }): RevivedType | undefined {
  return markOf(schema);
}

/** Whether values of `schema` itself are made something else before the call. */
export function isMarked(schema: JsonSchema): boolean {
  return markOf(schema) !== undefined;
}

/** A schema without marks, and where they stood: `revive` of a `FunctionSchema`. */
export function unmarked(schema: JsonSchema): {
  readonly schema: JsonSchema;
  readonly revive: Readonly<Record<string, RevivedType>>;
} {
  const revive: Record<string, RevivedType> = {};
  return { schema: copyObject(schema, "#", revive), revive };
}

function copy(value: unknown, place: string, revive: Record<string, RevivedType>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => copy(item, `${place}/${index}`, revive));
  return isObject(value) ? copyObject(value, place, revive) : value;
}

function copyObject(schema: JsonSchema, place: string, revive: Record<string, RevivedType>): JsonSchema {
  const type = markOf(schema);
  if (type !== undefined) revive[place] = type;
  const entries = Object.entries(schema);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, copy(value, `${place}/${escaped(key)}`, revive)]),
  );
}

function markOf(schema: { readonly [mark]?: RevivedType }): RevivedType | undefined {
  return schema[mark];
}

/** As RFC 6901 has it, within the fragment of a URI. */
function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("%", "%25");
}
