import type { Message } from "../message/messages.ts";
import type { Part } from "../message/parts.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema, Schema } from "../schema/types.ts";
import type { AgentLike } from "./agent-like.ts";
import type { Offload } from "./offload.ts";
import type { ToolArguments, ToolPolicy } from "./policy.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolFunction } from "./tool-function.ts";

/** What describes a tool and changes nothing of what it does. */
export interface ToolAnnotations {
  /** A name for people, as in the Model Context Protocol. */
  readonly title?: string;
  /** In front of the tool's name, with `_` between, so that tools of several sources stay apart. */
  readonly namespace?: string;
  /** Words to find and to choose the tool by. Models do not see them. */
  readonly tags?: readonly string[];
  /** Such as `"2.1.0"`. Models do not see it. */
  readonly version?: string;
  /**
   * The tool is on its way out: the model sees that, in your words if there are any, and a run that calls it warns
   * once. With `use`, the name of another tool of the agent, models see that one only, and calls of this one go to it.
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

/** A tool, complete: what the model sees, and what is executed. */
export interface Tool<I = unknown, O = unknown, C = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Schema<I>;
  readonly outputSchema?: Schema<O>;
  readonly annotations: ToolAnnotations;
  /** Its functions get arguments and contexts of the tool's own types. */
  readonly policy: ToolPolicy<never, never>;
  /** What the schema says only in part, one sentence each; a run passes them on in its warnings. */
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
  /** The name the model calls it by, where the options or the function say one. */
  readonly name: string | undefined;
  readonly options: FunctionToolOptions<never, never>;
  /** The options that the executor enforces. One object for all agents that list the tool: what is shared is kept by it. */
  readonly policy: ToolPolicy<never, never>;
  /** What `this` is within the function. */
  readonly self?: object;
  /** The call that passed the function on, where its schema may have to be looked for. */
  readonly origin?: ToolOrigin;
}

/** Where something was called: `stack` has that frame, and is made of it when it is first read. */
export interface CallSite {
  readonly stack?: string;
}

/** Where a function stands among the arguments of a call. */
export interface ToolOrigin {
  readonly calledAt: CallSite;
  /** The argument's index, then keys: `[0, "tools", 2]`. */
  readonly path: readonly (string | number)[];
  /** How many elements the list had that the last key is an index of. */
  readonly length?: number;
  /** A method of a class that a toolkit lists of itself: it becomes a tool only where something shows that it is public. */
  readonly isMethod?: true;
}

/**
 * How a plain function appears to the model, and its limits. `I` is what its policies get as arguments, `C` the
 * context that they need.
 */
export interface FunctionToolOptions<I = ToolArguments, C = unknown>
  extends ToolPolicy<I, C>, ToolAnnotations {
  /** Instead of the function's own name. */
  readonly name?: string;
  /** Instead of the doc comment's summary. */
  readonly description?: string;
  /**
   * Instead of the schema of the signature: JSON Schema or any Standard Schema. It must fit the signature. The name and the
   * description stay the function's own, as do `@param` texts for properties of a JSON Schema that have no description.
   */
  readonly input?: ToolInput;
  /** Executes a module's function in a thread instead: for work that would block everything else. */
  readonly offload?: Offload;
}

/** A schema as programs write it: JSON Schema as data, or a schema of zod, valibot, arktype and the like. */
export type ToolInput<I = unknown> = JsonSchema | StandardSchema<unknown, I>;

/** A complete tool for which the context `C` is enough. */
export type ToolFor<C> = Tool & {
  /** Called with the validated input; absent for a tool that is executed elsewhere. */
  readonly execute?: (input: never, context: ToolContext<C>) => unknown;
};

/** Whatever can be listed as a tool of an agent with the context `C`. */
export type ToolSource<C = never> = ToolFunction<C> | FunctionTool<C> | ToolFor<C> | Toolset;

/** The tools of an agent with the context `C`: a list, or a record whose keys are the names. */
export type ToolSources<C = never> =
  | readonly ToolSource<C>[]
  | { readonly [name: string]: ToolFunction<C> | FunctionTool<C> | ToolFor<C> };

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
