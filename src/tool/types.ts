import type { Message } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema, Schema } from "../schema/types.ts";
import type { AgentLike } from "./agent-like.ts";
import type { Offload } from "./offload.ts";
import type { ToolArguments, ToolPolicy } from "./policy.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolFunction } from "./tool-function.ts";

/** Describes a tool without changing what it does. */
export interface ToolAnnotations {
  /** A name for people, as in the Model Context Protocol. */
  readonly title?: string;
  /** A prefix of the tool's name, joined with `_`, against clashes between tools of several sources. */
  readonly namespace?: string;
  /** Words for searching and filtering tools. Models do not see them. */
  readonly tags?: readonly string[];
  /** The tool's version, such as `"2.1.0"`. Models do not see it. */
  readonly version?: string;
  /**
   * Marks the tool as deprecated: the model sees that, with your text if it is one, and a run that calls it warns once. With
   * `use`, the name of another tool of the agent, models see only that one, and calls of this one go to it.
   */
  readonly deprecated?: boolean | string | { readonly use: string };
  /** It changes nothing. This and the next three are hints of the Model Context Protocol; Skein does not enforce them. */
  readonly readOnlyHint?: boolean;
  /** It may delete or overwrite data. */
  readonly destructiveHint?: boolean;
  /** Repeating a call has no further effect. */
  readonly idempotentHint?: boolean;
  /** It reaches beyond the application's own data: the web, say. */
  readonly openWorldHint?: boolean;
  /** The app that shows its calls (MCP Apps): events of the calls name it. Models do not see it. */
  readonly ui?: ToolUi;
}

/** The app that shows the calls of a tool: a page of an MCP server (MCP Apps, SEP-1865). */
export interface ToolUi {
  /** The address of the page, such as `"ui://weather/view.html"`: at most 1,000 characters. */
  readonly resourceUri: string;
  /** The name of the MCP server that has the page. `mcp()` sets it; leave it out where your own server has the page. */
  readonly server?: string;
  /** Tells servers of one name apart. `mcp()` sets it; clients do not see it. */
  readonly serverId?: string;
}

/** A tool, complete: what the model sees, and what is executed. */
export interface Tool<I = unknown, O = unknown, C = unknown> {
  readonly name: string;
  readonly description?: string;
  /** What a model that has the tool reads below the agent's instructions. Keep it the same: what a provider caches begins with it. */
  readonly instructions?: string;
  /** Whether its latest result, with the answer that it is for, stays when a history is made shorter: of a tool that states how things are. */
  readonly keepLatest?: boolean;
  readonly inputSchema: Schema<I>;
  readonly outputSchema?: Schema<O>;
  readonly annotations: ToolAnnotations;
  /** Its functions get arguments and contexts of the tool's own types. */
  readonly policy: ToolPolicy<never, never>;
  /** What the schema cannot express fully, one sentence each; a run adds them to its warnings. */
  readonly warnings?: readonly string[];
  /** Absent for a tool that is executed elsewhere: its calls come back in `pending`. */
  execute?(input: I, context: ToolContext<C>): unknown;
}

/** Marks objects that are expected to be toolkits, for the compiler. It is never set on a value. */
declare const toolkitInstance: unique symbol;

/** Any object: its public methods are the tools. */
export type ToolkitInstance = object & { readonly [toolkitInstance]?: true };

/** A function with its options, made by `tool(fn, options)`; its schema is found at the first run. */
export interface FunctionTool<C = never> {
  readonly fn: ToolFunction<C>;
  /** The tool's name, if the options or the function have one. */
  readonly name: string | undefined;
  readonly options: FunctionToolOptions<never, never>;
  /** The options that the executor enforces. Limits are shared through this object by all agents that list the tool. */
  readonly policy: ToolPolicy<never, never>;
  /** The value of `this` within the function. */
  readonly self?: object;
  /** The call that passed the function to Skein, by which its schema is found. */
  readonly origin?: ToolOrigin;
}

