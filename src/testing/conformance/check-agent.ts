import type { Agent } from "../../agent/agent.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model } from "../../model/types.ts";
import { run, stream } from "../../run/run.ts";
import type { RunResult } from "../../run/result-types.ts";
import type { RunEvent, RunOptions } from "../../run/types.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { describeModel } from "../recording/model-source.ts";
import { drivingModel } from "./driver.ts";
import { historyProblems } from "./history-rules.ts";
import { places } from "./places.ts";
import { conformanceOptions, type ConformanceOptions, type ConformanceReport } from "./report.ts";
import { checkResult, checkRunEvents } from "./run-rules.ts";
import { isJson } from "./stream-rules.ts";
import { type Check, makeChecks, type Trial } from "./trial.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to check an agent. */
export interface AgentCheckOptions<C = unknown> extends ConformanceOptions {
  /** The input of its runs; `"Hello"` by default. */
  readonly input?: string;
  readonly context?: C;
  /**
   * Makes the model of each run, the agent's own included. By default one that needs no network and calls every tool, makes
   * mistakes and hands over to everybody.
   */
  readonly model?: () => Model;
}

/** One run, followed to its end. */
interface Followed {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
}

interface AgentSubject {
  readonly agent: Agent;
  readonly options: AgentCheckOptions;
  readonly seed: number;
  /** How many events a whole run has, known from the first check on. */
  length: number;
  /** How many runs there have been. */
  runs: number;
}

const optionNames = { ...conformanceOptions, input: true, context: true, model: true } satisfies Record<
  keyof AgentCheckOptions,
  true
>;

/**
 * Holds an agent, its tools and the agents it hands over to, to what applications rely on: a run comes to an end, has exactly one
 * terminal event, leaves a state that is JSON and goes on from there; it can be cancelled or left at every event, and then
 * every call has a result, what was finished is kept and not done again, and the next request is valid.
 *
 * The tools are really called, once for each event of a run. Calls that need an approval are approved. Never throws for what
 * the agent does: see `assertConformance`.
 */
export async function checkAgent<C = unknown>(
  agent: Agent<C>,
  options: AgentCheckOptions<C> = {},
): Promise<ConformanceReport> {
  assertKnownOptions(options, optionNames, "checkAgent()");
  const subject: AgentSubject = { agent, options, seed: options.seed ?? 1, length: 0, runs: 0 };
  const checks: Check[] = [
    { name: "completes", run: (trial) => completes(subject, trial) },
    { name: "readers", run: (trial) => readers(subject, trial) },
    { name: "abort", run: (trial) => abort(subject, trial) },
    { name: "leave", run: (trial) => leave(subject, trial) },
  ];
  const report = await makeChecks(`The agent ${agent.name}`, checks, options);
  const rules = ["events", "one-end", "state", "usage", "history", "requests", "side-effects"];
  return { ...report, checks: [...report.checks, ...rules] };
}

/** The whole run, over every pause. */
async function completes(subject: AgentSubject, trial: Trial): Promise<void> {
  const { events, result } = await follow(subject, trial, "A run");
  subject.length = events.length;
  checkRunEvents(events, result.messages, "A run", trial.fail);
  checkResult(result, "A run", trial.fail);
  await finish(subject, result, "A run", trial);
}

/** Late readers, and readers from the middle, see the same events. */
async function readers(subject: AgentSubject, trial: Trial): Promise<void> {
  const { agent, options } = subject;
  const running = stream(agent, options.input ?? "Hello", optionsOf(subject, trial));
  await trial.settled(running.result, "A run");
  const all = await Array.fromAsync(running);
  const after = Math.floor(all.length / 2);
  const rest = await Array.fromAsync(running.events({ after }));
  if (rest.length !== all.length - after - 1 || rest.some((event, place) => event !== all[after + 1 + place]))
    trial.fail(`After event ${after}, a late reader sees other events.`);
}

