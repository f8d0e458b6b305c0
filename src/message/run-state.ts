import type { JsonValue } from "../base/util/json.ts";
import type { Message, ToolCall, Usage, UserMessage } from "./messages.ts";

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
  /** The limit of tool calls was reached (`maxToolCalls`). Calls that were not executed are in `state.pending`. */
  | "max-tool-calls"
  /** The model went on making the same call, with the same result every time (`maxRepeats`). */
  | "repeating"
  /** A guard stopped it: `blocked` says which one, and why. */
  | "blocked"
  /** A signal, a timeout or `cancel()` ended it. */
  | "cancelled"
  /** The model's answer was cut (`length`) or withheld (`content-filter`). */
  | "incomplete"
  /** The model went on calling a tool wrongly, or giving a wrong `output`, however often it was corrected (`maxCorrections`). */
  | "corrections";

/** Why a guard blocks a run. */
export interface BlockReason {
  /** The name of the guard. */
  readonly guard: string;
  /** What was wrong: what the user wrote, an answer, the call of a tool, or the result of one. */
  readonly stage: "input" | "output" | "tool" | "result";
  /** For the program, its logs and its state: no client sees it. */
  readonly reason: string;
  /** For the user: the text of the run, in place of an answer. */
  readonly message?: string;
}

/** What blocked a run. */
export interface Blocked extends BlockReason {
  /** The agent that was active; one that a tool ran, where its run was blocked. */
  readonly agent: string;
  /** Set for the call of a tool, and its result. */
  readonly toolCallId?: string;
}

/** What blocked a run, as JSON of its result and its events has it. */
export type VisibleBlock = Pick<BlockReason, "guard" | "stage" | "message">;

/** A call that has no result yet. */
export interface PendingCall extends ToolCall {
  /** Set where a person has to decide: what the decision refers to. */
  readonly approvalId?: string;
  /**
   * The arguments as the tool would get them, with defaults and results of other calls, as plain JSON: all of them, since a call
   * whose input would be cut is refused. Set where a person has to decide, and for calls of tools without `execute`.
   */
  readonly input?: JsonValue;
  /** Set where a middleware changed arguments that a person wrote, so that they have to decide again: the call as they wrote it. */
  readonly edited?: ToolCall;
  /** Set where a person has to decide: the version of the tool, empty for a toolset's tool without one. The decision is for that version. */
  readonly version?: string;
  /** Set for a call within another: the agent that made it. */
  readonly agent?: string;
  /** Set for a call within another: the call of this run whose tool made it, or runs the agent that did. */
  readonly parentToolCallId?: string;
}

/** What the tool of an open call has done by other tools and agents. It is called again once what it waits for is decided. */
export interface NestedWork {
  /** The open call. */
  readonly toolCallId: string;
  /** The call as it was executed, where a middleware or a person changed that of the model. */
  readonly toolCall?: ToolCall;
  /** The call as a person wrote it, before middlewares: they get that again. */
  readonly edited?: ToolCall;
  /** What the tool got, where a person may have approved it, as plain JSON. */
  readonly input?: JsonValue;
  /** Set where the tool has a cache: the equal call that has begun, whose result this one gets. */
  readonly sharedWith?: string;
  readonly steps: readonly NestedStep[];
}

/** A step within a call, named by its key as text (`printStep`). What is finished is not done again. */
export type NestedStep = { readonly step: string } & (
  | {
      /** An agent that has paused. Its context has only what it changed. */
      readonly state: RunState;
    }
  | {
      /** A call of the tool that waits for a decision. */
      readonly waiting: PendingCall;
      /** The call as the tool made it, where a middleware changed it. */
      readonly original?: ToolCall;
    }
  | {
      /**
       * A call of the tool that was permitted, as it was executed: it waits for calls within it, which are steps of their own, or its
       * result is not for a state. It is made again without another decision.
       */
      readonly call: ToolCall & Pick<NestedWork, "edited" | "input" | "sharedWith">;
      /** The call as the tool made it, where a middleware or a person changed it. */
      readonly original?: ToolCall;
    }
  | {
      /** An agent's answer, or what came of a call. */
      readonly value: unknown;
    }
  | {
      /** What an agent failed with. */
      readonly error: string;
    }
  | {
      /**
       * Set for a step of the tool's own that is performed again: it was not finished when the call paused, since something within it
       * waits, or a call within it returned what is not for a state.
       */
      readonly isOpen: true;
    }
);

