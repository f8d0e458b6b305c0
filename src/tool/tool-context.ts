import type { Message } from "../message/messages.ts";
import type { Model } from "../model/types.ts";
import type { AgentLike } from "./agent-like.ts";
import type { AgentRunOptions } from "./agent-run-options.ts";

/** Distinguishes a `ToolContext` from arguments of a model, for the type checker. It is never set on a value. */
declare const contextType: unique symbol;

/** Carries the type of the context, for the type checker. */
export interface ContextType<C> {
  readonly [contextType]?: C;
}

/** What a tool receives beside its arguments. Declare a parameter of this type and it is injected, unseen by the model. */
export interface ToolContext<C = unknown> extends ContextType<C> {
  /** The application's data as it was before this batch of calls. Frozen: return `result({ context })` to change it. */
  readonly context: C;
  /** Aborted when the run is cancelled or the tool's deadline has passed. */
  readonly signal: AbortSignal;
  /** The agent that made the call; `undefined` outside a run. */
  readonly agent: AgentLike | undefined;
  /** The model that made the call; `undefined` outside a run. Calls of it here do not count for the run. */
  readonly model?: Model | undefined;
  readonly toolCallId: string;
  /** Unique to this call, and the same for every attempt, also after a resumption: pass it to services that accept one. */
  readonly idempotencyKey: string;
  /** The history up to the call. */
  readonly messages: readonly Message[];
  /** Reports progress: a `tool-progress` event. */
  readonly progress: (value: unknown) => void;
  /**
   * Calls another tool of the same agent, with all checks and policies, and returns a copy of its value, or the agent that
   * it hands off to. Rejects with the error that a model would see, if the call does not succeed.
   */
  readonly call: (toolName: string, args: unknown) => Promise<unknown>;
  /** Runs another agent to its end and returns its text. Its options are its own limits; those of the run hold as well. */
  readonly runAgent: (agent: AgentLike, input: string, options?: AgentRunOptions) => Promise<string>;
}
