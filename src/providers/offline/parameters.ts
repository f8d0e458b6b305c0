import { compileSchema } from "../../schema/compile-schema.ts";
import type { JsonSchema, Schema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** The type of a parameter's values. */
export type ParameterType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "unknown";

/** A parameter of a tool, read from its JSON Schema. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Empty if the schema has none. */
  readonly description: string;
  /** The possible values (`enum`, `const`, or a union of them); empty if they are not listed. */
  readonly options: readonly unknown[];
  /** Such as `"date-time"`. */
  readonly format: string | undefined;
  /** The items of an array. */
  readonly items: Parameter | undefined;
  /** The properties of an object. */
  readonly properties: readonly Parameter[];
  /** Whether a text is long enough, short enough and of the required pattern. */
  readonly accepts: (text: string) => boolean;
}

/** The depth up to which nested objects are read. */
const maxDepth = 4;

/** The properties of an object schema, in order; none for any other schema. */
export function readParameters(schema: JsonSchema): Parameter[] {
  return readProperties(schema, schema, 0);
}

function readProperties(schema: JsonSchema, root: JsonSchema, depth: number): Parameter[] {
  const { properties, required } = schema;
  if (!isPlainObject(properties) || depth > maxDepth) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) =>
    readParameter(name, property, names.includes(name), root, depth),
  );
}

function readParameter(
  name: string,
  property: unknown,
  required: boolean,
  root: JsonSchema,
  depth: number,
): Parameter {
  const own = isPlainObject(property) ? property : {};
  const schema = simplify(own, root);
  const { description, format } = { ...schema, ...own };
  const type = typeOf(schema);
  return {
    name,
    type,
    required,
    description: typeof description === "string" ? description : "",
    options: readOptions(schema, root),
    format: typeof format === "string" ? format : undefined,
    items:
      type === "array" && depth < maxDepth
        ? readParameter(name, schema["items"], true, root, depth + 1)
        : undefined,
    properties: type === "object" ? readProperties(schema, root, depth + 1) : [],
    accepts: textCheck(schema),
  };
}

const textKeywords = ["pattern", "minLength", "maxLength"];

/** A check of the limits of a text, which compiles them when it is first used. */
function textCheck(schema: JsonSchema): Parameter["accepts"] {
  const limits = Object.fromEntries(
    textKeywords.flatMap((keyword) => (Object.hasOwn(schema, keyword) ? [[keyword, schema[keyword]]] : [])),
  );
  if (Object.keys(limits).length === 0) return () => true;
  let compiled: Schema | undefined;
  return (text) => (compiled ??= compileSchema(limits)).validate(text).ok;
}

/** Follows `$ref` within the schema, and chooses the first branch of a union that is not `null`. */
function simplify(schema: JsonSchema, root: JsonSchema, steps = 0): JsonSchema {
  if (steps > 8) return {};
  const target = resolve(schema["$ref"], root);
  if (target) return simplify(target, root, steps + 1);
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(branches) || readOptions(schema, root).length > 0) return schema;
  const branch: unknown = branches.find(
    (candidate) => isPlainObject(candidate) && candidate["type"] !== "null",
  );
  return isPlainObject(branch) ? simplify(branch, root, steps + 1) : schema;
}

function resolve(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const key of reference.slice(2).split("/")) {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isPlainObject(target) || !Object.hasOwn(target, name)) return undefined;
    target = target[name];
  }
  return isPlainObject(target) ? target : undefined;
}

function readOptions(schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  if (Array.isArray(schema["enum"])) return schema["enum"].filter((option) => option !== null);
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (!Array.isArray(branches)) return [];
  const options = branches
    .filter((branch) => isPlainObject(branch))
    .map((branch) => resolve(branch["$ref"], root) ?? branch)
    .filter((branch) => branch["type"] !== "null")
    .map((branch) => (Object.hasOwn(branch, "const") ? [branch["const"]] : asList(branch["enum"])));
  return options.every((list) => list.length > 0) ? options.flat() : [];
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function typeOf(schema: JsonSchema): ParameterType {
  const named: unknown = Array.isArray(schema["type"])
    ? schema["type"].find((type) => type !== "null")
    : schema["type"];
  if (isParameterType(named)) return named;
  if (isPlainObject(schema["properties"])) return "object";
  const optionType: unknown = typeof readOptions(schema, schema)[0];
  return isParameterType(optionType) ? optionType : "unknown";
}

const parameterTypes = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
] satisfies ParameterType[];

function isParameterType(value: unknown): value is ParameterType {
  return parameterTypes.some((type) => type === value);
}
