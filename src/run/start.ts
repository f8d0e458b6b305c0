import type { Agent, AnyAgent } from "../agent/agent.ts";
import { findAgent, reachableAgents } from "../agent/handoff.ts";
import { AgentNotFoundError, InvalidInputError } from "../errors.ts";
import { printStep, type StepKey } from "../message/step-key.ts";
import { noUsage } from "../message/usage.ts";
import type { Model } from "../model/types.ts";
import { ToolStatistics } from "../tool/statistics.ts";
import { isPlainObject } from "../base/util/json.ts";
import { frozenCopy } from "../base/util/snapshot.ts";
import type { ActiveRun } from "./state/active-run.ts";
import { CancelScope } from "./cancel.ts";
import { assertAgent, assertRunOptions } from "./options.ts";
import { Conversation } from "./state/conversation.ts";
import { inputMessages, isRunState } from "./resume/input.ts";
import type { Middleware } from "./steps/middleware.ts";
import type { ExternalResult, RunEvent, RunInput, RunOptions } from "./types.ts";

/** What a run is started with beside what its caller says. */
export interface StartOptions {
  readonly sink?: ((event: RunEvent) => void) | undefined;
  readonly runId?: string;
  /** What stands around the run and its steps. */
  readonly middlewares?: readonly Middleware[];
  /** The step that is this run, if a tool starts it. */
  readonly parent?: StepKey;
  readonly callersModel?: Model | undefined;
  /** How many runs this one is within; 0 by default. */
  readonly depth?: number;
  /** What the runs around this one have spent, and may. */
  readonly spending?: Pick<ActiveRun, "modelCalls" | "budget">;
}

/**
 * Reads input and options into a run that is ready to go.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError
 */
export function startRun<C>(
  agent: Agent<C>,
  input: RunInput | undefined,
  options: RunOptions<C>,
  {
    sink,
    runId = crypto.randomUUID(),
    middlewares = [],
    parent,
    callersModel,
    depth = 0,
    spending,
  }: StartOptions = {},
): ActiveRun {
  assertAgent(agent);
  assertRunOptions(options);
  const state = isRunState(input) ? input : undefined;
  const roots: readonly AnyAgent[] = [agent, ...(options.agents ?? [])];
  const run: ActiveRun = {
    runId: state?.runId ?? runId,
    options,
    resumed: state,
    scope: new CancelScope(options.signal, options.timeout),
    middlewares: [...middlewares, ...ownMiddlewares(options)],
    parent,
    record: undefined,
    callersModel,
    depth,
    roots,
    conversation: new Conversation(inputMessages(input)),
    startedAt: performance.now(),
    warnings: [],
    seen: new Set(),
    sink,
    memory: new Map(),
    statistics: new ToolStatistics(),
    counts: { modelMs: 0, toolMs: 0, toolCalls: 0, toolErrors: 0, cacheHits: 0, events: 0 },
    calls: undefined,
    execute: undefined,
    decided: noCalls,
    seal: undefined,
    agent: state ? agentOfState(state.agent, roots) : agent,
    context: frozenCopy(contextOf(options.context, state?.context)),
    outcome: undefined,
    runWithin: undefined,
    turn: state?.turn ?? 0,
    turns: 0,
    usage: state?.usage ?? noUsage,
    ownUsage: noUsage,
    modelCalls: spending?.modelCalls ?? [],
    budget: spending?.budget,
    model: undefined,
    text: "",
    typed: undefined,
    finishReason: "other",
    rawFinishReason: undefined,
  };
  // What is pending in a session is known once that is loaded.
  if (!options.session) assertPending(run, options.results ?? []);
  return run;
}

const noCalls: ReadonlySet<string> = new Set();

/** A journal stands around everything else: what it keeps is what the run went on with. */
function ownMiddlewares({
  journal,
  middleware = [],
}: Pick<RunOptions, "journal" | "middleware">): readonly Middleware[] {
  if (!journal) return middleware;
  return [{ step: (key, next) => journal.step(printStep(key), next) }, ...middleware];
}

/** Given again on a resumption, a context is merged over the state's: for what JSON could not carry. */
export function contextOf(given: unknown, stored: unknown): unknown {
  if (given === undefined) return stored ?? {};
  return isPlainObject(stored) && isPlainObject(given) ? { ...stored, ...given } : given;
}

/** @throws AgentNotFoundError */
export function agentOfState(name: string, roots: readonly AnyAgent[]): AnyAgent {
  const found = findAgent(name, roots);
  if (found) return found;
  const known = reachableAgents(roots).map((agent) => agent.name);
  throw new AgentNotFoundError(
    `The state is at the agent "${name}", which is none of ${known.join(", ")}. Give it in options.agents.`,
    { agent: name, known },
  );
}

/** @throws InvalidInputError for a result of a call that does not wait for one. */
export function assertPending(run: ActiveRun, results: readonly ExternalResult[]): void {
  const open = new Set(run.conversation.pending.map(({ toolCallId }) => toolCallId));
  for (const { toolCallId } of results) {
    if (open.delete(toolCallId)) continue;
    const pending = [...open];
    throw new InvalidInputError(
      `options.results has a result for the call "${toolCallId}", which is not pending (pending: ${pending.join(", ") || "none"}).`,
      { toolCallId, pending },
    );
  }
}
