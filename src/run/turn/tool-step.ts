import { findAgent, isCompleteAgent, isHandoffTool } from "../../agent/handoff.ts";
import { executeBatch } from "../../executor/execute-batch.ts";
import { executeCall, isLeftOpen } from "../../executor/execute-call.ts";
import { frozenResult } from "../../executor/finalize.ts";
import { referenceKey } from "../../executor/references.ts";
import { progressValue } from "../../executor/progress-value.ts";
import type {
  Execute,
  ExecutionObserver,
  ExecutionScope,
  LeftCall,
  SettledCall,
  SuspendedCall,
  WaitingCall,
} from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import { successesOf } from "../../message/successes.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import type { ToolTable } from "../../tool/table.ts";
import type { ToolUi } from "../../tool/types.ts";
import { frozen } from "../../base/util/snapshot.ts";
import { watchOf } from "../call-watch.ts";
import { emit, hasListeners, warn } from "../events/emit.ts";
import { callFeatures, loadAgentRuns, loadRepeats, loadSteps } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { earlierSteps } from "../state/earlier-steps.ts";
import {
  abandonedResult,
  isInterruptedHere,
  isStoppedInSession,
  mayHaveBegunHere,
} from "../state/may-have-begun.ts";
import type { BatchWithin } from "../steps/execute-within.ts";
import { hasMiddleware, remembersSteps } from "../steps/perform-step.ts";
import { appendResults } from "./append-results.ts";

/** Executes calls side by side, appends their results in call order, and takes over context and lead. */
export async function toolStep(
  run: ActiveRun,
  toolTable: ToolTable,
  calls: readonly ToolCall[],
  execute: Execute = executeCall,
): Promise<readonly ToolResult[]> {
  const startedAt = performance.now();
  run.underWay.clear();
  const scope = scopeOf(run, toolTable, unlessBlocked(run, execute));
  const { outcomes, failure }: BatchWithin = hasMiddleware(run)
    ? await (await loadSteps()).executeWithin(run, calls, scope)
    : { outcomes: await executeBatch(calls, scope) };
  run.meters.addToolTime(performance.now() - startedAt);
  const settled: SettledCall[] = [];
  const waiting: WaitingCall[] = [];
  const suspended: SuspendedCall[] = [];
  for (const outcome of outcomes) {
    if ("waiting" in outcome) waiting.push(outcome);
    if ("suspended" in outcome) suspended.push(outcome);
    if ("left" in outcome) leave(run, outcome);
    if (!("result" in outcome) || isLeftOpen(outcome)) continue;
    settled.push(outcome);
    if (outcome.cached) run.meters.addCacheHit();
    noteNames(run, toolTable, outcome.result);
  }
  // Marked in the history: a run that is resumed before it has ended must end there, and one that has ended repeats it.
  const marked = settled.map(({ result, final }) => (final ? { ...result, final } : result));
  const { maxRepeats } = run.config.options;
  const results =
    maxRepeats === undefined ? marked : (await loadRepeats()).withNotes(run, marked, maxRepeats);
  appendResults(run, results);
  const handoff = takeChanges(run, settled);
  if (waiting.length > 0) (run.config.scope.isCancelled || run.blocked ? giveUp : askFor)(run, waiting);
  const wrong = suspended.length > 0 && (await loadAgentRuns()).leaveOpen(run, suspended);
  if (handoff) await handOff(run, toolTable, handoff);
  const thrown = failure ? failure.error : wrong || run.guardError;
  if (failure || thrown) {
    // A session that is resumed must not execute the calls once more.
    await run.config.record?.save();
    throw thrown;
  }
  return results;
}

/** Calls that were answered from what is stored were not executed here: whose names they are is settled all the same. */
function noteNames({ agent, toolNames }: ActiveRun, toolTable: ToolTable, result: ToolResult): void {
  if (!toolTable.isDynamic) return;
  for (const name of successesOf(result)) toolNames.note(agent.name, name, toolTable);
}

