import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { newState } from "./check.ts";
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
    return root.check(value, state);
  };
  return {
    jsonSchema,
    validate(value) {
      if (check(value, newState())) return { ok: true, value };
      const issues: Issue[] = [];
      return check(value, newState(issues)) ? { ok: true, value } : { ok: false, issues };
    },
  };
}
