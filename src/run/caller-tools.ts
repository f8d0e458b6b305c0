import type { AnyAgent } from "../agent/agent.ts";
import { reachableAgents } from "../agent/handoff.ts";
import { staticToolNames } from "../agent/agent-tools.ts";
import { describeValue } from "../base/options/known-options.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { isPlainObject } from "../base/util/json.ts";
import { toStorable } from "../base/util/storable.ts";
import { InvalidInputError } from "../errors.ts";
import { assertObjectSchema, assertShallowSchema } from "../schema/assert-json-schema.ts";
import { compileWithMatcher } from "../schema/compile-with-matcher.ts";
import type { JsonSchema } from "../schema/types.ts";
import { ToolTable } from "../tool/table.ts";
import { callersTools } from "../tool/tool-names.ts";
import type { Tool } from "../tool/types.ts";

/** A tool that the program which starts a run executes, as plain JSON: its calls pause the run until they have results. */
export interface CallerTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description?: string;
  /** The schema of its arguments, an object. Its patterns are tested in linear time. */
  readonly input: JsonSchema;
}

/** How many there may be, and how many characters of JSON they may have together. */
const mostTools = 128;
const mostCharacters = 1_000_000;

const fieldNames: readonly string[] = ["name", "description", "input"] satisfies (keyof CallerTool)[];

/** Tools of a caller that were checked. */
export interface CheckedTools {
  /** Copies that can be stored. */
  readonly plain: readonly CallerTool[];
  /** The same, to be used in a run. */
  readonly tools: readonly Tool[];
}

/**
 * Checks tools that came from outside.
 * @param agent - That which begins the run.
 * @param place - What they are called, such as `The option tools of start()`.
 * @throws InvalidInputError for what is not a list of tools, too much of it, a schema that cannot be used, and a name that another one of
 * them or a tool of the agent has.
 */
export function readCallerTools(input: unknown, agent: AnyAgent, place: string): CheckedTools {
  if (!Array.isArray(input))
    throw new InvalidInputError(`${place} must be a list of tools, not ${describeValue(input)}.`);
  if (input.length > mostTools)
    throw new InvalidInputError(`${place} must have at most ${mostTools} tools, not ${input.length}.`);
  const plain = input.map((each: unknown, index) => readTool(each, `${place}[${index}]`));
  const { length } = JSON.stringify(plain);
  if (length > mostCharacters)
    throw new InvalidInputError(
      `${place} must have at most ${mostCharacters} characters as JSON, not ${length}.`,
    );
  assertNames(plain, agent, place);
  const tools = compileCallerTools(plain);
  assertSchemas(tools, place);
  return { plain, tools };
}

/** Makes tools for a run of those that `readCallerTools` has checked. */
export function compileCallerTools(tools: readonly CallerTool[]): readonly Tool[] {
  return tools.map(({ name, description, input }) =>
    Object.freeze({
      name,
      ...(description !== undefined && { description }),
      inputSchema: compileWithMatcher(input),
      annotations: {},
      policy: {},
    }),
  );
}

function assertSchemas(tools: readonly Tool[], place: string): void {
  for (const [index, { name, inputSchema }] of tools.entries())
    try {
      assertObjectSchema(inputSchema.jsonSchema, `the tool ${name}`);
      // It is compiled with the first value, whatever that is.
      inputSchema.validate({});
    } catch (error) {
      throw new InvalidInputError(`${place}[${index}] cannot be used: ${safeMessage(error)}`, { name });
    }
}

