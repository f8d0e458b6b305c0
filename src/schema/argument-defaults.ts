import { isPlainObject } from "../util/json.ts";
import { defineOwn } from "../util/snapshot.ts";
import type { ArgumentDefault, ArgumentDefaults, ParameterPlan } from "./function-schema.ts";
import { reviveWhole } from "./revive.ts";
import type { Schema, Validation } from "./types.ts";

const defaultsOf = new WeakMap<Schema, ArgumentDefaults>();

/** What a function puts in place of arguments that are left out, by the names of its input's properties. */
export function defaultsOfParameters(
  parameters: readonly (ParameterPlan | { readonly kind: "absent" })[],
): ArgumentDefaults {
  const defaults: Record<string, ArgumentDefault> = {};
  for (const plan of parameters) {
    if (plan.kind === "object") Object.assign(defaults, plan.default?.properties);
    if (plan.kind === "property" && plan.default) defineOwn(defaults, plan.name, plan.default);
  }
  return defaults;
}

/**
 * `schema`, whose valid values then have the defaults of the function that they go to: whoever looks at the arguments of a
 * call sees what the function gets. What only the function knows stays out.
 */
export function withArgumentDefaults(schema: Schema, defaults: ArgumentDefaults): Schema {
  if (Object.keys(defaults).length === 0) return schema;
  const fill = (validation: Validation<unknown>): Validation<unknown> =>
    validation.ok && isPlainObject(validation.value)
      ? { ok: true, value: fillObject(validation.value, defaults) }
      : validation;
  const filled: Schema = {
    jsonSchema: schema.jsonSchema,
    validate: (value) => fill(schema.validate(value)),
  };
  if (schema.validateAsync) {
    filled.validateAsync = async (value) =>
      fill(await (schema.validateAsync?.(value) ?? schema.validate(value)));
  }
  defaultsOf.set(filled, defaults);
  return filled;
}

/** The defaults that the values of a schema get. */
export function argumentDefaultsOf(schema: Schema): ArgumentDefaults | undefined {
  return defaultsOf.get(schema);
}

/** Never changes `object`. */
function fillObject(object: Record<string, unknown>, defaults: ArgumentDefaults): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, fallback] of Object.entries(defaults)) {
    const before = Object.hasOwn(object, name) ? object[name] : undefined;
    const after = fillValue(before, fallback);
    if (after === before) continue;
    copy ??= { ...object };
    defineOwn(copy, name, after);
  }
  return copy ?? object;
}

function fillValue(given: unknown, { value: initial, type, properties }: ArgumentDefault): unknown {
  // As in the language: null is a value.
  const value = given === undefined && initial !== undefined ? initialValue(initial, type) : given;
  return properties && isPlainObject(value) ? fillObject(value, properties) : value;
}

/** A new one for each call, as an initializer makes it. */
function initialValue(value: unknown, type: ArgumentDefault["type"]): unknown {
  const copy = typeof value === "object" ? structuredClone(value) : value;
  return type ? reviveWhole(type, copy) : copy;
}
