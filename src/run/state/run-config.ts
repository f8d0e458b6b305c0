import type { AnyAgent } from "../../agent/agent.ts";
import type {
  DurableHooks,
  Execute,
  ExecutionScope,
  SettledCall,
  WaitingCall,
} from "../../executor/types.ts";
import type { Message } from "../../message/messages.ts";
import type { ApprovalDecision, NestedStep, RunState } from "../../message/run-state.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { Model } from "../../model/types.ts";
import type { Tool } from "../../tool/types.ts";
import type { CallLimitsOfRun } from "./call-limits.ts";
import type { Budget } from "../budget.ts";
import type { CancelScope } from "../cancel.ts";
import type { Middleware } from "../steps/middleware.ts";
import type { RunEvent, RunOptions } from "../types.ts";

/** What a run is to do, and with what. Nobody changes it once the run is open. */
export interface RunConfig {
  readonly runId: string;
  readonly options: RunOptions;
  /** The state that this run resumes, if it does. */
  readonly resumed: RunState | undefined;
  /** Set where that is the state of the run's session. */
  readonly isFromSession?: true;
  readonly scope: CancelScope;
  /** What stands around its steps, the outermost first: shared with the runs within this one. */
  readonly middlewares: readonly Middleware[];
  /** Those of them that the program wrote as `options.middleware`: neither its journal nor its session. */
  readonly listed: readonly Middleware[];
  /** The step of another run that is this run, if a tool started it. */
  readonly parent: StepKey | undefined;
  /** How that run is configured. */
  readonly outer: RunConfig | undefined;
  /** The model of the run whose tool started this one, or its name. */
  readonly callersModel: Model | string | undefined;
  /** How many runs this one is within. */
  readonly depth: number;
  /** Agents that a handoff of a journal may name. */
  readonly roots: readonly AnyAgent[];
  /** Those of the runs around this one, for a name that its own do not have. */
  readonly outerRoots: readonly AnyAgent[];
  /** Where the agent is looked for that has the lead of a conversation. */
  readonly leadRoots: readonly AnyAgent[];
  /** Gets every event, beside `options.onEvent`. */
  readonly listener: ((event: RunEvent) => void) | undefined;
  /** What policies of tools remember. */
  readonly memory: Map<unknown, unknown>;
  /** What keeps the run in its session, if it has one. */
  readonly record: SessionRecorder | undefined;
  /** What the run holds until its end. */
  readonly claim: RunClaim | undefined;
  /** What a person has decided on the calls that the resumed state left open. */
  readonly decided: DecidedCalls | undefined;
  /** Set where what remembers steps has this very resumption, of processes that have died in it: the approvals that these had. */
  readonly died: readonly string[] | undefined;
  /** Set where what remembers steps has had this run from its beginning. */
  readonly isOwnJournal: true | undefined;
  /** How often the run was resumed where something remembers steps, this time included. */
  readonly resumptions: number | undefined;
  /** What was decided where the run failed before it could carry anything out, for another reason than a decision. */
  readonly notRefused: readonly ApprovalDecision[] | undefined;
  /** Signs a state, if states are to be signed. */
  readonly signState: ((state: RunState) => Promise<RunState>) | undefined;
  /**
   * Errors that fail the run, of `step` functions and guards, by the steps they are in: a tool must not take one for its own. Shared with
   * the runs within.
   */
  readonly stepFailures: Map<string, Error>;
  /** What limits the run, and the runs within it. */
  readonly budget: Budget | undefined;
  /** What limits its calls. */
  readonly limits: CallLimitsOfRun;
  /** Runs an agent on behalf of a tool. */
  readonly runAgent: ExecutionScope["runAgent"] | undefined;
  /** Tools that the program which started the run executes: each agent of the run has them beside its own, those of runs within it have not. */
  readonly callerTools: readonly Tool[] | undefined;
  /** Present for a durable run, and those within it: it is left while calls wait. */
  readonly durable: DurableHooks | undefined;
}

/** What a run holds as long as it works: its session, or the pending calls of its state. */
export interface RunClaim {
  /** Lets others have it. Never rejects: a claim that cannot be ended runs out. */
  release(): Promise<void>;
}

/** Keeps a run in its session. */
export interface SessionRecorder extends RunClaim {
  /** Keeps what is new. Rejects if that cannot be done. */
  save(): Promise<void>;
  /** Performs the work of the run: runs that are begun within it do not wait for the session. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps what is new, and gives the session back. Rejects if that cannot be done. */
  end(): Promise<void>;
  /** What it has of the steps of open calls, by their keys. */
  readonly steps: ReadonlyMap<string, unknown>;
  /** What was decided on pending calls before this run, by approval ids. */
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
  /** Keeps decisions, before they are carried out. */
  decide(decisions: readonly ApprovalDecision[]): Promise<void>;
  /** Notes that the run goes on with other messages than it had `before`. */
  compacted(before: readonly Message[]): void;
}

/** Calls on which a person has decided. */
export interface DecidedCalls {
  readonly toolCallIds: ReadonlySet<string>;
  /** The turn whose answer made them: calls of later ones may have their ids. */
  readonly turn: number;
  /** Executes a call as decided. */
  readonly execute: Execute;
  /** What open calls have done before, by the keys of steps: each entry is what its step came to last. */
  readonly steps: Map<string, NestedStep>;
  /** The decisions, those on calls of agents within the run among them. */
  readonly approvals: readonly ApprovalDecision[];
  /** Which of them are carried out. */
  readonly use: DecisionUse;
}

/** Which decisions are carried out, and which results used: a person must learn of one that is not. */
export interface DecisionUse {
  /** Notes that a decision is carried out, or that it or a result is passed on to the agent whose call it is for. */
  add(id: string): void;
  /**
   * Notes that something which remembers steps has the outcome of a call: what was decided on it, and on calls within it, was carried
   * out before.
   * @param key - The key of its step.
   */
  addStored(
    toolCallId: string,
    key: string,
    outcome: Pick<SettledCall, "result" | "final"> | WaitingCall,
  ): void;
  /** Warns of the decisions that were not carried out. */
  warnUnused(): void;
}
