import type { AnyAgent } from "../agent/agent.ts";
import type { Message, Usage, UserMessage } from "../message/messages.ts";
import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import type { JsonObject } from "../base/util/json.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { ModelSettings } from "../model/types.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { CallerTool } from "../run/caller-tools.ts";
import type { ExternalResult, RunInput, RunOptions } from "../run/types.ts";
import type { DurableStore } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { DurableReport, DurableStatus, StoredError } from "./stored-run.ts";

/** What `runs()` needs. */
export interface RunsOptions {
  /** The agents that runs are started with; empty for a program that executes none, and only looks at runs and decides. Those that they hand off to, or call as tools, need not be listed; list those that a tool's own code returns or runs. */
  readonly agents: readonly AnyAgent[];
  /** Where the runs are kept, such as `sqliteStore("runs.db")`. */
  readonly store: DurableStore;
  /** Names this build of the program. A run that was stuck in one build is tried once by each other; by default each process is one. */
  readonly version?: string;
  /** After how many milliseconds without a sign of life a process is given up for dead; 30,000 by default, 200 at least. */
  readonly lease?: number;
  /** How long the events of a run are kept after its end, in milliseconds; an hour by default. */
  readonly keepEvents?: number;
  /** After how many milliseconds a call that nobody has decided on is denied; never by default. */
  readonly approvalTimeout?: number;
  /** What all runs are executed with: `model`, `maxTurns`, `middleware`, `compaction` and the like. */
  readonly runOptions?: DurableRunOptions;
  /** Called with what no caller waits for, such as the failure of a store; printed as a warning by default. */
  readonly onError?: (error: unknown, runId: string) => void;
}

/** The options of `run` that durable runs take. They are not stored: each build has its own. */
export type DurableRunOptions = Omit<
  RunOptions,
  | "context"
  | "session"
  | "journal"
  | "runId"
  | "signal"
  | "approvals"
  | "results"
  | "executeTools"
  | "stateSecret"
>;

/** How to start a run. */
export interface StartRunOptions {
  /** The run's id, such as that of an order: started again with it, it is the same run. 1 to 200 characters; random by default. */
  readonly id?: string;
  /** The conversation that the run goes on with. Runs of one conversation follow one another. */
  readonly session?: string;
  /** The application's data, as plain JSON. */
  readonly context?: unknown;
  /**
   * Tools that you execute yourself, as plain JSON: the agent of the run, and those that it hands off to, have them beside their own.
   * A call pauses the run, and `resolve()` has it go on. At most 128, of 1,000,000 characters in all.
   */
  readonly tools?: readonly CallerTool[];
  /** The schema of the answer, a JSON Schema: used instead of every agent's own `output`. Its patterns are tested in linear time. */
  readonly output?: JsonSchema;
  /** What the agent's model is called with. Settings of the agent itself come first. */
  readonly settings?: ModelSettings;
  /** Used instead of every agent's own model, by its name, such as `"openai:gpt-5.2"`: each process that goes on with the run resolves it again. */
  readonly model?: string;
  /** What your program wants to know of the run again: plain JSON of up to 65,536 characters, in what `list()` and `state()` return. No model sees it. */
  readonly metadata?: JsonObject;
  /** When it is to begin, in milliseconds since 1970, or as a Date; at once by default. */
  readonly at?: number | Date;
  /** Higher ones first, an integer; 0 by default. */
  readonly priority?: number;
  /**
   * Executes the run in this process, though `work()` was not called, until it ends, fails or is stuck. After a `retry()`, start it with
   * the same id once more.
   */
  readonly here?: boolean;
}

