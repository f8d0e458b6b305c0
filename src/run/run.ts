import type { Agent } from "../agent/agent.ts";
import { asAgent } from "../agent/handoff.ts";
import { SkeinError } from "../errors.ts";
import type { ToolCall } from "../message/messages.ts";
import { notExecuted } from "../message/unanswered-calls.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import { emit, resultOf, stateOf, warn, type ActiveRun } from "./active-run.ts";
import { RunCancelled } from "./cancel-scope.ts";
import { printEvent } from "./debug.ts";
import { withPrefix } from "./journal.ts";
import { runLoop } from "./loop.ts";
import { RunStream } from "./run-stream.ts";
import { startRun, type StartOptions } from "./start.ts";
import { appendResults } from "./append-results.ts";
import type { RunInput, RunOptions, RunResult } from "./types.ts";

/** How many agents may ask each other as tools within one run. */
const deepestRun = 8;

/**
 * Runs an agent, and whoever it hands over to, until there is an answer.
 *
 * What a tool or a model gets wrong is told to the model, never thrown.
 * @throws ModelError if a model cannot be used and retries are exhausted; ConfigurationError for a mistake in the
 * program. Both carry the state reached in `error.state`.
 */
export async function run<C = unknown, O = unknown, P = O>(
  agent: Agent<C, O>,
  input: RunInput<C>,
  options: RunOptions<C, P> = {},
): Promise<RunResult<C, P>> {
  const sink = options.debug ? printEvent : undefined;
  const active = startRun(agent, input, options, { sink, journal: options.journal });
  return finish<C, P>(active);
}

/**
 * Runs an agent like `run` does, and lets its events be followed. It starts at once; leaving it does not stop it.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError for what is wrong from the start. What fails later
 * rejects `result` and ends every reader with the same error.
 */
export function stream<C = unknown, O = unknown, P = O>(
  agent: Agent<C, O>,
  input: RunInput<C>,
  options: RunOptions<C, P> = {},
): RunStream<C, P> {
  return new RunStream<C, P>((publish) => {
    const sink: StartOptions["sink"] = options.debug
      ? (event) => {
          printEvent(event);
          publish(event);
        }
      : publish;
    const active = startRun(agent, input, options, { sink, journal: options.journal });
    return { result: finish<C, P>(active), cancel: (reason) => active.scope.cancel(reason) };
  });
}

/** Drives a run to its one end. */
async function finish<C, O>(run: ActiveRun): Promise<RunResult<C, O>> {
  try {
    await runLoop(run, runWithin);
    if (run.status === "cancelled") closeCancelled(run, run.scope.signal.reason);
  } catch (error) {
    if (!run.scope.isCancelled) return await fail(run, error);
    closeCancelled(run, error);
  } finally {
    run.scope.dispose();
  }
  try {
    await run.record?.save();
  } catch (error) {
    return await fail(run, error);
  }
  const result = await resultOf(run);
  emit(run, { type: "run-end", agent: run.agent.name, status: result.status, result });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop is the same for every type of context and output
  return result as RunResult<C, O>;
}

/** Leaves a history that the next request can take: every call answered, nothing half said. */
function closeCancelled(run: ActiveRun, error: unknown): void {
  run.status = "cancelled";
  run.finishReason = "cancelled";
  appendResults(
    run,
    run.pending.map((call) => notExecuted(call, "the run was cancelled.")),
  );
  const reason: unknown = run.scope.signal.reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError") warn(run, reason.message);
  if (!(error instanceof RunCancelled) && error !== reason && !isAbort(error)) {
    warn(run, `While the run was being cancelled: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

async function fail(run: ActiveRun, error: unknown): Promise<never> {
  const thrown =
    error instanceof SkeinError
      ? error
      : new SkeinError(`The run failed: ${error instanceof Error ? error.message : String(error)}`, {
          code: "run-failed",
          cause: error,
        });
  // Not enumerable: what is logged of an error shall not be the whole history and the context.
  if (!thrown.state)
    Object.defineProperty(thrown, "state", {
      value: await stateOf(run),
      configurable: true,
      writable: true,
    });
  emit(run, { type: "run-end", agent: run.agent.name, status: "failed", error: thrown });
  throw thrown;
}

/** Runs an agent on behalf of a tool: its events stay its own, its model is the caller's unless it has one. */
async function runWithin(
  outer: ActiveRun,
  agent: AgentLike,
  input: string,
  call: ToolCall,
  signal: AbortSignal,
): Promise<string> {
  const inner = asAgent(agent);
  const { model, maxTurns, maxCorrections, concurrency, compaction } = outer.options;
  const options: RunOptions = {
    context: outer.context,
    signal,
    ...(model !== undefined && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxCorrections !== undefined && { maxCorrections }),
    ...(concurrency !== undefined && { concurrency }),
    ...(compaction && { compaction }),
  };
  if (outer.depth >= deepestRun)
    throw new Error(`${inner.name} was not asked: agents have asked each other ${deepestRun} deep.`);
  const journal = withPrefix(outer.journal, `turn-${outer.turn}/tool/${call.toolCallId}`);
  const start: StartOptions = {
    journal,
    callersModel: outer.model,
    depth: outer.depth + 1,
    spending: outer,
  };
  const result = await finish(startRun(inner, input, options, start));
  if (result.status === "completed") return result.text;
  const waiting = result.pending.map(({ toolName }) => `, ${toolName}`).join("");
  throw new Error(`${inner.name} did not come to an answer (${result.status}${waiting}).`);
}
