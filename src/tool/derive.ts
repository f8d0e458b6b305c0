import {
  hasAttachedSchema,
  isAmbiguous,
  knownPlacement,
  knownSchema,
  rememberSchema,
} from "../schema/attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import { defaultsOfParameters, mergeDefaults, withArgumentDefaults } from "../schema/argument-defaults.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { revived } from "../schema/revive.ts";
import { unboundThisMessage } from "../schema/unbound-this.ts";
import { placeKey } from "../base/util/place-key.ts";
import { assertNoCaller, isNative } from "./callers.ts";
import { annotationsOf, namespaced } from "./define.ts";
import { describeFunction, functionName } from "./function-name.ts";
import { loadReflection } from "./load-reflection.ts";
import { offloaded } from "./offload.ts";
import { matchInput } from "./own-schema.ts";
import { placeArguments, type Placement } from "./placement.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { ToolContext } from "./tool-context.ts";
import type { FunctionTool, Tool, ToolInput } from "./types.ts";

/** A function's schema, or why it has none. */
type Finding = FunctionSchema | SchemaNotFoundError;

/** A function whose schema is needed, and the call that passed it to Skein. */
type Sought = Pick<FunctionTool, "fn" | "origin">;

/** Schemas of functions by the calls that passed them to Skein. A call that runs again finds the same schema. */
const schemasByPlace = new WeakMap<ToolFunction, Map<string, FunctionSchema>>();

/** The schemas of functions, in their order. Those that are not cached are derived together. */
export async function findSchemas(functions: readonly Sought[]): Promise<readonly Finding[]> {
  const unknown = functions.filter(
    (source) => currentSchema(source) === undefined && !isAmbiguous(source.fn),
  );
  const findings = new Map<Sought, Finding>();
  // One function that is listed twice may have two types: both are looked up.
  for (const batch of distinctBatches(unknown)) {
    const reflection = await loadReflection();
    const descriptions = await reflection.describeFunctions(
      batch.map(({ fn }) => fn),
      batch.map(({ origin }) => origin),
    );
    for (const [index, source] of batch.entries()) {
      const finding = descriptions[index];
      if (finding) findings.set(source, finding);
      if (finding && !(finding instanceof SchemaNotFoundError)) rememberFinding(source, finding);
    }
  }
  return functions.map((source) =>
    isAmbiguous(source.fn)
      ? severalTypes(source.fn)
      : (currentSchema(source) ?? findings.get(source) ?? noSchemaError(source.fn)),
  );
}

/** The cached schema of a function at the place where it is passed: at another place, it may have another type. */
function currentSchema({ fn, origin }: Sought): FunctionSchema | undefined {
  if (!origin || hasAttachedSchema(fn)) return knownSchema(fn);
  return schemasByPlace.get(fn)?.get(placeKey(origin));
}

function rememberFinding({ fn, origin }: Sought, schema: FunctionSchema): void {
  // A method that is private in its class may still be a tool at another place.
  if (!schema.hidden) rememberSchema(fn, schema);
  if (!origin) return;
  const places = schemasByPlace.get(fn) ?? new Map<string, FunctionSchema>();
  schemasByPlace.set(fn, places.set(placeKey(origin), schema));
}

/** The first use of each function, then the second of those that have one, and so on. */
function distinctBatches(sources: readonly Sought[]): readonly (readonly Sought[])[] {
  const batches: Sought[][] = [];
  const uses = new Map<ToolFunction, number>();
  for (const source of sources) {
    const use = uses.get(source.fn) ?? 0;
    uses.set(source.fn, use + 1);
    (batches[use] ??= []).push(source);
  }
  return batches;
}

function severalTypes(fn: ToolFunction): SchemaNotFoundError {
  return new SchemaNotFoundError(
    `${describeFunction(fn)} is used with several types, and a function has one schema. ` +
      "Pass a function of its own for each: (city: string) => fn(city), or override the method in each subclass: " +
      `override ${fn.name}(item: Item) { return super.${fn.name}(item); }.`,
    { data: { function: fn.name } },
  );
}

function joined(errors: readonly SchemaNotFoundError[]): SchemaNotFoundError {
  const [first] = errors;
  if (first && errors.length === 1) return first;
  return new SchemaNotFoundError(
    `${errors.length} tools have no schema:\n${errors.map(({ message }) => message).join("\n")}`,
    { data: { errors: errors.map(({ data }) => data) }, cause: first?.cause },
  );
}

function noSchemaError(fn: ToolFunction): SchemaNotFoundError {
  return new SchemaNotFoundError(`No schema was found for ${describeFunction(fn)}.`);
}

