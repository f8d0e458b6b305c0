import type { DurableHooks } from "../executor/types.ts";
import type { Agent, AnyAgent } from "../agent/agent.ts";
import { assertDistinctAgents } from "../agent/namesakes.ts";
import { isThrown } from "../base/util/is-error.ts";
import { InvalidInputError, SkeinError } from "../errors.ts";
import { decidableCalls } from "../message/nested-work.ts";
import type { PendingCall } from "../message/run-state.ts";
import { printStep, type StepKey } from "../message/step-key.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { Model } from "../model/types.ts";
import type { Tool } from "../tool/types.ts";
import { CallLimitsOfRun } from "./state/call-limits.ts";
import { ActiveRun } from "./state/active-run.ts";
import { CancelScope } from "./cancel.ts";
import { assertAgent, assertRunOptions } from "./options.ts";
import { frozenChanges, frozenContext } from "./state/frozen-context.ts";
import { Conversation } from "./state/conversation.ts";
import { Meters } from "./state/meters.ts";
import type { RunConfig } from "./state/run-config.ts";
import { takeLead } from "./resume/agents-of-state.ts";
import { assertNotStateText, inputMessages, isRunState, snapshotOf } from "./resume/input.ts";
import { globalMiddlewares } from "./steps/global-middleware.ts";
import type { Middleware } from "./steps/middleware.ts";
import type { ExternalResult, RunEvent, RunInput, RunOptions } from "./types.ts";

/** What a run is started with beside what its caller says. */
export interface StartOptions {
  readonly listener?: ((event: RunEvent) => void) | undefined;
  /** The function that was called, as errors name it; `run()` by default. */
  readonly place?: string;
  readonly runId?: string;
  /** What stands around the run and its steps. */
  readonly middlewares?: readonly Middleware[];
  /** The step that is this run, if a tool starts it. */
  readonly parent?: StepKey;
  readonly callersModel?: Model | string | undefined;
  /** How many runs this one is within; 0 by default. */
  readonly depth?: number;
  /** The run around this one, whose limits hold here, too. */
  readonly outer?: ActiveRun;
  /** Tools that the caller executes, as `compileCallerTools` returns them. */
  readonly callerTools?: readonly Tool[] | undefined;
  /** Whether the agent goes on with a conversation in place of the one that has the lead there, unless that is one of its own team. */
  readonly isTakeover?: boolean;
  /**
   * Present for a durable run: it is left while calls wait, and calls that wait must have their tools. Otherwise a decision on a call of
   * an unknown tool is an error for the model.
   */
  readonly durable?: DurableHooks | undefined;
  /** Called with each answer of a model that the run causes now, those of agents within it included. */
  readonly onModelCall?: (call: ModelCall) => void;
}

/**
 * Reads input and options into a run that is ready to go.
 * @throws InvalidInputError, AgentNotFoundError, NameClashError, ConfigurationError
 */
export function startRun<C>(
  agent: Agent<C>,
  input: RunInput | undefined,
  passed: RunOptions<C>,
  {
    listener,
    place = "run()",
    runId = passed.runId ?? crypto.randomUUID(),
    middlewares = [],
    parent,
    callersModel,
    depth = 0,
    outer,
    callerTools,
    isTakeover = false,
    durable = outer?.config.durable,
    onModelCall,
  }: StartOptions = {},
): ActiveRun {
  assertAgent(agent);
  assertRunOptions(passed, place);
  const options = withOwnAnswers(passed);
  assertDistinctAgents(agent, options.agents ?? []);
  if (typeof input === "string" && !outer) assertNotStateText(input);
  const state = isRunState(input) ? input : undefined;
  if (options.runId !== undefined && (state || options.session))
    throw new InvalidInputError(
      "options.runId is the id of a new run. Leave it out: a state and a session have their own.",
    );
  const roots: readonly AnyAgent[] = [agent, ...(options.agents ?? [])];
  const outerRoots = outer ? [...outer.config.roots, ...outer.config.outerRoots] : [];
  const chain = [...middlewares, ...ownMiddlewares(options, outer ? [] : globalMiddlewares(options))];
  const config: RunConfig = {
    runId: state?.runId ?? runId,
    options,
    resumed: state,
    scope: new CancelScope(options.signal, options.timeout),
    middlewares: chain,
    listed: outer?.config.listed ?? options.middleware ?? [],
    parent,
    outer: outer?.config,
    callersModel,
    depth,
    roots,
    outerRoots,
    leadRoots: isTakeover ? [agent] : roots,
    listener,
    memory: new Map(),
    record: undefined,
    claim: undefined,
    decided: undefined,
    died: undefined,
    isOwnJournal: undefined,
    resumptions: undefined,
    notRefused: undefined,
    signState: undefined,
    stepFailures: outer?.config.stepFailures ?? new Map(),
    budget: outer?.config.budget,
    limits: new CallLimitsOfRun(options.maxToolCalls, outer?.config.limits),
    runAgent: undefined,
    callerTools,
    durable,
  };
  const context = frozenContext(options.context, state?.context);
  const conversation = new Conversation(inputMessages(input));
  const meters = new Meters(outer?.meters, onModelCall);
  const run = new ActiveRun(config, agent, context, conversation, meters);
  if (state) {
    run.continueFrom(state);
    run.replaceContext(context, frozenChanges(options.context, state.changes));
  }
  // What is pending in a session is known once that is loaded.
  if (options.session) return run;
  assertPending(run, options.results ?? []);
  findAgents(run);
  return run;
}