/** Where something was called: `stack` contains that frame. It is computed when it is first read. */
export interface CallSite {
  readonly stack?: string;
}

/** The position of a function in the arguments of a call. */
export interface ToolOrigin {
  readonly calledAt: CallSite;
  /** The argument's index, then keys: `[0, "tools", 2]`. */
  readonly path: readonly (string | number)[];
  /** If the last key is an index: the length of that list. */
  readonly length?: number;
  /** A method of a class that a toolkit lists of itself: it becomes a tool only where something shows that it is public. */
  readonly isMethod?: true;
}

/**
 * How a plain function appears to the model, and its limits. `I` is the type of the arguments that its policies read, `C` the
 * context that they need.
 */
export interface FunctionToolOptions<I = ToolArguments, C = unknown>
  extends ToolPolicy<I, C>, ToolAnnotations {
  /** Instead of the function's own name. */
  readonly name?: string;
  /** Instead of the doc comment's summary. */
  readonly description?: string;
  /**
   * Overrides the derived schema: JSON Schema or any Standard Schema. It must match the signature. The name and the
   * description stay the function's own, as do `@param` texts for properties of a JSON Schema that have no description.
   */
  readonly input?: ToolInput;
  /** Calls a function of a module in a thread instead: for work that would block the process. */
  readonly offload?: Offload;
}

/** A schema in the form that programs write: JSON Schema as data, or a schema of zod, valibot, arktype and the like. */
export type ToolInput<I = unknown> = JsonSchema | StandardSchema<unknown, I>;

/** A complete tool that runs with the context `C`. */
export type ToolFor<C> = Tool & {
  /** Called with the validated input; absent for a tool that is executed elsewhere. */
  readonly execute?: (input: never, context: ToolContext<C>) => unknown;
};

/** Everything that can be an entry of `tools` of an agent with the context `C`. */
export type ToolSource<C = never> = ToolFunction<C> | FunctionTool<C> | ToolFor<C> | Toolset;

/** The tools of an agent with the context `C`: a list, or a record whose keys are the names. */
export type ToolSources<C = never> =
  | readonly ToolSource<C>[]
  | { readonly [name: string]: ToolFunction<C> | FunctionTool<C> | ToolFor<C> };

/** Tools that are listed at run time: those of a server, say. */
export interface Toolset {
  /** Shown in messages about name clashes. */
  readonly name: string;
  /** Called before each model call; the order must be stable. */
  tools(context: ToolsetContext): readonly Tool[] | Promise<readonly Tool[]>;
  /** Releases what the tools use: connections, threads, processes. */
  close?(): Promise<void>;
}

/** What a toolset can base its list on. */
export interface ToolsetContext {
  readonly context: unknown;
  readonly agent: AgentLike | undefined;
  /** The history so far: one list for the whole run, which grows. */
  readonly messages: readonly Message[];
  /** The names of the sets that the tools are listed for, the outermost first, this one's last. */
  readonly path?: readonly string[];
  /** Where the tools come from that the agent has a name for, also where the history was made shorter since: from the outermost set on. */
  readonly named?: readonly (readonly string[])[];
  /** Adds a warning to the run; the same text only once. */
  readonly warn?: (message: string) => void;
}

/** A tool's result with more than a value; created by `result()`. */
export interface ToolReturn<C = unknown> {
  /** The same as returning this value directly. */
  readonly value?: unknown;
  /** Hands off to this agent. */
  readonly agent?: AgentLike;
  /** Changes to the context, merged shallowly once the batch is done. */
  readonly context?: Partial<C>;
  /** What the model sees, if not `value`: text, images, files. */
  readonly content?: string | readonly Part[];
  /** Marks the call as failed. */
  readonly isError?: boolean;
  /** Ends the run with this result as its text. */
  readonly final?: boolean;
  /**
   * For the page that shows the call: the event `tool-end` has it, at most 1,048,576 characters of JSON. Models and histories do not; a
   * cache keeps it with the result, and MCP clients get it as `_meta`.
   */
  readonly meta?: Readonly<Record<string, unknown>>;
}
