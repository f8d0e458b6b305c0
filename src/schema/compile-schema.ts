import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { newState } from "./check.ts";
import { newCompilation } from "./compilation.ts";
import type { Issue, JsonSchema, Schema } from "./types.ts";

const compilations = new WeakMap<JsonSchema, Compilation>();

/** The compiled `jsonSchema`, made once for each object. Throws a `ConfigurationError` (code `"invalid-schema"`). */
export function compilationOf(jsonSchema: JsonSchema): Compilation {
  const known = compilations.get(jsonSchema);
  if (known) return known;
  const made = newCompilation(jsonSchema);
  made.compile(jsonSchema);
  compilations.set(jsonSchema, made);
  return made;
}

/**
 * A validator of `jsonSchema` (draft 2020-12) without code generation. It is compiled at the first validation, once for each
 * schema object; do not change the schema afterwards. `T` is the caller's word for what the schema describes.
 *
 * Formats are checked. An unknown keyword or format is ignored, as the specification says; a property that is
 * `undefined` counts as absent. `validate` throws a `ConfigurationError` (code `"invalid-schema"`) for a malformed schema or
 * a `$ref` that names nothing within it.
 */
export function compileSchema<T = unknown>(jsonSchema: JsonSchema): Schema<T> {
  let root: SchemaNode | undefined;
  const check = (value: unknown, state: CheckState): value is T => {
    root ??= compilationOf(jsonSchema).compile(jsonSchema);
    return root.check(value, state);
  };
  return {
    jsonSchema,
    validate(value) {
      if (check(value, newState())) return { ok: true, value };
      const issues: Issue[] = [];
      check(value, newState(issues));
      return { ok: false, issues };
    },
  };
}
