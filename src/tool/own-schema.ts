import type { SchemaNotFoundError } from "../errors.ts";
import { assertObjectSchema } from "../schema/assert-json-schema.ts";
import type { ArgumentDefaults, FunctionSchema } from "../schema/function-schema.ts";
import { outlineInput, type InputOutline } from "../schema/input-outline.ts";
import { isStandardSchema, outputJsonSchema } from "../schema/standard-schema.ts";
import type { JsonSchema, Schema } from "../schema/types.ts";
import { isPlainObject } from "../base/util/json.ts";
import { toJson } from "../base/util/to-json.ts";
import { toSchema } from "./define.ts";
import { describeFunction } from "./function-name.ts";
import { placeProperties } from "./place-properties.ts";
import { placementOf, type Placement } from "./placement.ts";
import type { OwnSchema } from "./schema-fit.ts";
import type { FunctionTool, ToolInput } from "./types.ts";

/** A function's own schema, `tool(fn, { input })`, matched to its signature. */
export interface MatchedInput {
  readonly schema: Schema;
  readonly placements: readonly Placement[];
  /** What the function needs and a model may leave out, since the schema has a default for it. */
  readonly defaults: ArgumentDefaults;
  /** What the function says of itself. */
  readonly signature: FunctionSchema;
}

/**
 * Matches the schema that options give a function to its signature: which property is which argument, and what the function's
 * comment says of those that say nothing of themselves.
 * @throws ConfigurationError if the signature is not known, or if the schema does not fit it.
 */
export function matchInput(
  { fn }: FunctionTool,
  name: string,
  input: ToolInput,
  finding: FunctionSchema | SchemaNotFoundError | undefined,
): MatchedInput {
  const place = `the input of the tool ${name}`;
  const plain = toSchema(input, place);
  assertObjectSchema(plain.jsonSchema, place);
  const signature = placementOf(fn, finding);
  const declared = outlineInput(signature.inputSchema, signature.revive);
  const own = ownSchema(input);
  const placements = placeProperties({
    tool: name,
    fn: signature.name || describeFunction(fn),
    parameters: signature.parameters,
    declared,
    propertyNames: Object.keys(outlineInput(plain.jsonSchema).properties ?? {}),
    own,
  });
  if (isStandardSchema(input)) return { schema: plain, placements, defaults: {}, signature };
  const signatureArguments = declaredArguments(declared, signature, placements);
  const described = withDescriptions(input, signatureArguments);
  return {
    schema: described === input ? plain : toSchema(described, place),
    placements,
    defaults: neededDefaults(input, signatureArguments),
    signature,
  };
}

/** What arrives at the function. */
function ownSchema(input: ToolInput): OwnSchema | undefined {
  if (!isStandardSchema(input)) {
    return { outline: outlineInput(input), isLibrary: false, fillsDefaults: true };
  }
  // The names and types of what a model writes may all be others once a transform has run: only the output's count.
  const output = outputJsonSchema(input);
  const outline = output && outlineInput(output);
  return outline?.properties && { outline, isLibrary: true, fillsDefaults: true };
}

/** What a signature says of that which the schema's properties are: its arguments, or the members of the only one. */
function declaredArguments(
  declared: InputOutline,
  { parameters }: FunctionSchema,
  placements: readonly Placement[],
): InputOutline {
  const index = placements.findIndex(({ kind }) => kind === "object");
  const whole = parameters[index];
  if (!whole || !("name" in whole)) return declared;
  return declared.properties?.[whole.name] ?? {};
}

/** `input` with the descriptions of the function's comment where its properties have none. */
function withDescriptions(input: JsonSchema, { properties: declared = {} }: InputOutline): JsonSchema {
  const { properties } = input;
  if (!isPlainObject(properties)) return input;
  const described = Object.entries(properties).flatMap(([name, property]) => {
    const description = Object.hasOwn(declared, name) ? declared[name]?.description : undefined;
    const isBare = isPlainObject(property) && !Object.hasOwn(property, "description");
    // What a reference names has a description of its own.
    const isReference = isPlainObject(property) && Object.hasOwn(property, "$ref");
    return description && isBare && !isReference ? [[name, { ...property, description }] as const] : [];
  });
  if (described.length === 0) return input;
  return { ...input, properties: { ...properties, ...Object.fromEntries(described) } };
}

/** Nothing but the function sees to a JSON Schema's defaults, and it has none for what it needs. */
function neededDefaults({ properties }: JsonSchema, { required = [] }: InputOutline): ArgumentDefaults {
  if (!isPlainObject(properties)) return {};
  const entries = required.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = isPlainObject(property) ? property["default"] : undefined;
    return value === undefined ? [] : [[name, { value: toJson(value).value }] as const];
  });
  return Object.fromEntries(entries);
}
