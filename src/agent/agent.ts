import { ConfigurationError } from "../errors.ts";
import type { Message } from "../message/messages.ts";
import { assertModel, assertSettings, assertToolChoice } from "../model/check-settings.ts";
import type { Model, ModelSettings, ToolChoice } from "../model/types.ts";
import {
  assertKnownOptions,
  invalidOption,
  type OtherNames,
  readOptions,
} from "../base/options/known-options.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { assertMiddleware } from "../tool/check-middleware.ts";
import { frozenCopy } from "../base/util/snapshot.ts";
import { markAgent, type AgentLike } from "../tool/agent-like.ts";
import { assertOutput, type Output } from "../tool/output.ts";
import { keepOrigin, originOf, originOfSources, type SourcesOrigin } from "../tool/origins.ts";
import { copySources, toolEntries } from "../tool/resolve.ts";
import type { StepMiddleware } from "../tool/step-middleware.ts";
import type { Tool, ToolSources } from "../tool/types.ts";
import { agentTool, type AgentToolOptions, type TypedAgentToolOptions } from "./as-tool.ts";

/** What a function for instructions receives. */
export interface InstructionsInput<C = unknown> {
  /** Frozen. */
  readonly context: C;
  readonly agent: AgentLike;
  readonly messages: readonly Message[];
}

/** The system prompt: text, or a function that is called before each of the agent's model calls. */
export type Instructions<C = unknown> = string | ((input: InstructionsInput<C>) => string | Promise<string>);

/** An agent with any type of context, for lists of agents. */
export type AnyAgent = Agent<never>;

/** The options of an agent. */
export interface AgentOptions<C = unknown, O = unknown> {
  /** Shown in events and messages; a team's agents have different names. */
  readonly name: string;
  readonly instructions?: Instructions<C>;
  /** A `Model`, or a name such as `"openai:gpt-5.2"`. Without one, the agent uses the model that was used before it. */
  readonly model?: Model | string;
  /** Plain functions, `tool(...)`, `toolkit(...)` and toolsets; a record names its tools. */
  readonly tools?: ToolSources<C>;
  /** Agents this one can hand off to, each through a tool `transfer_to_<name>`. A function where agents refer to each other. */
  readonly handoffs?: readonly AnyAgent[] | (() => readonly AnyAgent[]);
  /** `"required"` and `{ tool }` apply to the agent's first model call of a run, then `"auto"`. */
  readonly toolChoice?: ToolChoice;
  /** Whether the model may make several calls in one answer. */
  readonly parallelToolCalls?: boolean;
  /** The schema of its final answer: a JSON Schema, a Standard Schema (zod, valibot, arktype), or `output<Invoice>()`. */
  readonly output?: Output<O>;
  readonly settings?: ModelSettings;
  /** Functions around the agent's model calls and calls of tools; those around whole runs are an option of the run. */
  readonly middleware?: readonly StepMiddleware[];
  /** What the agent is for, in a sentence: other agents' models read it when they choose a handoff. */
  readonly description?: string;
}

/** How many levels of subclasses without a constructor of their own are searched for the call. */
const mostClasses = 5;

/** The call that passed an agent its tools, by which their schemas are found. */
export function toolsOriginOf(agent: AnyAgent): SourcesOrigin | undefined {
  return originOf(agent);
}

/**
 * Instructions, tools and a model under one name. Immutable: `with` makes edited copies.
 *
 * @throws ConfigurationError if it has no name or lists something that is not a tool.
 * @throws NameClashError if two of its tools have the same name.
 */
export class Agent<C = unknown, O = unknown> implements AgentLike {
  readonly name: string;
  readonly description?: string;
  /** Called by a run only, with the agent's context. */
  readonly instructions?: Instructions<never>;
  readonly model?: Model | string;
  readonly tools: ToolSources;
  /** The agents it can hand off to. */
  readonly handoffs: readonly AnyAgent[] | (() => readonly AnyAgent[]);
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly output?: Output<O>;
  readonly settings?: ModelSettings;
  readonly middleware?: readonly StepMiddleware[];
  /** Untyped, so that an agent with any context is assignable to `AnyAgent`. */
  readonly #options: AgentOptions<never>;

