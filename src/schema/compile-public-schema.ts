import { compileSchema } from "./compile-schema.ts";
import { withMatcher } from "./patterns/pattern.ts";
import type { CompileOptions, JsonSchema, Schema } from "./types.ts";
import { assertKnownOptions, describeValue } from "../base/options/known-options.ts";
import { isObject } from "../base/util/json.ts";
import { invalidSchema } from "./invalid-schema.ts";

const optionNames = { schemas: true, formats: true } satisfies Record<keyof CompileOptions, true>;

/**
 * A validator of `jsonSchema` without code generation: draft 2020-12, or draft 7 where `$schema` names that or an older one.
 * It is compiled at the first validation, once for each schema object; do not change the schema afterwards. `T` is what the
 * caller declares that the schema describes; it is not checked.
 *
 * Formats are checked unless `options` say otherwise. An unknown keyword or format is ignored, as the specification says; a
 * property that is `undefined` counts as absent. A schema that is not an object is refused at once; `validate` throws a `ConfigurationError` (code `"invalid-schema"`) for a
 * malformed schema or a reference that names nothing within it and the documents in `options`.
 *
 * Patterns are tested in time that is linear in the text; one that refers to its own groups is malformed. For patterns that
 * repeat groups, or have several parts of any length, call `validateAsync`, which loads what tests them; `validate` throws a
 * `ConfigurationError` (code `"asynchronous-schema"`) until that is loaded.
 */
export function compilePublicSchema<T = unknown>(
  jsonSchema: JsonSchema,
  options?: CompileOptions,
): Required<Schema<T>> {
  if (options !== undefined) assertKnownOptions(options, optionNames, "compileSchema()");
  if (!isObject(jsonSchema)) invalidSchema("#", `${describeValue(jsonSchema)} is not an object`);
  const schema = compileSchema<T>(jsonSchema, options);
  return { ...schema, validateAsync: async (value) => withMatcher(() => schema.validate(value)) };
}
