import { isPlainObject } from "../../base/util/json.ts";
import { isPattern } from "../../schema/patterns/is-pattern.ts";

/** JSON Schema's types. */
const types: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer",
]);

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/**
 * The keywords that are taken over as they stand, where their value is one that JSON Schema allows. Documents in use have
 * everything else, too: `required: true`, `maxLength: "50"`, `type: any`.
 */
export const plainKeywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) =>
    types.has(value) || (Array.isArray(value) && value.length > 0 && value.every((each) => types.has(each))),
  const: () => true,
  default: () => true,
  enum: (value) => Array.isArray(value) && value.length > 0,
  format: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isFlag,
  deprecated: isFlag,
  contentEncoding: isText,
  contentMediaType: isText,
  dependentRequired: (value) => isPlainObject(value) && Object.values(value).every(isTexts),
};

/** Keywords whose value is a schema. */
export const schemaKeywords: ReadonlySet<string> = new Set(
  "items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

/** Keywords whose value is a list of schemas. */
export const listKeywords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** Keywords whose value is schemas by name. */
export const mapKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
]);