  constructor(agentOptions: AgentOptions<C, O>) {
    const options = readAgentOptions(agentOptions);
    this.name = options.name;
    if (options.description !== undefined) this.description = options.description;
    if (options.instructions !== undefined) this.instructions = options.instructions;
    if (options.model !== undefined) this.model = options.model;
    if (options.toolChoice !== undefined) this.toolChoice = frozenCopy(options.toolChoice);
    if (options.parallelToolCalls !== undefined) this.parallelToolCalls = options.parallelToolCalls;
    if (options.output !== undefined) this.output = options.output;
    if (options.settings !== undefined) this.settings = frozenCopy(options.settings);
    if (options.middleware?.length) this.middleware = Object.freeze([...options.middleware]);
    const origin = originOfSources(
      options.tools,
      Agent,
      [0, "tools"],
      new.target === Agent ? 1 : mostClasses,
    );
    this.tools = copySources(options.tools);
    this.#options = { ...options, tools: this.tools };
    const { handoffs = [] } = options;
    this.handoffs = typeof handoffs === "function" ? handoffs : Object.freeze([...handoffs]);
    toolEntries(this.tools, `the agent ${this.name}`, origin);
    keepOrigin(this, origin);
    markAgent(this);
    Object.freeze(this);
  }

  /** An edited copy. */
  with<P = O>(edit: Partial<AgentOptions<C, P>>): Agent<C, P> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the agent's own options; without another output, P is O
    const options = this.#options as AgentOptions<C, P>;
    assertKnownOptions(edit, optionNames, "agent.with({ ... })", otherNames);
    const copy = new Agent<C, P>({ ...options, ...edit });
    // oxlint-disable-next-line typescript/unbound-method -- it is only compared with the functions that are running
    const called = Agent.prototype.with;
    const origin = originOfSources(edit.tools, called, [0, "tools"]);
    keepOrigin(copy, edit.tools === undefined ? originOf(this) : origin);
    return copy;
  }

  /** This agent as a tool of another one: it runs to its end on `input`, and its text is the result. */
  asTool(options?: AgentToolOptions): Tool<{ input: string }, string>;
  /** This agent as a tool whose input is a JSON Schema. */
  asTool<I = Record<string, unknown>>(options: TypedAgentToolOptions<I, JsonSchema>): Tool<I, string>;
  /** This agent as a tool whose input is a schema of zod, valibot, arktype or any other Standard Schema. */
  asTool<I>(options: TypedAgentToolOptions<I, StandardSchema<unknown, I>>): Tool<I, string>;
  asTool(options: AgentToolOptions = {}): Tool {
    return agentTool(this, options);
  }
}

const optionNames = {
  name: true,
  instructions: true,
  model: true,
  tools: true,
  handoffs: true,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  settings: true,
  middleware: true,
  description: true,
} satisfies Record<keyof AgentOptions, true>;

/** What the AI SDK and LangGraph call them. */
const otherNames: OtherNames = {
  system: "instructions",
  systemPrompt: "instructions",
  prompt: "instructions",
};

/** @throws ConfigurationError for the first invalid option. */
function readAgentOptions<C, O>(rawOptions: AgentOptions<C, O>): AgentOptions<C, O> {
  if (typeof rawOptions?.name !== "string" || rawOptions.name.trim() === "") {
    throw new ConfigurationError('An agent needs a name: new Agent({ name: "Support" }).', {
      code: "invalid-agent",
    });
  }
  const place = `the agent ${rawOptions.name}`;
  const options = readOptions(rawOptions, optionNames, place, otherNames);
  assertModel(options.model, place);
  assertSettings(options.settings, place);
  assertToolChoice(options.toolChoice, place);
  assertOutput(options.output, place);
  assertMiddleware(options.middleware, place, false);
  const { handoffs, instructions, tools } = options;
  if (instructions !== undefined && typeof instructions !== "string" && typeof instructions !== "function") {
    throw invalidOption(`instructions of ${place} must be a text or a function that returns one.`, {
      option: "instructions",
    });
  }
  if (handoffs !== undefined && typeof handoffs !== "function" && !Array.isArray(handoffs)) {
    throw invalidOption(`handoffs of ${place} must be a list of agents, or a function that returns one.`, {
      option: "handoffs",
    });
  }
  if (tools !== undefined && (typeof tools !== "object" || tools === null)) {
    throw invalidOption(`tools of ${place} must be a list, or a record by name.`, { option: "tools" });
  }
  return options;
}