function readTool(input: unknown, place: string): CallerTool {
  if (!isPlainObject(input))
    throw new InvalidInputError(
      `${place} must be a tool as plain JSON, such as { name: "askUser", input: { type: "object", properties: {} } }, not ${describeValue(input)}.`,
    );
  const other = Object.keys(input).find((name) => !fieldNames.includes(name));
  if (other !== undefined)
    throw new InvalidInputError(`${place} has the field "${other}". A tool has name, description and input.`);
  const { name, description, input: schema } = input;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
    throw new InvalidInputError(
      `${place}.name must be 1 to 64 letters, digits, "_" and "-", not ${describeValue(name)}.`,
    );
  if (description !== undefined && typeof description !== "string")
    throw new InvalidInputError(`${place}.description must be a text, not ${describeValue(description)}.`);
  return {
    name,
    ...(description !== undefined && { description }),
    input: readSchema(schema, `${place}.input`),
  };
}

/**
 * Checks the schema of an answer that came from outside, and returns a copy that can be stored.
 * @param place - What it is called, such as `The option output of start()`.
 * @throws InvalidInputError for what is not a schema, too large, or has patterns that cannot be tested in bounded time.
 */
export function readCallerOutput(output: unknown, place: string): JsonSchema {
  const schema = readSchema(output, place);
  const { length } = JSON.stringify(schema);
  if (length > mostCharacters)
    throw new InvalidInputError(
      `${place} must have at most ${mostCharacters} characters as JSON, not ${length}.`,
    );
  try {
    compileWithMatcher(schema);
  } catch (error) {
    throw new InvalidInputError(`${place} cannot be used: ${safeMessage(error)}`);
  }
  return schema;
}

function readSchema(schema: unknown, place: string): JsonSchema {
  if (!isPlainObject(schema))
    throw new InvalidInputError(`${place} must be a JSON Schema, not ${describeValue(schema)}.`);
  try {
    assertShallowSchema(schema, place);
  } catch (error) {
    throw new InvalidInputError(safeMessage(error));
  }
  const { value, omissions } = toStorable(schema, place);
  const [omission] = omissions;
  if (omission) throw new InvalidInputError(`${omission.path} must be JSON, but is ${omission.what}.`);
  const copy: JsonSchema = JSON.parse(JSON.stringify(value));
  return copy;
}

function assertNames(tools: readonly CallerTool[], agent: AnyAgent, place: string): void {
  // An agent that it hands off to would take what the client says of the tool for its own tool's word.
  const own = new Set(reachableAgents([agent]).flatMap((each) => [...staticToolNames(each)]));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name))
      throw new InvalidInputError(`${place} has two tools "${name}". Rename one of them.`, { name });
    if (own.has(name))
      throw new InvalidInputError(
        `${place} has a tool "${name}", and so has the agent ${agent.name}. Rename one of them.`,
        { name },
      );
    names.add(name);
  }
}

/** The tools of an agent with those of the caller, and the names of those that are left out: the agent has others by these. */
export interface CombinedTools {
  readonly toolTable: ToolTable;
  readonly leftOut: readonly string[];
}

/** The last combinations: the list of tools that a model sees stays the same as long as the agent's own do. */
const combinations = new WeakMap<readonly Tool[], WeakMap<ToolTable, CombinedTools>>();

/** Adds the tools of a caller to those of an agent, behind them. What a name leads to may change from run to run, as in a toolset. */
export function withCallerTools(own: ToolTable, tools: readonly Tool[]): CombinedTools {
  const earlier = combinations.get(tools) ?? new WeakMap<ToolTable, CombinedTools>();
  combinations.set(tools, earlier);
  const combined = earlier.get(own) ?? combine(own, tools);
  earlier.set(own, combined);
  return combined;
}

function combine(own: ToolTable, tools: readonly Tool[]): CombinedTools {
  const toolTable = new ToolTable([], own.refused, { isDynamic: true, originOf: () => undefined });
  for (const tool of own.tools) toolTable.register(tool, "tools", own.originOf(tool.name));
  const leftOut: string[] = [];
  for (const tool of tools) {
    if (own.has(tool.name)) leftOut.push(tool.name);
    else toolTable.register(tool, callersTools, [callersTools, tool.name]);
  }
  return { toolTable, leftOut };
}