/** Executes calls, those within calls as well, until one of them blocks the run. */
function unlessBlocked(run: ActiveRun, execute: Execute): Execute {
  return (call, scope, depth) => {
    const { blocked } = run;
    if (!blocked) return execute(call, scope, depth);
    return Promise.resolve({ result: notExecuted(call, "the run was blocked."), blocked });
  };
}

/** Leaves a call to the program. */
function leave({ conversation }: ActiveRun, { left }: LeftCall): void {
  conversation.updatePending((call) =>
    call.toolCallId === left.toolCallId && call.approvalId === undefined ? { ...call, ...left } : call,
  );
}

/** Leaves calls to a person. */
function askFor(run: ActiveRun, waiting: readonly WaitingCall[]): void {
  const waitingById = new Map(waiting.map((each) => [each.waiting.toolCall.toolCallId, each]));
  run.conversation.updatePending((call) => {
    const each = waitingById.get(call.toolCallId);
    return each ? pendingCall(call, each) : call;
  });
  const agent = run.agent.name;
  for (const { waiting: request } of waiting) {
    run.addRequest({ agent, ...request });
    if (hasListeners(run)) emit(run, { type: "approval-request", agent, ...request });
  }
}

/** The call as a person sees it, and as it will be executed. References to results stay: they are filled in again. */
function pendingCall(
  call: PendingCall,
  { waiting, visibleInput, edited, version, isChanged }: WaitingCall,
): PendingCall {
  const { approvalId, toolCall } = waiting;
  const { version: _, ...plain } = call;
  const waitingCall = {
    ...plain,
    approvalId,
    input: visibleInput,
    ...(edited && { edited }),
    ...(version !== undefined && { version }),
  };
  if (!isChanged && call.arguments.includes(referenceKey)) return waitingCall;
  return { ...waitingCall, toolName: toolCall.toolName, arguments: toolCall.arguments };
}

/** No decision will come any more: answers the calls, and ends those that have begun with this batch. */
function giveUp(run: ActiveRun, waiting: readonly WaitingCall[]): void {
  const askedIds = new Set(
    run.conversation.pending.flatMap((call) => (call.approvalId ? [call.toolCallId] : [])),
  );
  for (const { toolCall } of waiting.map((each) => each.waiting)) {
    const result = abandonedResult(run, toolCall, run.blocked ? "blocked" : "cancelled");
    appendResults(run, [result]);
    if (!askedIds.has(toolCall.toolCallId))
      emit(run, { type: "tool-end", agent: run.agent.name, result: frozenResult(result), durationMs: 0 });
  }
}

/** What calls of the active agent are executed in. */
export function scopeOf(run: ActiveRun, toolTable: ToolTable, execute: Execute): ExecutionScope {
  const { runId, parent, options, scope, memory, limits, runAgent } = run.config;
  if (!runAgent) throw new TypeError("calls are executed before the run is open");
  return {
    toolTable,
    context: run.context,
    agent: run.agent,
    model: run.model,
    ...historyOf(run),
    runId,
    turn: run.meters.turn,
    step: parent,
    execute,
    features: callFeatures,
    stateSecret: options.stateSecret,
    signal: scope.signal,
    concurrency: options.concurrency,
    observer: new CallObserver(run, toolTable),
    watch: watchOf(run.config.middlewares),
    memory,
    limits,
    durable: run.config.durable,
    isJournaled: options.journal !== undefined,
    underWay: run.underWay,
    mayHaveBegun: (toolCallId) => mayHaveBegunHere(run, toolCallId, toolTable),
    isRemembering: remembersSteps(run),
    hasStopped: (toolCallId) => isStoppedInSession(run, toolCallId),
    isInterrupted: (toolCallId) => isInterruptedHere(run, toolCallId, toolTable),
    runAgent,
    toolNames: run.toolNames,
    rememberText: async (key, perform) =>
      (await loadAgentRuns()).rememberText(
        run,
        key,
        perform,
        hasMiddleware(run) ? await loadSteps() : undefined,
      ),
    earlierSteps: () => earlierSteps(run),
    startWork: async (key) => (await loadAgentRuns()).startWork(run, key),
  };
}

