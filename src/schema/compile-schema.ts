import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { newState, rejectCostly, rejectDeep } from "./check.ts";
import { newCompilation } from "./compilation.ts";
import type { CompileOptions, Issue, JsonSchema, Schema } from "./types.ts";

const compilations = new WeakMap<
  JsonSchema,
  { readonly options: CompileOptions; readonly compilation: Compilation }
>();

const defaults: CompileOptions = {};

/**
 * The compiled `jsonSchema`, cached for each object; without `options`, as it was last compiled.
 * Throws a `ConfigurationError` (code `"invalid-schema"`).
 */
export function compilationOf(jsonSchema: JsonSchema, options?: CompileOptions): Compilation {
  const cached = compilations.get(jsonSchema);
  if (cached && (options === undefined || options === cached.options)) return cached.compilation;
  const compilation = newCompilation(jsonSchema, options ?? defaults);
  compilations.set(jsonSchema, { options: options ?? defaults, compilation });
  return compilation;
}

/**
 * A validator of `jsonSchema` without code generation: draft 2020-12, or draft 7 where `$schema` names that or an older one.
 * It is compiled at the first validation, once for each schema object; do not change the schema afterwards. `T` is what the
 * caller declares that the schema describes; it is not checked.
 *
 * Formats are checked unless `options` say otherwise. An unknown keyword or format is ignored, as the specification says; a
 * property that is `undefined` counts as absent. `validate` throws a `ConfigurationError` (code `"invalid-schema"`) for a
 * malformed schema or a reference that names nothing within it and the documents in `options`.
 */
export function compileSchema<T = unknown>(
  jsonSchema: JsonSchema,
  options: CompileOptions = defaults,
): Schema<T> {
  let root: SchemaNode | undefined;
  const check = (value: unknown, state: CheckState): value is T => {
    root ??= compilationOf(jsonSchema, options).compile(jsonSchema);
    if (!root.check(value, state)) return false;
    // What cannot be checked does not fit, and so has passed within a `not`.
    if (state.isTooDeep) return rejectDeep(state);
    return state.steps >= 0 || rejectCostly(state);
  };
  return {
    jsonSchema,
    validate(value) {
      const state = newState();
      if (check(value, state)) return { ok: true, value };
      const issues: Issue[] = [];
      const explained = newState(issues);
      // What took too long is not checked again to explain it.
      if (state.steps < 0) return { ok: rejectCostly(explained), issues };
      return check(value, explained) ? { ok: true, value } : { ok: false, issues };
    },
  };
}
