import { asAgent, findAgent } from "../agent/handoff.ts";
import { executeBatch } from "../executor/execute-batch.ts";
import { textOf } from "../executor/finalize.ts";
import type {
  CallOutcome,
  ExecutionObserver,
  ExecutionScope,
  SettledCall,
  WaitingCall,
} from "../executor/types.ts";
import type { ToolCall, ToolResult } from "../message/messages.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import { frozenCopy } from "../util/snapshot.ts";
import { emit, warn, type ActiveRun } from "./active-run.ts";
import { journaled } from "./journal.ts";

/** Runs an agent within a run, for tools that ask for one. */
export type RunWithin = (
  run: ActiveRun,
  agent: AgentLike,
  input: string,
  call: ToolCall,
  signal: AbortSignal,
) => Promise<string>;

/** What a batch of calls leads to. */
export interface BatchOutcome {
  readonly results: readonly ToolResult[];
  /** The text that ends the run, if a tool said so. */
  readonly finalText: string | undefined;
}

/** Executes calls side by side, appends their results in call order, and takes over context and lead. */
export async function toolStep(
  run: ActiveRun,
  registry: ToolRegistry,
  calls: readonly ToolCall[],
  runWithin: RunWithin,
): Promise<BatchOutcome> {
  const startedAt = performance.now();
  const scope = scopeOf(run, registry, runWithin);
  const outcomes = await executeBatch(
    calls,
    scope,
    run.journal ? (call) => executeJournaled(run, scope, call) : run.execute,
  );
  run.counts.toolMs += performance.now() - startedAt;
  const settled = outcomes.filter((outcome) => "result" in outcome);
  const results = settled.map(({ result }) => result);
  for (const result of results) appendResult(run, result);
  for (const outcome of outcomes) if ("waiting" in outcome) ask(run, outcome);
  for (const { cached } of settled) if (cached) run.counts.cacheHits++;
  const final = settled.findLast((call) => call.final);
  updateContext(run, settled);
  handOff(run, settled);
  return { results, finalText: final && textOf(final.result) };
}

/** Appends the answer to a call; a call that has one is no longer pending. */
export function appendResult(run: ActiveRun, result: ToolResult): void {
  run.messages.push({ role: "tool", result });
  if (run.pending.length > 0)
    run.pending = run.pending.filter((call) => call.toolCallId !== result.toolCallId);
  if (result.outcome === "not-executed") return;
  run.counts.toolCalls++;
  if (result.isError) run.counts.toolErrors++;
}

/** Leaves a call to a person. */
function ask(run: ActiveRun, { waiting }: WaitingCall): void {
  const { approvalId, toolCall } = waiting;
  run.pending = run.pending.map((call) =>
    call.toolCallId === toolCall.toolCallId ? { ...call, approvalId } : call,
  );
  emit(run, { type: "approval-request", agent: run.agent.name, ...waiting });
}

/** What is kept of a call: plain JSON, so an agent by its name. */
type JournaledCall = Omit<SettledCall, "agent" | "error" | "value"> & { readonly agent?: string };

/** Ends a journal's step for a call that waits: what is not done is not remembered. */
class StillWaiting extends Error {
  readonly outcome: WaitingCall;

  constructor(outcome: WaitingCall) {
    super("the call waits for a decision");
    this.outcome = outcome;
  }
}

async function executeJournaled(run: ActiveRun, scope: ExecutionScope, call: ToolCall): Promise<CallOutcome> {
  try {
    return await executeOnce(run, scope, call);
  } catch (error) {
    if (error instanceof StillWaiting) return error.outcome;
    throw error;
  }
}

async function executeOnce(run: ActiveRun, scope: ExecutionScope, call: ToolCall): Promise<SettledCall> {
  let live: AgentLike | undefined;
  const kept = await journaled(run.journal, `turn-${run.turn}/tool/${call.toolCallId}`, async () => {
    const outcome = await run.execute(call, scope);
    if ("waiting" in outcome) throw new StillWaiting(outcome);
    const { agent, error: _error, value: _value, ...rest } = outcome;
    live = agent;
    const entry: JournaledCall = { ...rest, ...(agent && { agent: agent.name }) };
    return entry;
  });
  const { agent: name, ...rest } = kept;
  const agent = live ?? (name === undefined ? undefined : findAgent(name, [run.agent, ...run.roots]));
  return { ...rest, ...(agent && { agent }) };
}

function scopeOf(run: ActiveRun, registry: ToolRegistry, runWithin: RunWithin): ExecutionScope {
  return {
    registry,
    context: run.context,
    agent: run.agent,
    messages: run.messages,
    runId: run.runId,
    turn: run.turn,
    stateSecret: run.options.stateSecret,
    signal: run.scope.signal,
    concurrency: run.options.concurrency,
    observer: observerOf(run),
    memory: run.memory,
    runAgent: (agent, input, call, signal) => runWithin(run, agent, input, call, signal),
  };
}

function observerOf(run: ActiveRun): ExecutionObserver {
  const agent = run.agent.name;
  return {
    start: (toolCall, parent) => emit(run, { type: "tool-start", agent, toolCall, ...within(parent) }),
    progress: ({ toolCallId, toolName }, value, parent) =>
      emit(run, { type: "tool-progress", agent, toolCallId, toolName, value, ...within(parent) }),
    end: ({ result, value, error, cached }, durationMs, parent) => {
      run.statistics.record(result, durationMs, cached);
      emit(run, {
        type: "tool-end",
        agent,
        result,
        durationMs,
        ...within(parent),
        ...(value !== undefined && { value }),
        ...(error !== undefined && { error }),
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
