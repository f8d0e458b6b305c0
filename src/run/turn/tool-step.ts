import { asAgent } from "../../agent/handoff.ts";
import { executeBatch } from "../../executor/execute-batch.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { textOf } from "../../executor/finalize.ts";
import { progressValue } from "../../executor/progress-value.ts";
import type {
  ApprovalRequest,
  ExecutionObserver,
  ExecutionScope,
  SettledCall,
} from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { StepKey } from "../../message/step-key.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import type { ToolTable } from "../../tool/table.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";
import { emit, hasListeners, warn, type ActiveRun } from "../state/active-run.ts";
import { appendResults } from "./append-results.ts";
import { hasMiddleware } from "../steps/perform-step.ts";

/** What a batch of calls leads to. */
export interface BatchOutcome {
  readonly results: readonly ToolResult[];
  /** The text that ends the run, if a tool said so. */
  readonly finalText: string | undefined;
}

/** Executes calls side by side, appends their results in call order, and takes over context and lead. */
export async function toolStep(
  run: ActiveRun,
  registry: ToolTable,
  calls: readonly ToolCall[],
): Promise<BatchOutcome> {
  const startedAt = performance.now();
  const scope = scopeOf(run, registry);
  const outcomes = await executeBatch(
    calls,
    hasMiddleware(run) ? { ...scope, ...(await withinMiddlewares(run)) } : scope,
  );
  run.counts.toolMs += performance.now() - startedAt;
  const settled: SettledCall[] = [];
  const waiting: ApprovalRequest[] = [];
  for (const outcome of outcomes) {
    if ("waiting" in outcome) waiting.push(outcome.waiting);
    if (!("result" in outcome)) continue;
    settled.push(outcome);
    if (outcome.cached) run.counts.cacheHits++;
  }
  const isLast = settled.length === run.conversation.pending.length;
  const results = settled.map(({ result, final }) => (final && !isLast ? { ...result, final } : result));
  appendResults(run, results);
  if (waiting.length > 0) (run.scope.isCancelled ? giveUp : askFor)(run, waiting);
  const final = settled.findLast((call) => call.final);
  updateContext(run, settled);
  handOff(run, settled);
  return { results, finalText: final && textOf(final.result) };
}

/** Calls that the run's middlewares stand around, and remember. */
async function withinMiddlewares(run: ActiveRun): Promise<Pick<ExecutionScope, "execute" | "around">> {
  const [{ aroundCalls }, { rememberCalls }] = await Promise.all([
    import("../steps/middleware-chain.ts"),
    import("../steps/remember-calls.ts"),
  ]);
  return { execute: rememberCalls(run, run.execute ?? executeCall), around: aroundCalls(run) };
}

/** Leaves calls to a person. */
function askFor(run: ActiveRun, waiting: readonly ApprovalRequest[]): void {
  const ids = new Map(waiting.map(({ approvalId, toolCall }) => [toolCall.toolCallId, approvalId]));
  run.conversation.updatePending((call) => {
    const approvalId = ids.get(call.toolCallId);
    return approvalId === undefined ? call : { ...call, approvalId };
  });
  for (const request of waiting) emit(run, { type: "approval-request", agent: run.agent.name, ...request });
}

/** Nobody will be asked any more: answers the calls, and ends those that have begun with this batch. */
function giveUp(run: ActiveRun, waiting: readonly ApprovalRequest[]): void {
  const asked = new Set(
    run.conversation.pending.flatMap((call) => (call.approvalId ? [call.toolCallId] : [])),
  );
  for (const { toolCall } of waiting) {
    const result = notExecuted(toolCall, "the run was cancelled.");
    appendResults(run, [result]);
    if (!asked.has(toolCall.toolCallId))
      emit(run, { type: "tool-end", agent: run.agent.name, result, durationMs: 0 });
  }
}

function scopeOf(run: ActiveRun, registry: ToolTable): ExecutionScope {
  const calls = (run.calls ??= {
    observer: observerOf(run),
    runAgent: (agent, input, step, signal) => runAgentStep(run, agent, input, step, signal),
  });
  return {
    registry,
    context: run.context,
    agent: run.agent,
    model: run.model,
    messages: run.conversation.messages,
    runId: run.runId,
    turn: run.turn,
    step: run.parent,
    execute: run.execute ?? executeCall,
    stateSecret: run.options.stateSecret,
    signal: run.scope.signal,
    concurrency: run.options.concurrency,
    observer: calls.observer,
    memory: run.memory,
    runAgent: calls.runAgent,
  };
}

/** A run within this one is a step of it: once it has its answer, it is not run again. */
async function runAgentStep(
  run: ActiveRun,
  agent: AgentLike,
  input: string,
  step: StepKey,
  signal: AbortSignal,
): Promise<string> {
  const { runWithin } = run;
  if (!runWithin) throw new TypeError("an agent is run before the run around it");
  const perform = (): Promise<string> => runWithin(run, agent, input, step, signal);
  if (!hasMiddleware(run)) return perform();
  const { rememberStep } = await import("../steps/middleware-chain.ts");
  return rememberStep(run, step, perform);
}

function observerOf(run: ActiveRun): ExecutionObserver {
  return {
    start: (toolCall, parent) => {
      if (hasListeners(run))
        emit(run, { type: "tool-start", agent: run.agent.name, toolCall, ...within(parent) });
    },
    progress: ({ toolCallId, toolName }, reported, parent) => {
      if (!hasListeners(run)) return;
      const agent = run.agent.name;
      const value = progressValue(reported);
      emit(run, { type: "tool-progress", agent, toolCallId, toolName, value, ...within(parent) });
    },
    end: ({ result, value, error, cached }, durationMs, parent) => {
      run.statistics.record(result, durationMs, cached);
      if (!hasListeners(run)) return;
      emit(run, {
        type: "tool-end",
        agent: run.agent.name,
        result,
        durationMs,
        ...within(parent),
        ...(value !== undefined && { value }),
        ...(error !== undefined && { error: withoutSecrets(error) }),
        ...(cached && { cached }),
      });
    },
    warn: (message) => warn(run, message),
  };
}

function within(parent: string | undefined): { readonly parentToolCallId?: string } {
  return parent === undefined ? {} : { parentToolCallId: parent };
}

/** Merges what the calls changed, shallowly and in call order. */
function updateContext(run: ActiveRun, settled: readonly SettledCall[]): void {
  if (!settled.some(({ context }) => context)) return;
  run.context = frozenCopy(Object.assign({}, run.context, ...settled.map(({ context }) => context)));
}

/** The last handoff of a batch wins. */
function handOff(run: ActiveRun, settled: readonly SettledCall[]): void {
  const last = settled.findLast((call) => call.agent);
  if (!last?.agent) return;
  const target = asAgent(last.agent);
  emit(run, { type: "handoff", agent: run.agent.name, to: target.name, toolCallId: last.result.toolCallId });
  run.agent = target;
}
