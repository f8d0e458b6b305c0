import { isPlainObject } from "../base/util/json.ts";
import { defineOwn } from "../base/util/snapshot.ts";
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
    if (!("default" in plan) || !plan.default) continue;
    const entries = plan.kind === "object" ? plan.default.properties : { [plan.name]: plan.default };
    for (const [name, entry] of Object.entries(entries ?? {})) defineOwn(defaults, name, entry);
  }
  return defaults;
}

/** `stated`, and what the function's `own` say over it: one may have the value, the other the defaults within it. */
export function mergeDefaults(stated: ArgumentDefaults, own: ArgumentDefaults): ArgumentDefaults {
  const merged: Record<string, ArgumentDefault> = { ...stated };
  for (const [name, entry] of Object.entries(own)) {
    const other = Object.hasOwn(stated, name) ? stated[name] : undefined;
    defineOwn(merged, name, { ...other, ...entry });
  }
  return merged;
}

/**
 * `schema`, whose valid values then have the defaults of the function that they go to: a reader of the arguments of a
 * call sees what the function gets. What only the function knows stays out.
 */
export function withArgumentDefaults(schema: Schema, defaults: ArgumentDefaults): Schema {
  if (Object.keys(defaults).length === 0) return schema;
  const fill = (validation: Validation<unknown>): Validation<unknown> =>
    validation.ok && isPlainObject(validation.value)
      ? { ok: true, value: fillMembers(validation.value, defaults) }
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

/** Never changes `whole`. */
function fillMembers(whole: object, defaults: ArgumentDefaults): object {
  let copy: Record<string, unknown> | undefined;
  for (const [name, fallback] of Object.entries(defaults)) {
    const before: unknown = Object.hasOwn(whole, name) ? Reflect.get(whole, name) : undefined;
    const after = fillValue(before, fallback);
    if (after === before) continue;
    copy ??= copyOf(whole);
    defineOwn(copy, name, after);
  }
  return copy ?? whole;
}

function fillValue(argument: unknown, { value: initial, type, properties }: ArgumentDefault): unknown {
  // As in the language: null is a value.
  const value = argument === undefined && initial !== undefined ? initialValue(initial, type) : argument;
  return properties && (isPlainObject(value) || Array.isArray(value))
    ? fillMembers(value, properties)
    : value;
}

/** A new one for each call, as an initializer makes it. */
function initialValue(value: unknown, type: ArgumentDefault["type"]): unknown {
  const copy = typeof value === "object" ? structuredClone(value) : value;
  return type ? reviveWhole(type, copy) : copy;
}

function copyOf(whole: object): Record<string, unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array's places are properties as well
  return (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string, unknown>;
}