/** What calls may see of the history: without a pause, the results beside them would not be there either. */
function historyOf({
  conversation: { messages },
}: ActiveRun): Pick<ExecutionScope, "messages" | "batchResults"> {
  if (messages.at(-1)?.role !== "tool") return { messages };
  const end = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  return { messages: messages.slice(0, end), batchResults: messages.slice(end) };
}

/** Counts the calls of a run, and reports them to its listeners. */
class CallObserver implements ExecutionObserver {
  readonly #run: ActiveRun;
  readonly #toolTable: ToolTable;

  constructor(run: ActiveRun, toolTable: ToolTable) {
    this.#run = run;
    this.#toolTable = toolTable;
  }

  start(toolCall: ToolCall, parent?: string): void {
    const run = this.#run;
    if (!hasListeners(run)) return;
    const fields = { ...parentField(parent), ...this.#uiField(toolCall) };
    emit(run, { type: "tool-start", agent: run.agent.name, toolCall, ...fields });
  }

  progress({ toolCallId, toolName }: ToolCall, reported: unknown, parent?: string): void {
    const run = this.#run;
    if (!hasListeners(run)) return;
    const agent = run.agent.name;
    const value = progressValue(reported);
    emit(run, { type: "tool-progress", agent, toolCallId, toolName, value, ...parentField(parent) });
  }

  end({ result, value, error, cached, meta }: SettledCall, durationMs: number, parent?: string): void {
    const run = this.#run;
    run.meters.tools.record(result, durationMs, cached);
    if (!hasListeners(run)) return;
    emit(run, {
      type: "tool-end",
      agent: run.agent.name,
      result: frozenResult(result),
      durationMs,
      ...parentField(parent),
      ...(value !== undefined && { value }),
      ...(error !== undefined && { error: withoutSecrets(error) }),
      ...(cached && { cached }),
      ...this.#uiField(result),
      ...(meta && { meta }),
    });
  }

  warn(message: string): void {
    warn(this.#run, message);
  }

  #uiField({ toolName }: Pick<ToolCall, "toolName">): { readonly ui?: ToolUi } {
    const ui = this.#toolTable.get(toolName)?.annotations.ui;
    return ui ? { ui } : {};
  }
}

function parentField(parent: string | undefined): { readonly parentToolCallId?: string } {
  return parent === undefined ? {} : { parentToolCallId: parent };
}

/** Has the run keep what calls changed until the batch is done. Returns the last handoff in call order, if it is one of theirs. */
function takeChanges(run: ActiveRun, settled: readonly SettledCall[]): SettledCall | undefined {
  const changing = settled.filter(({ context, agent }) => context ?? agent);
  if (changing.length === 0) return undefined;
  const changes = changing.map(({ result: { toolCallId }, context, agent }) => ({
    toolCallId,
    ...(context && { context }),
    ...(agent && { agent: agent.name }),
  }));
  run.addChanges(frozen(changes));
  const last = run.changes.findLast(({ agent }) => agent !== undefined);
  return changing.find(({ agent, result }) => agent && result.toolCallId === last?.toolCallId);
}

async function handOff(
  run: ActiveRun,
  toolTable: ToolTable,
  { agent: target, result: { toolName, toolCallId } }: SettledCall,
): Promise<void> {
  // The calls are done, and stay done: only the handoff cannot be.
  if (!isCompleteAgent(target))
    return warn(
      run,
      `${toolName} did not hand off: the agent ${target?.name} was made by another version of skein. Install one version: npm dedupe.`,
    );
  const { roots, outerRoots } = run.config;
  const isListed = isHandoffTool(toolTable.get(toolName)) && roots.includes(run.agent);
  if (!isListed) (await loadAgentRuns()).assertOwnName(target, [roots, outerRoots]);
  if (run.config.record && !findAgent(target.name, run.config.roots))
    warn(
      run,
      `The agent ${target.name} cannot be reached from ${run.config.roots[0]?.name}. Pass it in options.agents, or list it in handoffs: the session cannot be resumed with it.`,
    );
  emit(run, { type: "handoff", agent: run.agent.name, to: target.name, toolCallId });
  run.activate(target);
}