/** Durable runs: each is in the store, whatever becomes of the process that executes it. */
export interface Runs {
  /**
   * Adds a run to the store, and returns. A worker executes it: `work()` of any process.
   * @throws InvalidInputError for an input that is not JSON, or a context, and for `tools` that are not right, or have a name that a tool of
   * the agent has; DurableRunError (`run-exists`) if the id is that of a run of
   * another agent or conversation.
   */
  start(
    agent: string | AnyAgent,
    input: Exclude<RunInput, { readonly version: 1 }>,
    options?: StartRunOptions,
  ): Promise<RunHandle>;
  /** The run with an id, whether it is there or not: its functions say so. */
  get(id: string): RunHandle;
  /** Runs, those that were started last first. */
  list(filter?: ListOptions): Promise<readonly RunInfo[]>;
  /**
   * Executes runs until the signal is aborted or `close()` is called; then it waits for those under way.
   * @returns a promise that never rejects: `onError` receives what goes wrong.
   */
  work(options?: WorkOptions): Promise<void>;
  /**
   * Claims no more runs, waits for those under way, and closes the store. What waits for a run by then, or asks for one later, is
   * refused with a ConfigurationError (`closed`).
   * @param options - `drain`: for how long to wait, in milliseconds; 10,000 by default. Then they are left to other processes, which
   * repeat what was under way.
   */
  close(options?: { readonly drain?: number }): Promise<void>;
}