/** Cancels at every event, and goes on from what is left. */
async function abort(subject: AgentSubject, trial: Trial): Promise<void> {
  for (const place of places(subject.length)) {
    const what = `Cancelled at event ${place}`;
    const controller = new AbortController();
    const { events, result } = await follow(subject, trial, what, { signal: controller.signal }, (event) => {
      if (event.index === place) controller.abort();
    });
    checkRunEvents(events, result.messages, what, trial.fail);
    checkResult(result, what, trial.fail);
    const done = finished(events);
    for (const [id, text] of done)
      if (!JSON.stringify(result.state.messages).includes(text))
        trial.fail(`${what}: the result of ${id}, which was finished, is lost.`, "side-effects");
    const later = await finish(subject, result, `${what} and resumed`, trial);
    for (const id of started(later)) {
      if (done.has(id))
        trial.fail(`${what} and resumed: ${id}, which was finished, is executed again.`, "side-effects");
    }
  }
}

/** Stops reading at every event; the run goes on all the same. */
async function leave(subject: AgentSubject, trial: Trial): Promise<void> {
  const { agent, options } = subject;
  for (const place of places(subject.length)) {
    const running = stream(agent, options.input ?? "Hello", optionsOf(subject, trial));
    for await (const { index } of running) if (index >= place) break;
    const what = `Left at event ${place}`;
    const result = await trial.settled(running.result, `${what}, the run`);
    checkResult(result, what, trial.fail);
    if (result.status === "cancelled") trial.fail(`${what}, the run is cancelled.`);
  }
}

async function follow(
  subject: AgentSubject,
  trial: Trial,
  what: string,
  more: Pick<RunOptions, "signal"> = {},
  onEvent: (event: RunEvent) => void = () => undefined,
): Promise<Followed> {
  const events: RunEvent[] = [];
  const running = run(subject.agent, subject.options.input ?? "Hello", {
    ...optionsOf(subject, trial),
    ...more,
    onEvent(event) {
      events.push(event);
      onEvent(event);
    },
  });
  const result = await trial.settled(running, what).catch((error: unknown) => {
    throw new Error(`${what}: ${errorMessage(error)}`, { cause: error });
  });
  return { events, result };
}

/** The most pauses and cut runs that are gone on from. */
const mostResumptions = 10;

/** Resumes the run until no call is pending; returns the events. */
async function finish(
  subject: AgentSubject,
  first: RunResult,
  what: string,
  trial: Trial,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  let result = first;
  for (let times = 0; result.status === "paused" || result.status === "cancelled"; times++) {
    if (times === mostResumptions || !isJson(result.state)) return events;
    const { pending } = result;
    const running = run(subject.agent, JSON.parse(JSON.stringify(result.state)), {
      ...optionsOf(subject, trial),
      approvals: pending.flatMap(({ approvalId }) =>
        approvalId ? [{ approvalId, decision: "approve" as const }] : [],
      ),
      results: pending.flatMap(({ approvalId, toolCallId }) =>
        approvalId ? [] : [{ toolCallId, content: "done" }],
      ),
      onEvent: (event) => void events.push(event),
    });
    result = await trial.settled(running, what).catch((error: unknown) => {
      throw new Error(`${what}: ${errorMessage(error)}`, { cause: error });
    });
    checkResult(result, what, trial.fail);
  }
  return events;
}

/** Options with a model of its own for each run, whose requests are looked at. */
function optionsOf(subject: AgentSubject, trial: Trial): RunOptions {
  const { options, seed } = subject;
  subject.runs++;
  const model = options.model?.() ?? drivingModel(seed, `call_${subject.runs}_`);
  return { ...(options.context !== undefined && { context: options.context }), model: watched(model, trial) };
}

/** Looks at each request before the model has it. */
function watched(model: Model, trial: Trial): Model {
  return {
    ...describeModel(model),
    stream: markSelfTimed((request) => {
      for (const problem of historyProblems(request.messages))
        trial.fail(`A request is not valid: ${problem}`, "requests");
      return modelEvents(model, request);
    }),
  };
}

/** The results of calls that succeeded, by their ids. */
function finished(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === "tool-end" && event.result.outcome === "success" && event.parentToolCallId === undefined
        ? [[event.result.toolCallId, JSON.stringify(event.result.content)]]
        : [],
    ),
  );
}

function started(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "tool-start" && event.parentToolCallId === undefined ? [event.toolCall.toolCallId] : [],
  );
}
