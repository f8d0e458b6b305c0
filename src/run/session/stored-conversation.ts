import type { ApprovalDecision, NestedWork, PendingApproval } from "../../message/run-state.ts";
import type { Message } from "../../message/messages.ts";
import type { Claim } from "./claim.ts";
import type { SessionState } from "./session.ts";

/** Where the last run stands, with the whole of what its calls have done. */
export type StoredState = Omit<SessionState, "nested" | "approvals"> & {
  readonly nested?: readonly NestedWork[];
  readonly approvals?: readonly PendingApproval[];
};

/** What a session's entries come to. */
export interface StoredConversation {
  /** All messages, in order. */
  readonly messages: readonly Message[];
  /** What the next model call is to see of it: the same, unless it was made shorter. */
  readonly view: readonly Message[];
  readonly state: StoredState | undefined;
  /** What came of calls that have no message yet, by keys of a journal. */
  readonly steps: ReadonlyMap<string, unknown>;
  /** What was decided on the calls of the last answer, by approval ids. */
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
  /** Who holds the session, if anybody does. */
  readonly claim: Claim | undefined;
  /** The number of the last entry; 0 if there is none. */
  readonly last: number;
}
