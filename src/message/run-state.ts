import type { Message, ToolCall, Usage } from "./messages.ts";

/** How a run stands. */
export type RunStatus =
  /** The model gave its answer. */
  | "completed"
  /** Calls wait for a person's decision, or for results that come from elsewhere. */
  | "paused"
  /** The limit of model calls was reached. */
  | "max-turns"
  /** The limit of tokens or money was reached (`maxTokens`, `maxCost`). */
  | "budget"
  /** A signal, a timeout or `cancel()` ended it. */
  | "cancelled"
  /** The model's answer was cut (`length`) or withheld (`content-filter`). */
  | "incomplete"
  /** The model went on calling a tool wrongly, or giving a wrong `output`, however often it was corrected (`maxCorrections`). */
  | "corrections";

/** A call that has no result yet. */
export interface PendingCall extends ToolCall {
  /** Set where a person has to decide: what the decision refers to. */
  readonly approvalId?: string;
}

/** A decision that a run waits for. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  /** The call as it would be executed, where a middleware changed that of the model. */
  readonly toolCall?: ToolCall;
}

/** What a person decided about a call that waits. */
export interface ApprovalDecision {
  /** The `approvalId` of the pending call, and of the event `approval-request`. */
  readonly approvalId: string;
  readonly decision: "approve" | "deny";
  /** Why not; the model sees this text. */
  readonly reason?: string;
  /** To be used instead of the model's arguments: an object, or its JSON. The model sees the change. */
  readonly arguments?: object | string;
}

/**
 * Where a run stands, as plain JSON: store it, send it, and give it to `run` or `stream` to go on.
 * It is JSON as far as `context` is.
 */
export interface RunState<C = unknown> {
  readonly version: 1;
  readonly runId: string;
  /** The name of the agent whose turn it is. */
  readonly agent: string;
  /** The whole history, the input included; instructions never. */
  readonly messages: readonly Message[];
  readonly context: C;
  /** Model calls made so far, over all resumptions. */
  readonly turn: number;
  /** Calls of the last answer that have no result yet. */
  readonly pending: readonly PendingCall[];
  /** Which of them wait for a person's decision. */
  readonly approvals?: readonly PendingApproval[];
  readonly usage: Usage;
  readonly status: RunStatus | "running";
  /** Of everything else, made with `stateSecret`. */
  readonly signature?: string;
}
