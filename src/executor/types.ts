import type { Message, ToolCall, ToolResult } from "../message/messages.ts";
import type { Blocked, NestedWork, PendingCall, RunState, SentMessage } from "../message/run-state.ts";
import type { StepKey } from "../message/step-key.ts";
import type { Model } from "../model/types.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { AgentRunOptions } from "../tool/agent-run-options.ts";
import type { ToolTable } from "../tool/table.ts";
import type { ToolNames } from "../tool/tool-names.ts";
import type { Tool } from "../tool/types.ts";
import type { MaybePromise } from "../base/util/maybe-promise.ts";
import type { JsonObject, JsonValue } from "../base/util/json.ts";
import type { Body } from "./bodies.ts";
import type { ApprovedCall } from "./approved-call.ts";

/** What a batch of calls is executed in. */
export interface ExecutionScope {
  /** The tools that the caller may use. */
  readonly toolTable: ToolTable;
  /** Which tools the names lead to that calls of the run have had. */
  readonly toolNames?: ToolNames | undefined;
  /** The application's data, frozen. */
  readonly context: unknown;
  readonly agent: AgentLike | undefined;
  /** The model that made the calls. */
  readonly model?: Model | undefined;
  /** The history up to the calls. */
  readonly messages: readonly Message[];
  /** Results that calls of the same answer have had before the run paused: only references to results lead there. */
  readonly batchResults?: readonly Message[];
  /** In front of every call's idempotency key. */
  readonly runId: string;
  /** Model calls so far, over all resumptions. */
  readonly turn?: number;
  /** The step around these calls: the call whose tool makes them, or the run of an agent. */
  readonly step?: StepKey | undefined;
  /** What the ids of requests for approval are signed with. */
  readonly stateSecret?: string | undefined;
  /** Set where results of other calls were put into the arguments. */
  readonly source?: FilledCall | undefined;
  /** The tools that the tools around these calls have called with success so far: no message has them yet. */
  readonly successes?: readonly string[] | undefined;
  /** The call that a person has approved. */
  readonly approved?: ApprovedCall<CallOutcome> | undefined;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal | undefined;
  /** Calls at once; 8 by default. */
  readonly concurrency: number | undefined;
  readonly observer: ExecutionObserver;
  /** What policies remember for as long as the run lasts, each under a key of its own. */
  readonly memory: Map<unknown, unknown>;
  /** Whether a call may have begun before: in a process that died, or in a run that this one resumes. */
  readonly mayHaveBegun?: ((toolCallId: string) => boolean) | undefined;
  /** The ids of the calls that have reached their tools, those within calls too. */
  readonly underWay?: Set<string> | undefined;
  /** Whether it may have been under way when its process died. */
  readonly isInterrupted?: ((toolCallId: string) => boolean) | undefined;
  /** Whether something remembers the steps of the run, so that it may have marks of calls. */
  readonly isRemembering?: boolean;
  /** Whether an open call has certainly stopped by itself, since something within it waits. */
  readonly hasStopped?: ((toolCallId: string) => boolean) | undefined;
  /** Present in a durable run: no process waits with its calls. */
  readonly durable?: DurableHooks | undefined;
  /** What limits the calls of the run. */
  readonly limits?: CallLimits | undefined;
  /** Whether the call was executed before, and waited for calls within it: it is counted already. */
  readonly isContinued?: boolean;
  /** Whether the call is made again for what it returned, and is counted already. */
  readonly isCounted?: boolean;
  /** Whether the tool that makes the call gets what a model would see, without what is masked: that can be kept. */
  readonly isVisible?: boolean;
  /** Whether a result is kept before another call gets it. */
  readonly isJournaled?: boolean;
  /** Executes a call, whether a model or a tool made it. Must not reject. */
  readonly execute: Execute;
  readonly features: CallFeatures;
  /** Receives each call that has reached a tool, and which tool. Must not throw. */
  readonly watch?: ((toolName: string, call: ToolCall, agent: string, step: StepKey) => void) | undefined;
  /** Stands around what executes a call; it sees to cancellation itself, and must not reject. */
  readonly around?: AroundCall | undefined;
  /** Runs an agent for a tool, and returns its answer. */
  readonly runAgent: (request: AgentRequest) => Promise<string | PausedAgent>;
  /** Performs a step of a tool once: what it returned, as JSON, is returned again where the tool is executed again. */
  readonly rememberText?: ((key: StepKey, perform: () => Promise<string>) => Promise<string>) | undefined;
  /** The steps that open calls have come to before. */
  readonly earlierSteps?: (() => Iterable<EarlierStep>) | undefined;
  /** Where a call can wait for what its tool calls: notes that. */
  readonly startWork?: ((key: StepKey) => Promise<WorkWithin>) | undefined;
}

