import { knownName } from "../schema/attach/schemas.ts";
import { ConfigurationError } from "../errors.ts";
import { describeArgument, readOptions } from "../base/options/known-options.ts";
import { isPlainObject } from "../base/util/json.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { assertObjectSchema, assertShallowSchema, assertValidSchema } from "../schema/assert-json-schema.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { fromStandardSchema, isStandardSchema, type StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema, Schema } from "../schema/types.ts";
import { functionName } from "./function-name.ts";
import { offloaded, type Offload } from "./offload.ts";
import { originOfArgument } from "./origins.ts";
import type { ObjectArguments, ToolArguments, ToolPolicy } from "./policy.ts";
import { assertAnnotations, policyKinds, policyOf } from "./policy-of.ts";
import type { ArgumentObject, ObjectFunction, ToolFunction } from "./tool-function.ts";
import type { ToolContext } from "./tool-context.ts";
import type {
  FunctionTool,
  FunctionToolOptions,
  Tool,
  ToolAnnotations,
  ToolInput,
  ToolOrigin,
} from "./types.ts";

/** A tool with a schema of its own: name, input and what to execute. */
export interface ToolDefinition<I, S extends ToolInput<I>, C> extends ToolPolicy<I, C>, ToolAnnotations {
  readonly name: string;
  readonly description?: string;
  readonly input: S;
  readonly output?: ToolInput;
  /** Leave it out for a tool that is executed elsewhere: its calls come back in `pending`. */
  readonly execute?: (input: I, context: ToolContext<C>) => unknown;
  /** Instead of `execute`: a module's function, which receives the input in a thread of its own. */
  readonly offload?: Offload;
}

/** Every option of a plain function as a tool. */
export const functionToolOptions: Readonly<Record<keyof FunctionToolOptions, unknown>> = {
  name: true,
  description: true,
  title: true,
  namespace: true,
  tags: true,
  version: true,
  deprecated: true,
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
  ui: true,
  ...policyKinds,
  input: true,
  offload: true,
};

const definitionOptions = { ...functionToolOptions, output: true, execute: true } satisfies Record<
  keyof ToolDefinition<unknown, ToolInput, unknown>,
  unknown
>;

/** What other frameworks call the options of a tool. */
const otherNames = { handler: "execute", run: "execute", parameters: "input" };

/** A function of one object as a tool, with options: a name of its own, a timeout, another schema. */
export function tool<I extends ArgumentObject, C = unknown>(
  fn: ObjectFunction<I, C>,
  options: FunctionToolOptions<ObjectArguments<I>, C>,
): FunctionTool<C>;
/** A plain function as a tool, with options. Declare the arguments that a policy reads: `({ amount }: { amount: number }) => ...`. */
export function tool<I extends object = ToolArguments, C = unknown>(
  fn: ToolFunction<C>,
  options?: FunctionToolOptions<I, C>,
): FunctionTool<C>;
/** A tool whose input is a JSON Schema. */
export function tool<I = Record<string, unknown>, C = unknown>(
  definition: ToolDefinition<I, JsonSchema, C>,
): Tool<I, unknown, C>;
/** A tool whose input is a schema of zod, valibot, arktype or any other Standard Schema. */
export function tool<I, C = unknown>(
  definition: ToolDefinition<I, StandardSchema<unknown, I>, C>,
): Tool<I, unknown, C>;
export function tool(
  subject: ToolFunction | ToolDefinition<unknown, ToolInput, unknown>,
  options?: FunctionToolOptions<never, never>,
): FunctionTool | Tool {
  if (typeof subject === "function")
    return functionTool(subject, options ?? {}, originOfArgument(subject, tool));
  assertSubject(subject);
  // Left out of the types; without them an approval would be lost. `definitions.map(tool)` passes an index.
  if (typeof options === "object" && options !== null)
    throw new ConfigurationError(
      "tool({ ... }) takes all options in its one object. Write tool({ name, input, execute, approval: true }), without a second argument.",
      { code: "invalid-tool" },
    );
  if (typeof subject.name !== "string" || subject.name === "") {
    throw new ConfigurationError('tool({ ... }) needs a name, such as tool({ name: "getWeather", ... }).', {
      code: "invalid-tool",
    });
  }
  return defineTool(subject);
}

