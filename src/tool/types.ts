import type { Message } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import type { Model } from "../model/types.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema, Schema } from "../schema/types.ts";
import type { AgentLike } from "./agent-like.ts";
import type { Offload } from "./offload.ts";
import type { ToolPolicy } from "./policy.ts";

/** What a tool is given beside its arguments. Declare a parameter of this type and it is injected, unseen by the model. */
export interface ToolContext<C = unknown> {
  /** The application's data as it was before this batch of calls. Frozen: return `result({ context })` to change it. */
  readonly context: C;
  /** Aborted when the run is cancelled or the tool's deadline has passed. */
  readonly signal: AbortSignal;
  /** The agent that made the call; `undefined` outside a run. */
  readonly agent: AgentLike | undefined;
  /** The model that made the call; `undefined` outside a run. What it is asked here does not count for the run. */
  readonly model?: Model | undefined;
  readonly toolCallId: string;
  /** The same for every attempt at this call, also after a resumption: give it to services that take one. */
  readonly idempotencyKey: string;
  /** The history up to the call. */
  readonly messages: readonly Message[];
  /** Reports progress: a `tool-progress` event. */
  readonly progress: (value: unknown) => void;
  /**
   * Calls another tool of the same agent, with all checks and policies, and gives back a copy of its value, or the agent that
   * it hands over to. Rejects with what a model would be told, if the call does not succeed.
   */
  readonly call: (toolName: string, args: unknown) => Promise<unknown>;
  /** Runs another agent to its end and gives back its text. */
  readonly runAgent: (agent: AgentLike, input: string) => Promise<string>;
}

/** What describes a tool and changes nothing of what it does. */
export interface ToolAnnotations {
  /** A name for people, as in the Model Context Protocol. */
  readonly title?: string;
  /** In front of the tool's name, with `_` between, so that tools of several sources stay apart. */
  readonly namespace?: string;
  /** Words to find and to choose the tool by. Models are not told. */
  readonly tags?: readonly string[];
  /** Such as `"2.1.0"`. Models are not told. */
  readonly version?: string;
  /**
   * The tool is on its way out: the model is told, with your words for it if there are any, and a run that calls it warns
   * once. With `use`, the name of another tool of the agent, models are told of that one only, and calls of this one go to it.
   */
  readonly deprecated?: boolean | string | { readonly use: string };
  /** It changes nothing. This and the next three are those of the Model Context Protocol: hints, which nobody is held to. */
  readonly readOnlyHint?: boolean;
  /** What it changes may be lost. */
  readonly destructiveHint?: boolean;
  /** The same call twice does no more than once. */
  readonly idempotentHint?: boolean;
  /** It deals with more than the application's own data: the web, say. */
  readonly openWorldHint?: boolean;
}

/** A tool, complete: what the model is told, and what is done. */
export interface Tool<I = unknown, O = unknown, C = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema<I>;
  readonly outputSchema?: Schema<O>;
  readonly annotations: ToolAnnotations;
  readonly policy: ToolPolicy;
  /** What the schema says only in part, one sentence each; a run passes them on in its warnings. */
  readonly warnings?: readonly string[];
  /** Absent for a tool that is executed elsewhere: its calls come back in `pending`. */
  execute?(input: I, context: ToolContext<C>): unknown;
}

/** Marks functions that are expected to be tools, for the compiler. It is never set on a value. */
declare const toolFunction: unique symbol;

/** Any plain function: its signature and doc comment are the tool. */
export type ToolFunction = ((...args: never[]) => unknown) & { readonly [toolFunction]?: true };

/** Marks objects that are expected to be toolkits, for the compiler. It is never set on a value. */
declare const toolkitInstance: unique symbol;

/** Any object: its public methods are the tools. */
export type ToolkitInstance = object & { readonly [toolkitInstance]?: true };

/** A function with its options, made by `tool(fn, options)`; its schema is found at the first run. */
export interface FunctionTool {
  readonly fn: ToolFunction;
  /** The name the model calls it by, where the options or the function say one. */
  readonly name: string | undefined;
  readonly options: FunctionToolOptions;
  /** The options that the executor enforces. One object for all agents that list the tool: what is shared is kept by it. */
  readonly policy: ToolPolicy;
  /** What `this` is within the function. */
  readonly self?: object;
}

/** How a plain function shall appear to the model, and what it is held to. */
export interface FunctionToolOptions extends ToolPolicy, ToolAnnotations {
  /** Instead of the function's own name. */
  readonly name?: string;
  /** Instead of the doc comment's summary. */
  readonly description?: string;
  /** Instead of the schema of the signature: JSON Schema or any Standard Schema. */
  readonly input?: ToolInput;
  /** Executes a module's function in a thread instead: for work that would block everything else. */
  readonly offload?: Offload;
}

/** A schema as programs write it: JSON Schema as data, or a schema of zod, valibot, arktype and the like. */
export type ToolInput<I = unknown> = JsonSchema | StandardSchema<unknown, I>;

/** Whatever can be listed as an agent's tool. */
export type ToolSource = ToolFunction | FunctionTool | Tool | Toolset;

/** An agent's tools: a list, or a record whose keys are the names. */
export type ToolSources =
  | readonly ToolSource[]
  | { readonly [name: string]: ToolFunction | FunctionTool | Tool };

/** Tools that are known only when asked for: those of a server, say. */
export interface Toolset {
  /** Shown in messages about name clashes. */
  readonly name: string;
  /** Asked before each model call; the order must be stable. */
  tools(context: ToolsetContext): readonly Tool[] | Promise<readonly Tool[]>;
  /** Gives up what the tools hold: connections, threads, processes. */
  close?(): Promise<void>;
}

/** What a toolset may look at to decide which tools there are. */
export interface ToolsetContext {
  readonly context: unknown;
  readonly agent: AgentLike | undefined;
  /** The history so far: one list for the whole run, which grows. */
  readonly messages: readonly Message[];
  /** Reports something that the run survives: a warning of the run, the same words only once. */
  readonly warn?: (message: string) => void;
}

/** What a tool can return to say more than a value; made by `result()`. */
export interface ToolReturn<C = unknown> {
  /** The value, as if it had been returned plainly. */
  readonly value?: unknown;
  /** Hands the lead to this agent. */
  readonly agent?: AgentLike;
  /** Changes to the context, merged shallowly once the batch is done. */
  readonly context?: Partial<C>;
  /** What the model sees, if not `value`: text, images, files. */
  readonly content?: string | readonly Part[];
  /** Says that the call failed. */
  readonly isError?: boolean;
  /** Ends the run with this result as its text. */
  readonly final?: boolean;
}