/** Counts calls, each before it is executed, and refuses those beyond a limit. */
export interface CallLimits {
  /** Whether the run has a limit for the calls of all tools, or a run around it has. */
  readonly isSet: boolean;
  /** Counts a call that is about to be executed. Returns why one is not to be, which does not count. */
  begin(ready: ReadyCall): LimitReached | undefined;
  /** Notes that a call which was counted is over, or waits. */
  end(ready: ReadyCall, isWaiting: boolean): void;
}

/** A limit that has been reached: that of a tool, or of a run. */
export interface LimitReached {
  readonly limit: "maxCalls" | "maxToolCalls";
  /** How many calls it allows. */
  readonly most: number;
  /** Whether the call stays pending, since it was not executed before either. */
  readonly isUnstarted?: boolean;
}

/** A call with results of others in its arguments. */
export interface FilledCall {
  /** As the model made it. */
  readonly call: ToolCall;
  readonly filled: ToolCall;
  /** Where the results are. */
  readonly places: readonly (readonly (string | number)[])[];
}

/** What a tool asks of an agent. */
export interface AgentRequest {
  readonly agent: AgentLike;
  readonly input: string;
  readonly options: AgentRunOptions;
  /** The run of the agent as a step of the run around it. */
  readonly step: StepKey;
  readonly signal: AbortSignal;
  /** The agents that another build has run in the call, where it is not certain whether one of them is this one. */
  readonly unclear?: readonly string[] | undefined;
}

/** A step that open calls have come to before. */
export interface EarlierStep {
  readonly key: string;
  /** Of an agent that waits: the one that it began with, and what that was to do. */
  readonly begin?: { readonly agent: string; readonly input: string | undefined };
}

/** @param depth How many tools are calling each other; 0 for a model's own call. */
export type Execute = (call: ToolCall, scope: ExecutionScope, depth?: number) => Promise<CallOutcome>;

/** What stands around the execution of a call: it may change the call, and answer itself. */
export type AroundCall = (
  call: ToolCall,
  scope: ExecutionScope,
  perform: (call: ToolCall, scope: ExecutionScope) => CallOutcome | Promise<CallOutcome>,
) => Promise<CallOutcome>;

/** Told of what happens in a batch. Must not throw. `parent` is the id of the call whose tool made this one. */
export interface ExecutionObserver {
  start(call: ToolCall, parent?: string): void;
  progress(call: ToolCall, value: unknown, parent?: string): void;
  /** @param durationMs milliseconds since the start. */
  end(settled: SettledCall, durationMs: number, parent?: string): void;
  /**
   * Something that the application should know, and the model need not.
   * @param discreet - The same without anything of a result: for tools whose results are masked.
   */
  warn(message: string, discreet?: string): void;
}

/** How one call ended: the result for the model, and what the tool asked of the run. */
export interface SettledCall {
  readonly result: ToolResult;
  /** What the tool returned, where the model is shown none or less of it. For the application, and never part of the state. */
  readonly value?: JsonValue;
  /** Present where the tool returned more than the result has of it. Never part of the state. */
  readonly cut?: CutValue;
  /** Set where its value is masked, and its tool is not to be called again after an interruption without being asked. */
  readonly isNotRepeated?: true;
  /** What the tool threw. Not for the model, and never part of the state. */
  readonly error?: unknown;
  /** The agent to hand the lead to. */
  readonly agent?: AgentLike;
  /** Changes to the context. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Whether the run ends with this result. */
  readonly final?: boolean;
  /** For the page that shows the call. Not for the model, and never part of the state. */
  readonly meta?: JsonObject;
  /** Whether the result is that of an equal call, and the tool was not called. */
  readonly cached?: boolean;
  /** The call as it was permitted, where its value is not for the state: another run makes it so again. */
  readonly permitted?: PermittedCall;
  /** Whether the run ended before the call began: no journal keeps that. */
  readonly isUnstarted?: boolean;
  /** Set where the run fails before the call was executed: it has not ended, and is made once the run is resumed. */
  readonly isLeftOpen?: true;
  /** The limit that the call was not executed for. */
  readonly limit?: LimitReached["limit"];
  /** Set where the run is blocked: it ends with the batch. */
  readonly blocked?: Blocked;
}