/** How to work. */
export interface WorkOptions {
  /** How many runs to execute at once; 10 by default. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/** Which runs to list. */
export interface ListOptions {
  readonly status?: DurableStatus | readonly DurableStatus[];
  readonly agent?: string;
  readonly session?: string;
  /** Those that were started before the run with this id. */
  readonly after?: string;
  /** At most these many; 100 by default, 1,000 at most. */
  readonly limit?: number;
}

/** What there is to know about a run without reading its conversation. */
export interface RunInfo {
  readonly id: string;
  readonly agent: string;
  readonly status: DurableStatus;
  readonly session?: string;
  /** The id of the run that waits for this one: a tool of it runs the agent (`detached`). */
  readonly parent?: string;
  readonly priority: number;
  /** What `start` was passed. */
  readonly metadata?: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it begins, or goes on after a sleep, if that is not yet. */
  readonly at?: Date;
  /** How often a process has begun to execute it, or gone on. */
  readonly attempts: number;
  /** Turns so far, over all processes that have executed it. */
  readonly turns: number;
  /** Tokens of all answers in `modelCalls` so far. */
  readonly usage: Usage;
  /**
   * The answers of models so far, over all processes and pauses, those of agents within the run included: `costOf(run)` of `skein/models`
   * adds their cost up. Those of one model are summed, so that there are few, however long the run is. An agent that is a run of its own
   * (`detached`) has its own. Where an earlier version of Skein has executed the run, one without usage stands for what that has not
   * counted.
   */
  readonly modelCalls: readonly ModelCall[];
  /** What the program lacks, if the run is stuck. */
  readonly missing?: string;
  /** Why it was cancelled, if `cancel` was called with a reason. */
  readonly cancelReason?: string;
  /** Why it failed, or why a decision could not be carried out. */
  readonly error?: StoredError;
}

/** A run that another one waits for: that of an agent which is run on its own (`detached`). */
export interface RunWait {
  /** The id of the run. */
  readonly id: string;
  /** The call that waits for it. */
  readonly toolCallId: string;
}

/** A run, and where its conversation stands. */
export interface DurableState extends RunInfo {
  /**
   * Calls that wait for a decision or a result: those without an `approvalId` for a result. Not those that are under way or decided on. Those
   * of runs that this one waits for are among them.
   */
  readonly pending: readonly PendingCall[];
  /** The runs that it waits for, if there are any. */
  readonly waitsForRuns?: readonly RunWait[];
  /** What the run was started with. */
  readonly input: readonly Message[];
  /** The id of the run of the same conversation that is to end before this one begins. */
  readonly waitsFor?: string;
  /** All messages of the conversation, also those of other runs in it. */
  readonly messages: readonly Message[];
  /**
   * The index of the last event whose outcome `messages` have: `events({ after })` are those of what is not in them, such as an answer under
   * way from its beginning.
   */
  readonly after: number;
  /** Whether `messages` have the run's `input`. */
  readonly hasBegun: boolean;
  /** What the user has sent to the run, and no model has read yet: it will stand behind `messages`. */
  readonly unread: readonly Message[];
}

/** What a run came to when it stopped. */
export interface DurableResult extends RunInfo {
  /** Such as `"max-turns"` for one that has failed; `undefined` where an error ended it. */
  readonly ended?: DurableReport["status"];
  /** The last answer's text; empty where there is none. */
  readonly text: string;
  /** The answer as data, as JSON has it: a `Date` is a text. Another build may have executed the run, so its type is not that of the agent. */
  readonly output?: unknown;
  /** Calls that wait for a decision or a result, those of runs that this one waits for among them. */
  readonly pending: readonly PendingCall[];
  /** The runs that it waits for, if there are any. */
  readonly waitsForRuns?: readonly RunWait[];
  readonly warnings: readonly string[];
}

/** How to wait for a run. */
export interface ResultOptions {
  /** For how many milliseconds at most; without limit by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** `"pause"`, by default: until the run pauses, ends or is stuck. `"end"`: over all pauses. */
  readonly until?: "pause" | "end";
}

/** Which events to read. */
export interface EventsOptions {
  /** The index of the last event that is not wanted any more. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** `"pause"`, by default: until the run pauses, ends or is stuck. `"end"`: over all pauses. */
  readonly until?: "pause" | "end";
}

/** What has come for calls that wait. */
export interface RunAnswers {
  readonly decisions?: readonly ApprovalDecision[];
  readonly results?: readonly ExternalResult[];
}

/** One durable run. Each function rejects with a DurableRunError (`run-not-found`) if the store has no such run. */
export interface RunHandle {
  /** The id of the run. */
  readonly id: string;
  /** Whether `start` has added the run; `false` if it was there before, and for `get`. */
  readonly isNew: boolean;
  /** How the run stands, and its conversation. */
  state(): Promise<DurableState>;
  /**
   * Waits until the run has paused, ended or is stuck.
   * @throws DurableRunError (`run-timeout`) after `timeout` milliseconds, if that is given.
   */
  result(options?: ResultOptions): Promise<DurableResult>;
  /**
   * The events of the run, those of earlier processes included, until it pauses, ends or is stuck.
   */
  events(options?: EventsOptions): AsyncIterable<StoredEvent>;
  /**
   * Decides on calls that wait, and has the run go on. Those of a run that this one waits for are decided there.
   * @throws InvalidInputError for a decision that no call waits for, or that was made before; DurableRunError (`run-ended`)
   */
  decide(decisions: readonly ApprovalDecision[]): Promise<void>;
  /**
   * Gives a call its result that comes from elsewhere: one of a tool without `execute`, or one that waits for a token. A call that sleeps
   * goes on at once.
   * @param call - The `toolCallId` of the call, or the token that it waits for.
   * @throws as `decide` does.
   */
  resolve(call: string, content: unknown, options?: { readonly isError?: boolean }): Promise<void>;
  /**
   * Decides on calls and gives others their results, all at once: the run goes on with all of them, or with none. Each run that this one
   * waits for goes on with its own.
   * @throws as `decide` does.
   */
  answer(answers: RunAnswers): Promise<void>;
  /**
   * Has the agent read a message of the user before its next model call, behind the results of calls under way or that wait. One that comes
   * while it answers is answered after that.
   * @throws DurableRunError (`run-ended`) if the run has ended; InvalidInputError for anything else than a message of the user, and for
   * more than 1,000 messages.
   */
  steer(message: string | UserMessage): Promise<void>;
  /**
   * Has the agent answer a message of the user once it has answered what came before.
   * @throws as `steer` does.
   */
  queue(message: string | UserMessage): Promise<void>;
  /** Ends the run. What was finished is kept. Returns `false` for a run that has ended already: it stays as it is. */
  cancel(reason?: string): Promise<boolean>;
  /**
   * Has a run that failed go on from where it was, and one that is stuck tried again.
   * @throws DurableRunError (`run-ended`) if it has completed or was cancelled, or another run has gone on in its conversation.
   */
  retry(): Promise<void>;
}
