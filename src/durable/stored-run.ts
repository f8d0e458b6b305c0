import type { Message } from "../message/messages.ts";
import type {
  ApprovalDecision,
  PendingCall,
  RunStatus,
  SentMessage,
  VisibleBlock,
} from "../message/run-state.ts";
import type { Usage } from "../message/messages.ts";
import type { JsonObject } from "../base/util/json.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { ModelSettings } from "../model/types.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { Spent } from "../run/budget.ts";
import type { CallerTool } from "../run/caller-tools.ts";
import type { ExternalResult } from "../run/types.ts";

/** How a durable run stands. */
export type DurableStatus =
  /** It waits for a worker, or for the time at which it is to begin. */
  | "queued"
  /** A worker has it. */
  | "running"
  /** Calls wait for a decision or for a result; no process waits with them. */
  | "paused"
  /** The model gave its answer. */
  | "completed"
  /** An error or a limit ended it: `retry()` goes on from there. */
  | "failed"
  /** `cancel()` ended it. */
  | "cancelled"
  /** Its agent, or the tool of an open call, is not in the programs that work: a program that has it goes on. */
  | "stuck";

/** The statuses of runs that are done. */
export const endedStatuses: readonly DurableStatus[] = ["completed", "failed", "cancelled"];

/** A run as a store keeps it. `data` means nothing to the store. Times are milliseconds since 1970, by the clock of the store. */
export interface StoredRun {
  readonly id: string;
  /** The conversation that the run's entries are in: runs of one conversation follow one another. */
  readonly log: string;
  readonly agent: string;
  readonly status: DurableStatus;
  /** Higher ones are claimed first. */
  readonly priority: number;
  /** From when on a worker may claim it: the end of the lease of one that is running. `undefined` if it waits for something else. */
  readonly due: number | undefined;
  /** Who has it. */
  readonly owner: string | undefined;
  /** The build of the worker that had it last. */
  readonly build: string | undefined;
  /** Counted up with each change but renewals: a change names the one that it knows. */
  readonly revision: number;
  /** How often it was claimed. */
  readonly attempts: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How far the events are. */
  readonly progress: EventProgress;
  readonly data: RunData;
}

/** How far the events of a run are stored. */
export interface EventProgress {
  /** The index of the next event. */
  readonly next: number;
  /** The last turn that has begun, and the index of its `turn-start`. */
  readonly turn?: number;
  readonly turnAt?: number;
  /** Set once the conversation has entries of the run. Events alone say nothing of that: they are stored without them too. */
  readonly hasEntries?: true;
  /** What the run has used so far; absent where an earlier version of Skein wrote it. */
  readonly used?: RunUsage;
}

/** What a run has used so far, over all processes that have executed it. */
export interface RunUsage {
  /** How many turns have begun. */
  readonly turns: number;
  /** Its answers, those of agents within it included: one sum for all of a model whose requests are about as long. */
  readonly modelCalls: readonly ModelCall[];
}

/** What is known of a run beside what its conversation has, as plain JSON. */
export interface RunData {
  readonly request: RunRequest;
  /** The run that waits for this one: a tool of it runs the agent. */
  readonly parent?: string;
  /** How many runs have started one another, up to this one. */
  readonly depth?: number;
  /** The runs that it has started since it last paused, and those that it waited for then. */
  readonly children?: readonly string[];
  /** Set where the runs that it waits for wait for a person, or for a program. */
  readonly awaited?: ShownCalls;
  /** How often it had been claimed when it last paused: of failures since then, each is waited for longer. */
  readonly pausedAfter?: number;
  /** Turns since a person or a program has last had it go on: the limit counts from there. */
  readonly turns?: number;
  /** What its answers have taken since then, where that is limited. */
  readonly spent?: Spent;
  /** Its calls of tools since then, where those are limited. */
  readonly toolCalls?: number;
  /** Whether one was refused for their limit since then. */
  readonly isCallLimitReached?: true;
  /** What has come for the run and is not in its conversation yet. */
  readonly inbox: readonly InboxItem[];
  /** What the user has sent to the run, from the first message on: the run counts those that it has received. */
  readonly userMessages?: readonly SentMessage[];
  /** What was delivered to the run under an id of its own: the same again is not carried out again. */
  readonly receipts?: readonly Receipt[];
  /** What has come with it for the runs that it waits for, and was not passed on yet. */
  readonly outbox?: Outbox;
  /** Set where one of the inbox could not be carried out, and it is not known which: they are carried out one by one. */
  readonly isOneByOne?: boolean;
  /** Until when calls that wait may be decided on, by their approval ids, in milliseconds since 1970. */
  readonly deadlines?: Readonly<Record<string, number>>;
  /** Set where the run is to end. */
  readonly cancel?: { readonly reason?: string };
  readonly error?: StoredError;
  /** What the run came to when it last stopped. */
  readonly report?: DurableReport;
  /** What a build has not, if the run is stuck. */
  readonly missing?: string;
}

/** Notes that something was delivered to a run. */
export interface Receipt {
  /** The id of what was delivered. */
  readonly id: string;
  /** A digest of it: what has the same id must be the same. */
  readonly contents?: string;
  /** The index of the run's last event before: what came of it is behind that. */
  readonly after: number;
  /** What else a client calls the run from then on. */
  readonly clientId?: string;
}

/** A call of a run that another run waits for. */
export interface AwaitedCall {
  /** The id of the run that the other one waits for. */
  readonly run: string;
  /** The id of the call in that run. */
  readonly own: string;
  /** The call as the run shows it that waits. */
  readonly call: PendingCall;
}

/** The calls of other runs that a run has shown as its own. */
export interface ShownCalls {
  /** Those that wait. */
  readonly calls: readonly AwaitedCall[];
  /** Those that do not wait any more, and have no result yet. */
  readonly answered: readonly AwaitedCall[];
  /** Whether one of them was answered since. */
  readonly isAnswered?: true;
}

/** What a run was started with. */
export interface RunRequest {
  readonly input: readonly Message[];
  readonly context?: unknown;
  /** Tools that the program which started it executes itself. */
  readonly tools?: readonly CallerTool[];
  /** The schema of the answer. */
  readonly output?: JsonSchema;
  readonly settings?: ModelSettings;
  /** The name of the model that is used instead of the agents' own. */
  readonly model?: string;
  /** What the program wants to know of the run. */
  readonly metadata?: JsonObject;
}

/** What a person or another program has sent to a run. */
export type InboxItem = { readonly decision: ApprovalDecision } | { readonly result: ExternalResult };

/** What is to be passed on to the runs that a run waits for: where a store cannot change several at once. */
export interface Outbox {
  /** A digest of the answers that it is of. */
  readonly contents: string;
  readonly items: readonly { readonly run: string; readonly items: readonly InboxItem[] }[];
}

/** An error, without what may be secret. */
export interface StoredError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Set for a ModelError: a model does not get to read its words. */
  readonly isOfModel?: true;
  /** Of an UnsupportedPartError: what the model does not support. */
  readonly part?: string;
}

/** What a run came to when it stopped. */
export interface DurableReport {
  readonly status: RunStatus;
  readonly finishReason: string;
  readonly text: string;
  readonly output?: unknown;
  /** The name of the agent that was active last. */
  readonly agent: string;
  /** Tokens since the run was last resumed. */
  readonly usage: Usage;
  /** Turns since the run was last resumed. */
  readonly turns: number;
  readonly pending: readonly PendingCall[];
  readonly warnings: readonly string[];
  /** Set where the status is `"blocked"`; the reason is in the state of its conversation. */
  readonly blocked?: VisibleBlock;
}
