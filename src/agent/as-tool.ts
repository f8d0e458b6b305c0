import { sleep } from "../base/util/sleep.ts";
import { describeValue, invalidOption } from "../base/options/known-options.ts";
import { slug } from "../base/util/slug.ts";
import { assertObjectSchema } from "../schema/assert-json-schema.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { Schema } from "../schema/types.ts";
import { type AgentLike, withToolAgent } from "../tool/agent-like.ts";
import {
  agentRunOptionNames,
  assertAgentRunOptions,
  type AgentRunOptions,
} from "../tool/agent-run-options.ts";
import { toSchema } from "../tool/define.ts";
import type { Tool, ToolInput } from "../tool/types.ts";

/** How an agent appears as a tool, and its limits. */
export interface AgentToolOptions extends AgentRunOptions {
  /** The agent's name in lower case by default. */
  readonly name?: string;
  /** The agent's description by default. */
  readonly description?: string;
}

/** How an agent appears as a tool whose input has a schema: what the calling model has to say. */
export interface TypedAgentToolOptions<I, S extends ToolInput<I> = ToolInput<I>> extends AgentToolOptions {
  /** A JSON Schema, or a schema of zod, valibot, arktype or any other Standard Schema. */
  readonly input: S;
  /** Writes the agent's message; without it, the agent reads the input as JSON. */
  readonly prompt?: (input: I) => string | Promise<string>;
}

const optionNames = {
  ...agentRunOptionNames,
  name: true,
  description: true,
  input: true,
  prompt: true,
} satisfies Record<keyof TypedAgentToolOptions<unknown>, true>;

/**
 * An agent as a tool of another one.
 * @throws ConfigurationError for an invalid option, or a schema that is not that of an object.
 */
export function agentTool(
  agent: AgentLike,
  options: AgentToolOptions & Partial<TypedAgentToolOptions<never>>,
): Tool {
  const place = `${agent.name}.asTool({ ... })`;
  assertAgentRunOptions(options, place, optionNames);
  const { name = slug(agent.name), description, input, prompt, ...limits } = options;
  assertPrompt(input, prompt, place);
  const tool: Tool = {
    name,
    description: description ?? agent.description ?? `Asks ${agent.name} and returns the answer.`,
    inputSchema: input ? inputSchema(input, place) : textSchema(agent),
    annotations: {},
    policy: { timeout: Number.POSITIVE_INFINITY },
    async execute(value, context) {
      const text = promptOf(value, input && (prompt ?? JSON.stringify));
      return context.runAgent(agent, await inTime(text, limits.timeout ?? longestPrompt), limits);
    },
  };
  return withToolAgent(tool, agent, limits.detached === true);
}

function assertPrompt(input: unknown, prompt: unknown, place: string): void {
  if (prompt === undefined) return;
  if (typeof prompt !== "function")
    throw invalidOption(
      `prompt of ${place} must be a function that returns a text, not ${describeValue(prompt)}.`,
      { option: "prompt" },
    );
  if (input === undefined)
    throw invalidOption(`prompt of ${place} needs a schema of what it reads. Set input, too.`, {
      option: "prompt",
    });
}

function inputSchema(input: ToolInput, place: string): Schema {
  const what = `the input of ${place}`;
  const schema = toSchema(input, what);
  assertObjectSchema(schema.jsonSchema, what);
  return schema;
}

function textSchema({ name }: AgentLike): Schema {
  return compileSchema({
    type: "object",
    properties: {
      input: { type: "string", description: `What to ask ${name}, complete in itself` },
    },
    required: ["input"],
    additionalProperties: false,
  });
}

/** How long `prompt` may take by default, in milliseconds. */
const longestPrompt = 60_000;

/** The tool itself has no timeout: its agent has one of its own. */
async function inTime(text: Promise<string>, timeout: number): Promise<string> {
  const over = new AbortController();
  const late = sleep(Math.min(timeout, 0x7fffffff), over.signal).then((): never => {
    throw new Error(`prompt did not return a text within ${timeout} ms.`);
  });
  try {
    return await Promise.race([text, late]);
  } finally {
    over.abort();
  }
}

/** The agent's message: the input's one text, or what `write` makes of the input. */
async function promptOf(value: unknown, write: ((input: never) => unknown) | undefined): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has checked the input
  const text: unknown = write ? await write(value as never) : (value as { input: string }).input;
  if (typeof text === "string") return text;
  throw new TypeError(`prompt must return a text, not ${describeValue(text)}`);
}
