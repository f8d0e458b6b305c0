import type { ArgumentDefaults } from "../../../schema/function-schema.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { isPlainObject, type JsonValue } from "../../../base/util/json.ts";
import { toJson } from "../../../base/util/to-json.ts";

/** The properties of an object schema that have a default, with it. */
export function defaultsOf({ properties }: JsonSchema): Readonly<Record<string, JsonValue>> {
  const defaults = Object.entries(isPlainObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isPlainObject(schema) && schema["default"] !== undefined
      ? [[name, toJson(schema["default"]).value] as const]
      : [],
  );
  return Object.fromEntries(defaults);
}

/** An input schema, and what is filled in where a call leaves it out. */
export interface Optional {
  readonly schema: JsonSchema;
  readonly defaults: ArgumentDefaults;
}

/**
 * The schema without the demand for what has a default. Schemas that describe what comes out of a validation say that such
 * properties are required, though calls may do without them.
 */
export function withoutDefaulted(schema: JsonSchema): Optional {
  const { required } = schema;
  if (!Array.isArray(required)) return { schema, defaults: {} };
  const names: ReadonlySet<unknown> = new Set(required);
  const defaults = Object.fromEntries(
    Object.entries(defaultsOf(schema)).flatMap(([name, value]) =>
      names.has(name) ? [[name, { value }]] : [],
    ),
  );
  const left = required.filter((name) => !Object.hasOwn(defaults, String(name)));
  return left.length === required.length
    ? { schema, defaults: {} }
    : { schema: { ...schema, required: left }, defaults };
}