/** A name by which an agent has called a tool: in the rest of the run, no other tool gets it. */
export interface ToolName {
  readonly agent: string;
  readonly toolName: string;
  /** The names of the toolsets that the tool is from, the outermost first, and its own in the last. Empty where it is from none. */
  readonly origin: readonly string[];
}

/** What the user has sent to a run that works, and is not in its conversation yet. */
export interface SentMessage {
  /** `"steer"`: before the next model call. `"queue"`: once the agent has answered. */
  readonly when: "steer" | "queue";
  readonly message: UserMessage;
}

/** A decision that a run waits for. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly toolCallId: string;
  /** The arguments as a person is shown them. */
  readonly input: JsonValue;
  /** The call as it would be executed, where a middleware changed that of the model. */
  readonly toolCall?: ToolCall;
  /** The call as a person wrote it, where a middleware changed that. */
  readonly edited?: ToolCall;
  /** The version of the tool that a person is shown. */
  readonly version?: string;
}

/** What a call has changed that is done while others of its answer are open. */
export interface CallChanges {
  readonly toolCallId: string;
  /** Its changes of the context. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The names of what it has set to a value that JSON leaves out, such as `undefined`. */
  readonly cleared?: readonly string[];
  /** The agent that it handed off to. */
  readonly agent?: string;
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
  /** The application's data. While calls of an answer are open, it is that of before the answer: open calls get no other. */
  readonly context: C;
  /** Of an agent within a run, whose context has only what it changed: the names of what it has set to a value that JSON leaves out. */
  readonly cleared?: readonly string[];
  /** Model calls made so far, over all resumptions. */
  readonly turn: number;
  /** The agents that have had an answer of their model so far, over all resumptions. */
  readonly callers?: readonly string[];
  /** The names that calls have had where an agent has toolsets, each with the tool that it leads to. */
  readonly toolNames?: readonly ToolName[];
  /** Calls of the last answer that have no result yet; in place of one that waits for calls within it, those. */
  readonly pending: readonly PendingCall[];
  /** Which of them wait for a person's decision. */
  readonly approvals?: readonly PendingApproval[];
  /** What was decided on calls that wait, and is not carried out yet: a limit was reached first, or the run failed. */
  readonly decisions?: readonly ApprovalDecision[];
  /**
   * Set where an error has ended the run: the ids of its open calls that have reached their tools, and whose outcome is not known. The
   * others have not begun.
   */
  readonly underWay?: readonly string[];
  /**
   * Set where a process died in the run, and no later one has come to an end of the calls that were open: each of them may have been
   * under way then, but for those that wait for decisions. Of these it lists the ids of approvals that were there by then. A session knows
   * more of tools with `interrupted`.
   */
  readonly interrupted?: readonly string[];
  /** Set where the run had its open calls with `executeTools: false`: a program may have executed them itself. */
  readonly isLeftToProgram?: true;
  /** How often the run was resumed where something remembers steps, such as a journal. */
  readonly resumptions?: number;
  /** What open calls have done that wait for calls within them. */
  readonly nested?: readonly NestedWork[];
  /** What calls have changed that are done: merged into the context, in call order, once no call of their answer is open. */
  readonly changes?: readonly CallChanges[];
  /** What the user has sent to the run that is not in `messages` yet. */
  readonly unread?: readonly SentMessage[];
  /** Of a durable run: how many of the messages that its store has for it are in `unread` or in `messages`. */
  readonly received?: number;
  /** What middlewares keep with the run, by names of theirs (`info.notes`). */
  readonly notes?: Readonly<Record<string, string>>;
  readonly usage: Usage;
  /** Set for an agent within a run that has `maxTokens` or `maxCost`: the answers so far that count, over all its pauses. */
  readonly modelCalls?: readonly {
    readonly provider: string;
    readonly modelId: string;
    readonly usage: Usage;
  }[];
  /** How often tools with `maxCalls` were called in the run and in those within it, by their names, over all resumptions. */
  readonly calls?: Readonly<Record<string, number>>;
  /** Set where `maxToolCalls` is: the calls so far that count. Of an agent within a run, those of all its pauses do. */
  readonly toolCalls?: number;
  /** Set where a call beyond `maxToolCalls` was refused: what goes on by itself ends for that before it asks its model again. */
  readonly isCallLimitReached?: true;
  readonly status: RunStatus | "running";
  /** Set where a guard has blocked the run, which ends with the status `"blocked"` if it has not yet. */
  readonly blocked?: Blocked;
  /** Of everything else, made with `stateSecret`. */
  readonly signature?: string;
}
