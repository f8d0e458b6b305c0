import type { AnyAgent } from "../../agent/agent.ts";
import type { Execute, ExecutionScope } from "../../executor/types.ts";
import type { FinishReason, Message, ToolResult, Usage } from "../../message/messages.ts";
import type { RunState } from "../../message/run-state.ts";
import type { StepKey } from "../../message/step-key.ts";
import { addUsage } from "../../message/usage.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import type { ToolReport, ToolStatistics } from "../../tool/statistics.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import type { Budget } from "../budget.ts";
import type { CancelScope } from "../cancel.ts";
import type { Conversation } from "./conversation.ts";
import type { Middleware } from "../steps/middleware.ts";
import type { Next, Outcome } from "./outcome.ts";
import type { ModelCall, RunReport, RunResult, RunStats } from "../result-types.ts";
import type { RunEvent, RunEventBody, RunOptions } from "../types.ts";

const mostWarnings = 100;

/** Runs an agent within a run, for a tool. `step` is that run as a step of the outer one. */
export type RunWithin = (
  run: ActiveRun,
  agent: AgentLike,
  input: string,
  step: StepKey,
  signal: AbortSignal,
) => Promise<string>;

/** A run while it runs: what its state will say, and what it needs to go on. Only the loop changes it. */
export interface ActiveRun {
  runId: string;
  readonly options: RunOptions;
  /** The state that this run resumes, if it does. */
  resumed: RunState | undefined;
  readonly scope: CancelScope;
  /** What stands around its steps, the outermost first: shared with the runs within this one. */
  middlewares: readonly Middleware[];
  /** The step of another run that is this run, if a tool started it. */
  readonly parent: StepKey | undefined;
  /** What keeps the run in its session, if it has one. */
  record: RunRecord | undefined;
  /** The model of whoever called this run as a tool. */
  readonly callersModel: Model | undefined;
  /** How many runs this one is within. */
  readonly depth: number;
  /** Agents that a handoff of a journal may name. */
  readonly roots: readonly AnyAgent[];
  readonly conversation: Conversation;
  readonly startedAt: number;
  readonly warnings: string[];
  /** Agents that have made a model call in this run. */
  readonly seen: Set<AnyAgent>;
  readonly sink: ((event: RunEvent) => void) | undefined;
  /** What policies of tools remember. */
  readonly memory: Map<unknown, unknown>;
  readonly statistics: ToolStatistics;
  readonly counts: {
    modelMs: number;
    toolMs: number;
    toolCalls: number;
    toolErrors: number;
    cacheHits: number;
    events: number;
  };
  /** What calls tell of themselves and may ask for, made with the first of them. */
  calls: Pick<ExecutionScope, "observer" | "runAgent"> | undefined;
  /** Executes a call: another function while decisions on calls are carried out. */
  execute: Execute | undefined;
  /** The calls on which a person has decided, by their ids. */
  decided: ReadonlySet<string>;
  /** Signs a state, if states are to be signed and the one that was resumed is in order. */
  seal: ((state: RunState) => Promise<RunState>) | undefined;
  agent: AnyAgent;
  /** Frozen. */
  context: unknown;
  /** How it ended; `undefined` while it runs. Set once. */
  outcome: Outcome | undefined;
  /** Runs an agent on behalf of a tool. */
  runWithin: RunWithin | undefined;
  /** Model calls over all resumptions, and those of this run alone. */
  turn: number;
  turns: number;
  usage: Usage;
  ownUsage: Usage;
  /** Every answer so far, and what limits them: shared with the runs within this one. */
  readonly modelCalls: ModelCall[];
  budget: Budget | undefined;
  /** The model used last in this run. */
  model: Model | undefined;
  text: string;
  /** The form of the answer in this turn, if one is asked for, and what came of it. */
  typed: TurnOutput | undefined;
  finishReason: FinishReason;
  rawFinishReason: string | undefined;
}

/** Keeps a run in its session. */
export interface RunRecord {
  /** Keeps what is new. Rejects if that cannot be done. */
  save(): Promise<void>;
  /** Notes that the run goes on with other messages than it had `before`. */
  compacted(before: readonly Message[]): void;
}

/** Collects the output of one turn's answer. */
export interface TurnOutput {
  /** The request with the output's schema in it. */
  prepare(model: Model, request: ModelRequest): ModelRequest;
  /** Emits an event if it is a piece of the output; `false` if it is not. */
  onEvent(event: ModelEvent): boolean;
  /** Reads the output from the answer: the run ends with it, or the model reads what is wrong and the run goes on. */
  collect(): Promise<{ readonly results: readonly ToolResult[]; readonly next: Next }>;
  /** The output in the text of a tool that ended the run; `undefined`, with a warning, if it does not fit the schema. */
  parse(text: string): Promise<unknown>;
}

