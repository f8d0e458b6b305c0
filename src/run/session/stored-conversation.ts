import type { ApprovalDecision } from "../../message/run-state.ts";
import type { Message } from "../../message/messages.ts";
import type { Claim } from "./claim.ts";
import type { SessionState } from "./session.ts";

/** What a session's entries come to. */
export interface StoredConversation {
  /** All messages, in order. */
  readonly messages: readonly Message[];
  /** What the next model call is to see of it: the same, unless it was made shorter. */
  readonly view: readonly Message[];
  readonly state: SessionState | undefined;
  /** What came of calls that have no message yet, by keys of a journal. */
  readonly steps: ReadonlyMap<string, unknown>;
  /** What was decided on the calls of the last answer, by approval ids. */
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
  /** Who holds the session, if anybody does. */
  readonly claim: Claim | undefined;
  /** The number of the last entry; 0 if there is none. */
  readonly last: number;
}
