import type { Message, ToolCall, ToolResult } from "../message/messages.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { ToolRegistry } from "../tool/registry.ts";

/** What a batch of calls is executed in. */
export interface ExecutionScope {
  readonly registry: ToolRegistry;
  /** The application's data, frozen. */
  readonly context: unknown;
  readonly agent: AgentLike | undefined;
  readonly messages: readonly Message[];
  /** In front of every call's idempotency key. */
  readonly runId: string;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal | undefined;
  /** Calls at once; 8 by default. */
  readonly concurrency: number | undefined;
  readonly observer: ExecutionObserver;
  readonly runAgent: (
    agent: AgentLike,
    input: string,
    call: ToolCall,
    signal: AbortSignal,
  ) => Promise<string>;
}

/** Told of what happens in a batch. Must not throw. */
export interface ExecutionObserver {
  start(call: ToolCall): void;
  progress(call: ToolCall, value: unknown): void;
  /** @param error what the tool threw, if it did. */
  end(result: ToolResult, error: unknown): void;
}

/** How one call ended: the result for the model, and what the tool asked of the run. */
export interface SettledCall {
  readonly result: ToolResult;
  /** What the tool threw. Not for the model, and never part of the state. */
  readonly error?: unknown;
  /** The agent to hand the lead to. */
  readonly agent?: AgentLike;
  /** Changes to the context. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Whether the run shall end with this result. */
  readonly final?: boolean;
}
