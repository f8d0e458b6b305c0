import { knownSchema, rememberSchema } from "../attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import { assertObjectSchema } from "../schema/assert-json-schema.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";
import { revived } from "../schema/revive.ts";
import { isPlainObject } from "../util/json.ts";
import { parameterNames } from "../util/parameter-names.ts";
import { annotationsOf, namespaced, toSchema } from "./define.ts";
import { describeFunction } from "./function-name.ts";
import { offloaded } from "./offload.ts";
import type { FunctionTool, Tool, ToolContext, ToolFunction, ToolInput } from "./types.ts";

/** A function's schema, or why it has none. */
type Finding = FunctionSchema | SchemaNotFoundError;

/** The schemas of functions, in their order; all that are not known yet are looked for together. */
export async function findSchemas(functions: readonly ToolFunction[]): Promise<readonly Finding[]> {
  const unknown = [...new Set(functions.filter((fn) => !knownSchema(fn)))];
  const findings = new Map<ToolFunction, Finding>();
  if (unknown.length > 0) {
    const reflection = await import("#reflection");
    const found = await reflection.describeFunctions(unknown);
    for (const [index, fn] of unknown.entries()) {
      const finding = found[index];
      if (finding) findings.set(fn, finding);
      if (finding && !(finding instanceof SchemaNotFoundError)) rememberSchema(fn, finding);
    }
  }
  return functions.map((fn) => knownSchema(fn) ?? findings.get(fn) ?? nothingFound(fn));
}

/**
 * The schemas of functions, in their order.
 * @throws SchemaNotFoundError naming every function that has none.
 */
async function describeFunctions(functions: readonly ToolFunction[]): Promise<readonly FunctionSchema[]> {
  const findings = await findSchemas(functions);
  const errors = findings.filter((finding) => finding instanceof SchemaNotFoundError);
  if (errors.length > 0) throw joined([...new Set(errors)]);
  return findings.flatMap((finding) => (finding instanceof SchemaNotFoundError ? [] : [finding]));
}

function joined(errors: readonly SchemaNotFoundError[]): SchemaNotFoundError {
  const [first] = errors;
  if (first && errors.length === 1) return first;
  return new SchemaNotFoundError(
    `${errors.length} tools have no schema:\n${errors.map(({ message }) => message).join("\n")}`,
    { data: { errors: errors.map(({ data }) => data) }, cause: first },
  );
}

function nothingFound(fn: ToolFunction): SchemaNotFoundError {
  return new SchemaNotFoundError(`No schema was found for ${describeFunction(fn)}.`);
}

/** Makes tools of functions, in their order. */
export async function deriveTools(functions: readonly FunctionTool[]): Promise<readonly Tool[]> {
  const derived = functions.filter(({ options }) => !options.input);
  const found = await describeFunctions(derived.map(({ fn }) => fn));
  return functions.map((functionTool) => {
    const { input } = functionTool.options;
    if (input) return toolFromInput(functionTool, input);
    const schema = found[derived.indexOf(functionTool)];
    if (!schema)
      throw new SchemaNotFoundError(`No schema was found for ${describeFunction(functionTool.fn)}.`);
    return toolFromSchema(functionTool, schema);
  });
}

function toolFromSchema(source: FunctionTool, schema: FunctionSchema): Tool {
  const description = source.options.description ?? schema.description;
  const input = compileSchema(schema.inputSchema);
  return {
    name: source.name ?? namespaced(schema.name, source.options),
    ...(description && { description }),
    inputSchema: schema.revive ? revived(input, schema.revive) : input,
    ...(schema.outputSchema && { outputSchema: compileSchema(schema.outputSchema) }),
    annotations: { ...(schema.deprecated && { deprecated: true }), ...annotationsOf(source.options) },
    policy: source.policy,
    ...(schema.warnings && { warnings: schema.warnings }),
    execute: caller(source, schema.parameters),
  };
}

function toolFromInput(source: FunctionTool, input: ToolInput): Tool {
  const { fn, options } = source;
  const name = source.name;
  if (name === undefined) {
    throw new ConfigurationError(
      `The function ${describeFunction(fn)} has no name: give one with tool(fn, { name: "...", input }).`,
      { code: "invalid-tool" },
    );
  }
  const inputSchema = toSchema(input, `the input of the tool ${name}`);
  assertObjectSchema(inputSchema.jsonSchema, `the input of the tool ${name}`);
  const properties = inputSchema.jsonSchema.properties;
  const plan = planByNames(name, parameterNames(fn), isPlainObject(properties) ? properties : {});
  return {
    name,
    ...(options.description !== undefined && { description: options.description }),
    inputSchema,
    annotations: annotationsOf(options),
    policy: source.policy,
    execute: caller(source, plan),
  };
}

/**
 * How a function with a schema of its own is called: with the properties in the places of the parameters of those
 * names, or, if its first parameter is no property, with the whole object; then the context.
 */
function planByNames(
  tool: string,
  names: readonly string[],
  properties: Readonly<Record<string, unknown>>,
): readonly ParameterPlan[] {
  const isProperty = (name: string): boolean => Object.hasOwn(properties, name);
  if (!isProperty(names[0] ?? "")) return [{ kind: "object" }, { kind: "context" }];
  const missing = Object.keys(properties).filter((property) => !names.includes(property));
  if (missing.length > 0) {
    throw new ConfigurationError(
      `The schema of the tool ${tool} has the properties ${missing.join(", ")}, which its function has no parameters for (${names.join(", ")}): name them alike, or take one object.`,
      { code: "invalid-tool", data: { tool, missing } },
    );
  }
  return names.map((name) => (isProperty(name) ? { kind: "property", name } : { kind: "context" }));
}

/** A call of the function with arguments in the places that `plan` says. */
function caller(
  source: FunctionTool,
  plan: readonly ParameterPlan[],
): (input: unknown, context: ToolContext) => unknown {
  const { fn, self, options } = source;
  if (!options.offload)
    return (input, context) => Reflect.apply(fn, self, placeArguments(plan, input, context));
  const call = offloaded(options.offload, describeFunction(fn));
  return (input, context) => {
    // A context cannot go to a thread.
    const args = placeArguments(plan, input, context).map((arg) => (arg === context ? undefined : arg));
    return call(args, context.signal);
  };
}

function placeArguments(plan: readonly ParameterPlan[], input: unknown, context: ToolContext): unknown[] {
  const values = isPlainObject(input) ? input : {};
  const own = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);
  const args: unknown[] = [];
  for (const parameter of plan) {
    if (parameter.kind === "context") args.push(context);
    else if (parameter.kind === "object") args.push(input);
    else if (parameter.kind === "property") args.push(own(parameter.name));
    else args.push(...restOf(own(parameter.name)));
  }
  return args;
}

function restOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
