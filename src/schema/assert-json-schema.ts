import { ConfigurationError } from "../errors.ts";
import { isObject } from "../base/util/json.ts";
import { compilationOf } from "./compile-schema.ts";
import type { JsonSchema } from "./types.ts";
import { kindOf, preview } from "./words.ts";

/** Keywords any of which makes a schema without `type` one that may describe objects. */
const telling = [
  "$ref",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "allOf",
  "anyOf",
  "oneOf",
];

const remedy =
  'A tool takes an object of arguments: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }';

/**
 * Throws a `ConfigurationError` (code `"invalid-schema"`) unless `jsonSchema` can be the schema of a tool's arguments, which
 * are always an object, none of which is named `__proto__`. Only its outermost level is looked at. `place` names it in the error, such as
 * `"the input of the tool getWeather"`.
 */
export function assertObjectSchema(jsonSchema: unknown, place: string): void {
  const problem = problemOf(jsonSchema);
  if (problem === undefined) return assertNames(jsonSchema, place);
  throw new ConfigurationError(`The JSON Schema of ${place} ${problem}. ${remedy}.`, {
    code: "invalid-schema",
    data: { place },
  });
}

/** A model's argument of this name never arrives: such keys are dropped wherever arguments are read. */
function assertNames(schema: unknown, place: string): void {
  if (!isObject(schema)) return;
  const { properties, required } = schema;
  const isDeclared = isObject(properties) && Object.hasOwn(properties, "__proto__");
  if (!isDeclared && !(Array.isArray(required) && required.includes("__proto__"))) return;
  throw new ConfigurationError(
    `The JSON Schema of ${place} has an argument named "__proto__", which is dropped from every call. Rename it.`,
    { code: "invalid-schema", data: { place } },
  );
}

/** How deep a schema may be nested: what reads one, a provider too, goes into it level by level. */
const deepest = 300;

const shallow = new WeakSet<object>();

/**
 * Looks at each schema once.
 * @throws ConfigurationError for a schema that is nested deeper than 300 levels, or contains itself.
 */
export function assertShallowSchema(jsonSchema: object, place: string): void {
  if (shallow.has(jsonSchema)) return;
  let level = new Set<unknown>([jsonSchema]);
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > deepest)
      throw new ConfigurationError(
        `The JSON Schema of ${place} is nested deeper than ${deepest} levels. Write what repeats once, in $defs.`,
        { code: "invalid-schema", data: { place } },
      );
    // As a set, since one object may stand in many places.
    level = new Set(
      [...level].flatMap((value) => (isObject(value) || Array.isArray(value) ? Object.values(value) : [])),
    );
  }
  shallow.add(jsonSchema);
}

/**
 * Compiles a JSON Schema that a program has written, once for each schema object: a mistake in it is an error where it is
 * written, and not what a model reads of a call.
 * @throws ConfigurationError (`invalid-schema`) that names `place` and where in the schema the mistake is.
 */
export function assertValidSchema(jsonSchema: JsonSchema, place: string): void {
  try {
    compilationOf(jsonSchema);
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    const message = cause.message.replace(
      "The JSON Schema is not valid",
      `The JSON Schema of ${place} is not valid`,
    );
    throw new ConfigurationError(message, { code: "invalid-schema", data: { ...cause.data, place }, cause });
  }
}

function problemOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return `is ${kindOf(schema)}, no object`;
  const { type } = schema;
  if (type === "object" || (Array.isArray(type) && type.includes("object"))) return undefined;
  if (typeof type === "string" || Array.isArray(type)) return `has the type ${preview(type)}`;
  const keys = Object.keys(schema).filter((key) => !key.startsWith("$") || telling.includes(key));
  if (type === undefined && (keys.length === 0 || telling.some((keyword) => keys.includes(keyword))))
    return undefined;
  return `says neither "type" nor "properties", only ${preview(keys)}`;
}
