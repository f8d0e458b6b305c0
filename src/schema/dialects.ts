import { invalidSchema } from "./invalid-schema.ts";
import type { CompileOptions, JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";

/** Whether a keyword of `schema` means anything. */
export type Dialect = (keyword: string, schema: JsonSchema) => boolean;

/** Keywords whose value is a schema, or a list of schemas. */
export const applicators: ReadonlySet<string> = new Set(
  "items prefixItems additionalItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties allOf anyOf oneOf not if then else".split(
    " ",
  ),
);

/** Keywords whose value is an object of schemas. */
export const definitions: ReadonlySet<string> = new Set(
  "properties patternProperties dependentSchemas dependencies $defs definitions".split(" "),
);

/** What draft 7 does not know. */
const newer = /^(?:\$(?:a|d)|prefixItems|unevaluated|dependent|m..Contains)/;

/**
 * The dialect that `$schema` names; `undefined` if it names none. Drafts up to 7 ignore what stands beside `$ref` and what
 * came later. A metaschema among the documents may leave vocabularies out; whatever is unknown is taken for draft 2020-12.
 */
export function dialectOf($schema: unknown, options: CompileOptions): Dialect | undefined {
  if (typeof $schema !== "string") return undefined;
  if (/\/draft-0\d\//.test($schema)) {
    return (keyword, schema) => (Object.hasOwn(schema, "$ref") ? keyword === "$ref" : !newer.test(keyword));
  }
  const { schemas = {} } = options;
  const { $vocabulary } = Object.hasOwn(schemas, $schema) ? (schemas[$schema] ?? {}) : {};
  if (!isObject($vocabulary)) return () => true;
  for (const [uri, isRequired] of Object.entries($vocabulary)) {
    if (isRequired === true && !uri.startsWith("https://json-schema.org/"))
      invalidSchema("#/$schema", `needs the unknown vocabulary ${uri}`);
  }
  const names = Object.keys($vocabulary).join();
  return (keyword) => names.includes(`/vocab/${vocabularyOf(keyword)}`);
}

/** The beginning of the name of the vocabulary that a keyword belongs to. */
function vocabularyOf(keyword: string): string {
  if (keyword.startsWith("$")) return "core";
  const [own] = /^(?:unevaluated|format)/.exec(keyword) ?? [];
  return own ?? (applicators.has(keyword) || definitions.has(keyword) ? "applicator" : "validation");
}