/** What a tool returned that was too long or nested too deep for a result; `returned` is absent where it is not there any more. */
export interface CutValue {
  readonly returned?: unknown;
}

/** A call that may be executed, with what it was permitted with: plain JSON. */
export type PermittedCall = ToolCall & Pick<NestedWork, "edited" | "input" | "sharedWith">;

/** A call that a person has to decide on before it is executed. */
export interface ApprovalRequest {
  /** Names the decision: bound to run, call and arguments. */
  readonly approvalId: string;
  readonly toolCall: ToolCall;
  /** The arguments as the tool would get them. */
  readonly input: unknown;
}

/** A call that was not executed because a decision is missing. */
export interface WaitingCall {
  readonly waiting: ApprovalRequest;
  /** The input as plain JSON: what an approval is bound to. */
  readonly visibleInput: JsonValue;
  /** Where the tool comes from. */
  readonly origin?: readonly string[] | undefined;
  /** The version of the tool. */
  readonly version?: string;
  /** The call as a person wrote it, where a middleware changed that. */
  readonly edited?: ToolCall;
  /** Whether the call that waits is another: a middleware changed it, or a tool took the place of a deprecated one. */
  readonly isChanged?: true;
}

/** A request by an agent or a tool within a call. */
export interface NestedRequest extends ApprovalRequest {
  /** The agent that made the call. */
  readonly agent: string;
}

/** A call whose tool waits for what it has called itself. */
export interface SuspendedCall {
  readonly suspended: NestedWork;
  readonly requests: readonly NestedRequest[];
  /** What is wrong with a decision on one of them. */
  readonly failure?: Error;
}

/** An agent that waits for decisions. */
export interface PausedAgent {
  readonly state: RunState;
  readonly requests: readonly NestedRequest[];
  /** What is wrong with a decision on one of them. */
  readonly failure?: Error;
}

/** What matters of a step beside what it comes to. */
export interface AboutStep {
  /** Whether it does nothing but wait: that may come after something that waits. */
  readonly isWait?: boolean;
  /** Whether it has, once it is performed, what is not for a state: then it is performed again. */
  readonly isMasked?: () => boolean;
}

/** What the tool of a call does by other tools and agents. */
export interface WorkWithin {
  /** Whether something in it waits for a decision. */
  readonly isPaused: boolean;
  /**
   * Notes what a step comes to.
   * @param call - The call that the tool makes.
   * @throws SkeinError (`call-waiting`) if it waits, or comes after something that does; and whatever `perform` throws.
   */
  track<T extends string | PausedAgent | CallOutcome>(
    key: StepKey,
    call: ToolCall | undefined,
    perform: () => Promise<T>,
    about?: AboutStep,
  ): Promise<T>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /**
   * What became of the call.
   * @param input - What its tool got.
   */
  suspend(call: ToolCall, input: unknown): SuspendedCall;
}

/** What became of a call. */
export type CallOutcome = SettledCall | WaitingCall | SuspendedCall;

/** A call of a tool without `execute`: its arguments are right, and its result has to come from elsewhere. */
export interface LeftCall {
  readonly left: Required<Pick<PendingCall, "toolCallId" | "input">>;
}

/** What became of a call of a batch: one that refers to the result of a call that waits is held until that has one. */
export type BatchOutcome = CallOutcome | LeftCall | { readonly blocked: ToolCall };

/** A call whose tool is found and whose arguments are read. */
export interface ReadyCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: unknown;
  readonly scope: ExecutionScope;
  /** How many tools are calling each other; 0 for a model's own call. */
  readonly depth: number;
  readonly start?: CallStart;
}