/** A mistake in the arguments is thrown at once. What a function of the program throws is a failure of the run, which looks again. */
function findAgents(run: ActiveRun): void {
  try {
    takeLead(run);
  } catch (error) {
    if (run.config.parent || isThrown(error, SkeinError)) throw error;
  }
}

/** The options with copies of what is decided and answered: it is read once the run is open, and the caller may change its own by then. */
function withOwnAnswers<C>({ approvals, results, ...options }: RunOptions<C>): RunOptions<C> {
  return {
    ...options,
    ...(approvals !== undefined && { approvals: snapshotOf(approvals, "options.approvals") }),
    ...(results !== undefined && { results: snapshotOf(results, "options.results") }),
  };
}

/** A journal stands around everything else: what it keeps is what the run went on with. */
function ownMiddlewares(
  { journal, middleware = [] }: Pick<RunOptions, "journal" | "middleware">,
  ofAll: readonly Middleware[],
): readonly Middleware[] {
  const around = ofAll.length > 0 ? [...ofAll, ...middleware] : middleware;
  if (!journal) return around;
  return [{ step: (key, next) => journal.step(printStep(key), next) }, ...around];
}

/** @throws InvalidInputError for a result of a call that does not wait for one, and for open calls that nobody says more of. */
export function assertPending(run: ActiveRun, results: readonly ExternalResult[]): void {
  assertResults(run, results);
  assertNoneOpen(run, results);
}

/** Only a state and a session say whose calls are open, what was approved, and which keys they have. */
function assertNoneOpen({ config, conversation }: ActiveRun, results: readonly ExternalResult[]): void {
  const { resumed, options } = config;
  if (resumed || options.executeTools === false) return;
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const open = conversation.pending.filter(({ toolCallId }) => !answered.has(toolCallId));
  if (open.length === 0) return;
  const ids = open.map(({ toolCallId }) => toolCallId);
  throw new InvalidInputError(
    `The messages end with calls that have no result (${ids.slice(0, 10).join(", ")}), which a list of messages does not execute. Pass the state of the run (result.state) to execute them, options.results for them, or a message after them to give them up.`,
    { pending: ids },
  );
}

function assertResults(run: ActiveRun, results: readonly ExternalResult[]): void {
  if (results.length === 0) return;
  const { pending: own, nested } = run.conversation;
  const listed = [...decidableCalls(own, nested), ...(run.config.resumed?.pending ?? [])];
  const within = listed.filter(({ parentToolCallId }) => parentToolCallId !== undefined);
  const callers = new Set(within.map(({ parentToolCallId }) => parentToolCallId));
  // A call that a person has to decide on has no result before that.
  const toDecide = (run.config.resumed?.pending ?? []).filter(
    ({ approvalId, parentToolCallId }) => approvalId !== undefined && parentToolCallId === undefined,
  );
  const idsToDecide = new Set(toDecide.map(({ toolCallId }) => toolCallId));
  const free = own.filter(({ toolCallId }) => !idsToDecide.has(toolCallId));
  const calls = [...free, ...within.filter(({ approvalId }) => approvalId === undefined)];
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId).filter((id) => !callers.has(id)));
  const open = new Set(ids);
  for (const result of results) {
    const { toolCallId }: ExternalResult = Object(result);
    if (open.delete(toolCallId)) continue;
    if (ids.has(toolCallId))
      throw new InvalidInputError(
        `options.results has several results for the call "${toolCallId}". Pass one.`,
        { toolCallId },
      );
    const pending = [...open];
    const others = [...within, ...toDecide].filter((call) =>
      [call.toolCallId, call.parentToolCallId].includes(toolCallId),
    );
    const problem =
      others.length > 0
        ? `waits for something else. Pass ${others.map(answerOf).join(" and ")}`
        : `is not pending (pending: ${pending.join(", ") || "none"})`;
    throw new InvalidInputError(
      `options.results has a result for the call "${toolCallId}", which ${problem}.`,
      { toolCallId, pending },
    );
  }
}

function answerOf({ approvalId, toolCallId }: PendingCall): string {
  return approvalId === undefined
    ? `options.results for "${toolCallId}"`
    : `options.approvals for "${approvalId}"`;
}