/** Appends a piece of the answer: a run that is cancelled keeps what has come of it. */
export function collectText(run: ActiveRun, event: ModelEvent): void {
  if (event.type === "text-delta") run.text += event.text;
}

/** Whether anybody listens to the events of a run. */
export function hasListeners(run: ActiveRun): boolean {
  return run.sink !== undefined || run.options.onEvent !== undefined;
}

/** Numbers an event and hands it to everybody who listens. What a listener throws becomes a warning. */
export function emit(run: ActiveRun, body: RunEventBody): void {
  if (!hasListeners(run)) return;
  const { onEvent } = run.options;
  // Not a copy: events of calls' arguments have an accessor, and every body is made for its event.
  const event: RunEvent = Object.assign(body, { index: run.counts.events++ });
  run.sink?.(event);
  if (!onEvent) return;
  try {
    onEvent(event);
  } catch (error) {
    const warning = `onEvent threw on the event ${body.type}: ${safeMessage(error)}`;
    note(run, warning);
  }
}

/** Whether a warning is a new one, and there are not too many already. */
function note({ warnings }: ActiveRun, message: string): boolean {
  if (warnings.length > mostWarnings || warnings.includes(message)) return false;
  warnings.push(warnings.length < mostWarnings ? message : "There are more warnings, which are left out.");
  return warnings.length <= mostWarnings;
}

/** Reports something that the run survives, once. */
export function warn(run: ActiveRun, message: string): void {
  if (note(run, message)) emit(run, { type: "warning", agent: run.agent.name, message });
}

/** Takes up what a generation says of itself. */
export function noteGeneration(run: ActiveRun, generation: Generation): void {
  run.text = generation.text;
  run.finishReason = generation.finishReason;
  run.rawFinishReason = generation.rawFinishReason;
  run.usage = addUsage(run.usage, generation.usage);
  run.ownUsage = addUsage(run.ownUsage, generation.usage);
  const { provider = run.model?.provider ?? "", modelId } = generation.response;
  run.modelCalls.push({ provider, modelId, usage: generation.usage });
  for (const warning of generation.warnings) warn(run, warning);
}

/** The status that a run has reached. */
export function statusOf({ outcome }: ActiveRun): RunState["status"] {
  return outcome?.status ?? "running";
}

/** The state reached, as plain JSON; signed, if states are. */
export function stateOf(run: ActiveRun): RunState | Promise<RunState> {
  const { messages, pending } = run.conversation;
  const approvals = pending.flatMap(({ approvalId, toolCallId }) =>
    approvalId === undefined ? [] : [{ approvalId, toolCallId }],
  );
  const state: RunState = {
    version: 1,
    runId: run.runId,
    agent: run.agent.name,
    messages: [...messages],
    context: run.context,
    turn: run.turn,
    pending,
    ...(approvals.length > 0 && { approvals }),
    usage: run.usage,
    status: statusOf(run),
  };
  return run.seal ? run.seal(state) : state;
}

/** What a run that has ended returns. */
export async function resultOf(
  run: ActiveRun,
  { status, text = run.text, output }: Outcome,
): Promise<RunResult> {
  const report: RunReport = {
    finishReason: status === "cancelled" ? "cancelled" : run.finishReason,
    rawFinishReason: run.rawFinishReason,
    text,
    output,
    messages: run.conversation.added,
    agent: run.agent,
    context: run.context,
    usage: run.ownUsage,
    turns: run.turns,
    modelCalls: run.modelCalls,
    stats: statsOf(run),
    warnings: run.warnings,
    state: await stateOf(run),
  };
  if (status !== "paused") return { ...report, status, pending: [] };
  const [first, ...others] = run.conversation.pending;
  if (!first) throw new TypeError("a run is paused without a pending call");
  return { ...report, status: "paused", pending: [first, ...others] };
}

function statsOf({ counts, startedAt, statistics }: ActiveRun): RunStats {
  const { events: _, ...rest } = counts;
  const totalMs = performance.now() - startedAt;
  // Worked out when somebody looks at it: percentiles cost more than a turn.
  return {
    totalMs,
    ...rest,
    get tools(): ToolReport {
      return statistics.report();
    },
  };
}
