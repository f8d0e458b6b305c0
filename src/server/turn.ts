import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import type { ExternalResult, InputMessage } from "../run/types.ts";
import type { Refusal } from "./refusal.ts";
import type { UserRun, UserStart } from "./user-runs.ts";

/** A message of the user that the server may have received before. */
export interface EarlierMessage {
  /** As the id of a turn. */
  readonly id: string;
  readonly message: InputMessage;
  /** Whether the conversation has it, where the client has read its id there. */
  readonly isInHistory: () => Promise<boolean>;
}

/** What a client sends to a conversation. */
export interface Turn extends Omit<UserStart, "session"> {
  readonly session: string;
  /** A digest of what must be the same where `id` comes again. */
  readonly contents?: string;
  /** What the client calls the run, where it does not choose `id`. */
  readonly clientId?: string;
  /** Whether a message whose run has failed, or was cancelled, begins another. */
  readonly isTriedAgain?: boolean;
  /** On calls that wait. */
  readonly decisions?: readonly ApprovalDecision[];
  /** Of calls that the client executes. */
  readonly results?: readonly ExternalResult[];
  /** Set where the client sends all decisions and results each time, those too that it has sent before. */
  readonly isHistory?: boolean;
  /** Of a client that sends its last message again with its answers: the id of the request, and the results that are of it alone. */
  readonly resume?: { readonly id: string; readonly results: readonly ExternalResult[] };
  /** What its answers are known by, where a client repeats them under another id, or none. */
  readonly answersId?: string;
  /** What the user has written before, in a client that sends it again until there is an answer. */
  readonly earlier?: readonly EarlierMessage[];
  /** Why a turn that was not received before is to be refused. */
  readonly refusal?: () => Promise<Refusal | undefined>;
}

/** A run to follow, from behind an event. */
export interface Followed {
  readonly run: UserRun;
  readonly after: number;
  /** Whether the run was there before: the client has the beginning of its answer, unless `after` is -1. */
  readonly isContinued: boolean;
  /** The calls that were waiting, where it goes on after answers to some of them. */
  readonly pending: readonly PendingCall[];
}