/**
 * Makes tools from functions, in their order.
 * @param earlierFindings - Schemas that the caller has already checked: the tools must be made from the same ones.
 * @throws SchemaNotFoundError naming every function that has no schema; ConfigurationError for one that a schema does not fit.
 */
export async function deriveTools(
  functions: readonly FunctionTool[],
  earlierFindings?: ReadonlyMap<FunctionTool, Finding>,
): Promise<readonly Tool[]> {
  const withoutInput = functions.filter(({ fn, options }) => !options.input || !knownPlacement(fn));
  const findings = earlierFindings ?? (await findAll(withoutInput));
  const errors = withoutInput.flatMap((source) => {
    const finding = findings.get(source);
    return !source.options.input && finding instanceof SchemaNotFoundError ? [finding] : [];
  });
  if (errors.length > 0) throw joined([...new Set(errors)]);
  return functions.map((source) => {
    const finding = findings.get(source);
    const { input } = source.options;
    if (input) return toolFromInput(source, input, finding);
    if (!finding || finding instanceof SchemaNotFoundError) throw finding ?? noSchemaError(source.fn);
    return toolFromSchema(source, finding);
  });
}

/** The schema, or the error, of each function. */
export async function findAll(
  functions: readonly FunctionTool[],
): Promise<ReadonlyMap<FunctionTool, Finding>> {
  const findings = await findSchemas(functions);
  return new Map(functions.map((source, index) => [source, findings[index] ?? noSchemaError(source.fn)]));
}

/** @throws ConfigurationError for a function that needs a `this` and has none. */
function assertThis({ fn, self }: FunctionTool, { name, thisType }: FunctionSchema): void {
  if (thisType === undefined || self !== undefined || isNative(fn)) return;
  throw new ConfigurationError(unboundThisMessage(name || functionName(fn) || "", thisType), {
    code: "invalid-tool",
    data: { function: name, thisType },
  });
}

function toolFromSchema(source: FunctionTool, schema: FunctionSchema): Tool {
  assertNoCaller(source.fn, schema);
  assertThis(source, schema);
  const description = source.options.description ?? schema.description;
  const input = compileSchema(schema.inputSchema);
  const name = nameOf(source, schema);
  if (name === "") {
    throw new ConfigurationError(
      `The function ${describeFunction(source.fn)} has no name. Name it, or write tool(fn, { name: "..." }).`,
      { code: "invalid-tool" },
    );
  }
  return {
    name,
    ...(description && { description }),
    inputSchema: withArgumentDefaults(
      schema.revive ? revived(input, schema.revive) : input,
      defaultsOfParameters(schema.parameters),
    ),
    ...(schema.outputSchema && { outputSchema: compileSchema(schema.outputSchema) }),
    annotations: { ...(schema.deprecated && { deprecated: true }), ...annotationsOf(source.options) },
    policy: source.policy,
    ...(schema.warnings && { warnings: schema.warnings }),
    execute: caller(source, schema.parameters),
  };
}

/** The name in the options, else the schema's: a wrapper's own name may be any. */
function nameOf({ name = "", options }: FunctionTool, schema: FunctionSchema): string {
  return options.name !== undefined || schema.name === "" ? name : namespaced(schema.name, options);
}

function toolFromInput(source: FunctionTool, input: ToolInput, finding: Finding | undefined): Tool {
  const { fn, options } = source;
  const name = source.name;
  if (name === undefined) {
    throw new ConfigurationError(
      `The function ${describeFunction(fn)} has no name. Set one with tool(fn, { name: "...", input }).`,
      { code: "invalid-tool" },
    );
  }
  const { schema, placements, defaults, signature } = matchInput(source, name, input, finding);
  assertNoCaller(fn, signature);
  assertThis(source, signature);
  const description = options.description ?? signature.description;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: withArgumentDefaults(schema, mergeDefaults(defaults, defaultsOfParameters(placements))),
    annotations: { ...(signature.deprecated && { deprecated: true }), ...annotationsOf(options) },
    policy: source.policy,
    execute: caller(source, placements),
  };
}

/** Calls the function with each argument at its place. */
function caller(
  source: FunctionTool,
  placements: readonly Placement[],
): (input: unknown, context: ToolContext) => unknown {
  const { fn, self, options } = source;
  if (!options.offload)
    return (input, context) => Reflect.apply(fn, self, placeArguments(placements, input, context));
  const call = offloaded(options.offload, describeFunction(fn));
  return (input, context) => {
    // A context cannot be sent to a thread.
    const args = placeArguments(placements, input, context).map((arg) => (arg === context ? undefined : arg));
    return call(args, context.signal);
  };
}