/** Noted when a tool is called. */
export interface CallStart {
  hasBegun: boolean;
  /** What it has begun, which goes on though the call is over, if the tool does not hear of that; no longer than its deadline. */
  work?: { readonly done: PromiseLike<unknown>; readonly deadline: number };
}

/** Does what a call asks for. What it throws becomes the call's result; the signal's reason means that it was cancelled. */
export type Perform = (ready: ReadyCall) => CallOutcome | Promise<CallOutcome>;

/** What a durable run does for its calls. */
export interface DurableHooks {
  /** Turns of the run before it was left by itself, which count for `maxTurns`. */
  readonly turns: number;
  /** What counts for `maxToolCalls` of what was before that. */
  readonly counts: Pick<RunState, "toolCalls" | "isCallLimitReached">;
  /** What its answers before that have taken, which counts for `maxTokens` and `maxCost`. */
  readonly spent: { readonly tokens: number; readonly cost: number } | undefined;
  /**
   * Starts an agent as a run of its own, once.
   * @returns the id of the run.
   */
  startDetached(agent: DetachedAgent): Promise<string>;
  /** Whether the run of a step was started so before, or was to be. */
  hasStarted(step: StepKey): Promise<boolean>;
  /**
   * Makes sure that no other process has the run, where that is in doubt: this one may have stood still.
   * @returns a promise if it takes a moment, by the end of which the signal of the run is aborted if another has it.
   */
  hold(): Promise<void> | undefined;
  /** All that the user has sent to the run from the first on. */
  userMessages(): Promise<readonly SentMessage[]>;
}

/** An agent that is to be a run of its own. */
export interface DetachedAgent {
  /** The agent's name. */
  readonly agent: string;
  readonly input: string;
  readonly context: unknown;
  /** The step that is the agent's run, which names that. */
  readonly step: StepKey;
}

/** When a sleep of a tool ends, in milliseconds since 1970, and whether its run is left until then. */
export interface Sleep {
  readonly until: number;
  readonly isLeft: boolean;
}

/** How tools wait. */
export interface Waits {
  /**
   * Reads how long to sleep.
   * @param what - What says so, for the error.
   * @throws TypeError unless it is a number of milliseconds or a Date.
   */
  readSleep(what: string, until: number | Date, ready: ReadyCall): Sleep;
  /** Waits in the process. Rejects with the signal's reason. */
  sleepHere(until: number, signal: AbortSignal): Promise<void>;
  /**
   * Leaves a call until there is what it waits for, and returns that.
   * @param make - Makes a call within it, as `context.call` does.
   */
  waitWithin(
    ready: ReadyCall,
    kind: "sleep" | "waitFor" | "run",
    id: string,
    input: object,
    signal: AbortSignal,
    make: (inner: ToolCall, perform: () => Promise<CallOutcome>) => Promise<CallOutcome>,
  ): Promise<unknown>;
}

/** What few calls need, loaded by the first that does. */
export interface CallFeatures {
  /** What performs a tool's calls: `perform` within all policies of the tool. */
  withPolicies(tool: Tool, perform: Perform): MaybePromise<Perform>;
  /** Reads what a `Response`, a `Blob` or a stream holds. */
  readBody(body: Body, signal: AbortSignal): Promise<unknown>;
  /** A mistake in a tool's code, in a sentence for its author; `undefined` if the error is none. */
  describeBug(toolName: string, error: unknown): Promise<string | undefined>;
  /** Executes calls whose arguments refer to each other's results. */
  executeInOrder(
    calls: readonly ToolCall[],
    scope: ExecutionScope,
    concurrency: number,
  ): Promise<readonly BatchOutcome[]>;
  /** Checks a call whose result comes from elsewhere. */
  leaveCall(call: ToolCall, tool: Tool, scope: ExecutionScope): Promise<BatchOutcome>;
  /** The call of a tool by another, whose result comes from elsewhere. */
  waitForResult(ready: ReadyCall): Promise<CallOutcome>;
  /** What tools wait for themselves. */
  loadWaits(): Promise<Waits>;
}

/** Stands around what performs the calls of one tool: lets them through, holds them up, or answers itself. */
export type Policy = (next: Perform, tool: Tool) => Perform;
