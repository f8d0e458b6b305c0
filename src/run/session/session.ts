import type { Message, Usage } from "../../message/messages.ts";
import type { ApprovalDecision, PendingApproval, PendingCall, RunState } from "../../message/run-state.ts";
import type { ProcessMark } from "./process-mark.ts";
import type { StoredWork } from "./stored-work.ts";

/**
 * Where a conversation is kept between runs: `run(agent, "And now?", { session })` goes on with it. Runs add to it as they
 * go. See `memorySession`, `fileSession` and `sqliteSession` of `skein/sessions`; a store of your own has these methods.
 * Each must settle: a run waits for it, and once it is cancelled for 5 seconds more, after which it fails.
 */
export interface Session {
  /**
   * What a run does while another one holds the session: `"reject"`, by default, ends it with a `SessionBusyError`; `"wait"` has it
   * begin when the other has ended.
   */
  readonly busy?: "reject" | "wait" | undefined;
  /** Names the conversation within the process: runs that wait for sessions with equal keys keep their order. */
  readonly key?: string;
  /** What the conversation is called, such as traces of its runs show it. */
  readonly id?: string;
  /** Set by a store that gives the session to one run at a time itself, such as that of durable runs: runs write no claims into it. */
  readonly isLeased?: true;
  /** What is kept, oldest first. */
  load(): Promise<SessionData>;
  /**
   * Adds entries at the end: all of them or none. Their numbers go on from that of the last entry, and begin at 1.
   * Entries that are there already, by the same writer, are a repetition: nothing happens.
   * @throws SessionConflictError (of `skein/sessions`) if they are not the next ones: another run has written meanwhile.
   */
  append(entries: readonly SessionEntry[]): Promise<void>;
  /** Forgets everything but an entry of type `"clear"`, numbered on, so that a run under way does not write on unawares. */
  clear(): Promise<void>;
}

/** What a session has kept. */
export interface SessionData {
  readonly entries: readonly SessionEntry[];
  /** What was wrong with the store and could be mended, one sentence each. The run that loads it warns of it. */
  readonly warnings?: readonly string[];
}

/** One thing that is kept, as plain JSON. */
export type SessionEntry = SessionEntryBody & {
  /** Its place in the session, counted from 1 without a gap. */
  readonly sequence: number;
  /** The same for all that one call of `run` wrote, and for nothing else. */
  readonly writer: string;
};

/** What a run keeps, before it is numbered. */
export type SessionEntryBody =
  | { readonly type: "message"; readonly message: Message }
  | SessionState
  /** What came of one of several calls, kept until their messages are: a tool that is done is not called again. */
  | {
      readonly type: "step";
      readonly key: string;
      readonly value: unknown;
      /** As in the state: how often tools with `maxCalls` were called by then. */
      readonly calls?: SessionState["calls"];
    }
  /** What a person decided on a call, before it was carried out. */
  | ({ readonly type: "decision" } & ApprovalDecision)
  /** The writer holds the session until then (milliseconds since 1970): no other run may write. With 0 it does no longer. */
  | { readonly type: "claim"; readonly until: number; readonly process?: ProcessMark }
  /**
   * The history that models see was made shorter: it is these messages now. A pair stands for those from the first place up
   * to, and without, the second one of what models saw before.
   */
  | { readonly type: "compaction"; readonly messages: readonly (Message | readonly [number, number])[] }
  | { readonly type: "clear" };

/** Where the run stands that wrote it. */
export interface SessionState extends Pick<
  RunState,
  | "runId"
  | "agent"
  | "turn"
  | "callers"
  | "toolNames"
  | "status"
  | "blocked"
  | "changes"
  | "unread"
  | "received"
  | "notes"
  | "calls"
  | "underWay"
  | "interrupted"
  | "isLeftToProgram"
> {
  readonly type: "state";
  /** The calls that wait for a decision. An id stands for one that is as it was in the state before. */
  readonly approvals?: readonly (PendingApproval | string)[];
  /** What pending calls have done that wait for calls within them. */
  readonly nested?: readonly StoredWork[];
  readonly usage: Usage;
  /** The inputs of calls that are left to the program, whose tools have no `execute`. */
  readonly left?: readonly Pick<PendingCall, "toolCallId" | "input">[];
  /** Left out where it is what it was in the entry before. */
  readonly context?: unknown;
}
