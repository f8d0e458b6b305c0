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
  /**
   * Performs a part of the tool's work once: where the tool is executed again, after a crash or a pause, it returns what it returned
   * before. Without a session, a journal or a durable run it is just performed.
   * @param name - Names the step among those of the call: 1 to 200 characters, each name once, not beginning with `context.`.
   * @param perform - Returns plain JSON.
   */
  readonly step: <T>(name: string, perform: () => T | Promise<T>) => Promise<T>;
  /**
   * Waits. A durable run is left until then, by its process too, and calls the tool again: put what is to be done once into a `step`.
   * Elsewhere the tool waits, within its `timeout`.
   * @param name - Names the sleep among those of the call, as a step is named.
   * @param until - For how many milliseconds, or until when. Where the tool is executed again, what it said first counts.
   */
  readonly sleep: (name: string, until: number | Date) => Promise<void>;
  /**
   * Waits for what another program has to say, such as a webhook: the run pauses, `pending` has the call, and once its result is there
   * the tool is called again, and gets it here. `handle.resolve(token, value)` gives it to a durable run, `results` to another one.
   * Rejects with the text of a result that is an error, and outside a run. Of what a tool waits for side by side, it needs all: limit one
   * that may not come by its `timeout`.
   * @param token - Names what it waits for: 1 to 200 characters, each token once in a call.
   * @param options - `timeout`: in a durable run, after how many milliseconds it rejects; never by default.
   */
  readonly waitFor: (token: string, options?: { readonly timeout?: number }) => Promise<unknown>;
  /** Runs another agent to its end and returns its text. Its options are its own limits; those of the run hold as well. */
  readonly runAgent: (agent: AgentLike, input: string, options?: AgentRunOptions) => Promise<string>;
}