/** @throws ConfigurationError for what is neither a function nor what a tool consists of. */
function assertSubject(subject: unknown): void {
  // What tool() returns has its policy apart.
  const isTool = isPlainObject(subject) && Object.hasOwn(subject, "policy");
  const isObject = typeof subject === "object" && subject !== null && !Array.isArray(subject);
  if (isObject && !isTool && !isPromiseLike(subject)) return;
  const remedy = isTool
    ? "Write tool(fn, { ... }) once, with all options."
    : "Pass a function, or { name, input, execute }.";
  throw new ConfigurationError(
    `The first argument of tool() is ${isTool ? "a tool already" : describeArgument(subject)}. ${remedy}`,
    { code: "invalid-tool" },
  );
}

/** A tool with a schema of its own, which `readInput` makes of what is written. */
export function defineTool(
  definition: ToolDefinition<unknown, ToolInput, unknown>,
  readInput: (input: ToolInput, place: string) => Schema = toSchema,
): Tool {
  const place = `the tool ${definition.name}`;
  const source = readOptions(definition, definitionOptions, place, otherNames);
  assertAnnotations(source, place);
  const inputSchema = readInput(source.input, `the input of ${place}`);
  assertObjectSchema(inputSchema.jsonSchema, `the input of ${place}`);
  return Object.freeze({
    name: namespaced(source.name, source),
    ...(source.description !== undefined && { description: source.description }),
    inputSchema,
    ...(source.output && { outputSchema: toSchema(source.output, `the output of ${place}`) }),
    annotations: annotationsOf(source),
    policy: policyOf(source, place),
    ...executeOf(source),
  });
}

/** A plain function as a tool. `origin` is the call that passed it on. */
export function functionTool(
  fn: ToolFunction,
  rawOptions: FunctionToolOptions<never, never>,
  origin: ToolOrigin | undefined,
): FunctionTool {
  const place = `tool(${fn.name || "fn"}, { ... })`;
  const options = readOptions(rawOptions, functionToolOptions, place);
  assertAnnotations(options, place);
  const name = options.name ?? (knownName(fn) || functionName(fn));
  const fullName = name === undefined ? name : namespaced(name, options);
  const policy = policyOf(options, place);
  return Object.freeze({
    fn,
    name: fullName,
    options: Object.freeze(options),
    policy,
    ...(origin && { origin }),
  });
}

/** @throws ConfigurationError for a tool with both `execute` and `offload`. */
function executeOf(source: ToolDefinition<unknown, ToolInput, unknown>): Pick<Tool, "execute"> {
  const { name, execute, offload } = source;
  if (!offload) return execute ? { execute } : {};
  if (execute) {
    throw new ConfigurationError(`The tool ${name} has both execute and offload. Set one of them.`, {
      code: "invalid-tool",
    });
  }
  const call = offloaded(offload, `the tool ${name}`);
  return { execute: (input, { signal }) => call([input], signal) };
}

/** Turns a schema as programs write it into a `Schema`. `place` names it in errors. */
export function toSchema<I>(input: ToolInput<I>, place: string): Schema<I>;
export function toSchema(input: ToolInput, place: string): Schema {
  if (isStandardSchema(input)) return fromStandardSchema(input);
  if (typeof input === "object" && input !== null) {
    assertShallowSchema(input, place);
    assertValidSchema(input, place);
    return compileSchema(input);
  }
  throw new ConfigurationError(
    `${place} is ${input === undefined ? "missing" : `a ${typeof input}`}. Set a JSON Schema such as { type: "object", properties: { ... } }, or a zod, valibot or arktype schema.`,
    { code: "invalid-tool" },
  );
}

/** A tool's name with its namespace. */
export function namespaced(name: string, { namespace }: ToolAnnotations): string {
  return namespace === undefined ? name : `${namespace}_${name}`;
}

/** The part of a tool's options that only describes it. */
export function annotationsOf(options: ToolAnnotations): ToolAnnotations {
  const { title, namespace, tags, version, deprecated, ui } = options;
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = options;
  const hints = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  const all = { title, namespace, tags, version, deprecated, ...hints, ui: ui && Object.freeze({ ...ui }) };
  return Object.freeze(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
