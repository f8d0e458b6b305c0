import type { JsonSchema } from "../../../schema/types.ts";
import { isPlainObject } from "../../../base/util/json.ts";

/** The properties of an object schema that have a default, with it. */
export function defaultsOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  const defaults = Object.entries(isPlainObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isPlainObject(schema) && schema["default"] !== undefined ? [[name, schema["default"]] as const] : [],
  );
  return Object.fromEntries(defaults);
}

/** An input schema, and what is filled in where a call leaves it out. */
export interface Optional {
  readonly schema: JsonSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * The schema without the demand for what has a default. Schemas that describe what comes out of a validation say that such
 * properties are required, though calls may do without them.
 */
export function withoutDefaulted(schema: JsonSchema): Optional {
  const { required } = schema;
  if (!Array.isArray(required)) return { schema, defaults: {} };
  const names: ReadonlySet<unknown> = new Set(required);
  const defaults = Object.fromEntries(Object.entries(defaultsOf(schema)).filter(([name]) => names.has(name)));
  const left = required.filter((name) => !Object.hasOwn(defaults, String(name)));
  return left.length === required.length
    ? { schema, defaults: {} }
    : { schema: { ...schema, required: left }, defaults };
}
