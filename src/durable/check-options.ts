import { assertDistinctAgents } from "../agent/namesakes.ts";
import type { AnyAgent } from "../agent/agent.ts";
import { NameClashError } from "../errors.ts";
import { isCompleteAgent } from "../agent/handoff.ts";
import { assertAtLeast } from "../base/options/at-least.ts";
import { describeValue, invalidOption, readOptions } from "../base/options/known-options.ts";
import { assertSettings } from "../model/check-settings.ts";
import { assertRunOptions } from "../run/options.ts";
import { ownLog } from "./log-session.ts";
import type { DurableStatus } from "./stored-run.ts";
import type { DurableRunOptions, ListOptions, RunsOptions, StartRunOptions, WorkOptions } from "./types.ts";

/** An id is part of every idempotency key of its run. */
const longestText = 200;

/** The latest time of a Date. */
const latestDate = 8_640_000_000_000_000;

/** A day: the runs of a process that dies are held for as long. */
const longestLease = 86_400_000;

const statuses = {
  queued: true,
  running: true,
  paused: true,
  completed: true,
  failed: true,
  cancelled: true,
  stuck: true,
} satisfies Record<DurableStatus, true>;

/** The names of the options that all kinds of durable runs have. */
export const commonOptions: Readonly<Record<keyof Omit<RunsOptions, "store">, true>> = {
  agents: true,
  version: true,
  lease: true,
  keepEvents: true,
  approvalTimeout: true,
  runOptions: true,
  onError: true,
};

const runsOptions = { ...commonOptions, store: true } satisfies Record<keyof RunsOptions, true>;

const startOptions = {
  id: true,
  session: true,
  context: true,
  tools: true,
  output: true,
  settings: true,
  model: true,
  metadata: true,
  at: true,
  priority: true,
  here: true,
} satisfies Record<keyof StartRunOptions, true>;

const listOptions = { status: true, agent: true, session: true, after: true, limit: true } satisfies Record<
  keyof ListOptions,
  true
>;

const workOptions = { concurrency: true, signal: true } satisfies Record<keyof WorkOptions, true>;

/** What a durable run has of its own, and `runs()` sets itself. */
const ownOptions = [
  "context",
  "session",
  "journal",
  "runId",
  "signal",
  "approvals",
  "results",
  "executeTools",
  "stateSecret",
];

/** @throws ConfigurationError (`invalid-option`), NameClashError */
export function checkRunsOptions(input: RunsOptions): RunsOptions {
  const options = readOptions(input, runsOptions, "runs()");
  checkCommonOptions(options, "runs()");
  const { store } = options;
  if (typeof Object(store).claim !== "function")
    throw invalidOption(
      `The option store of runs() must be a store, such as sqliteStore("runs.db"), not ${describeValue(store)}.`,
      { option: "store" },
    );
  return options;
}

/**
 * Checks what all kinds of durable runs need, wherever they are kept.
 * @param place - The function whose options they are, such as `runs()`.
 * @throws ConfigurationError (`invalid-option`), NameClashError
 */
export function checkCommonOptions(options: Omit<RunsOptions, "store">, place: string): void {
  const { agents, version, runOptions, onError } = options;
  if (!Array.isArray(agents) || !agents.every(isCompleteAgent))
    throw invalidOption(`The option agents of ${place} must be a list of agents: [triage].`, {
      option: "agents",
    });
  assertDistinctList(agents, place);
  if (version !== undefined) assertShortText("version", version, place);
  if (options.lease !== undefined && !(options.lease >= 200 && options.lease <= longestLease))
    throw invalidOption(
      `The option lease of ${place} must be 200 to ${longestLease} milliseconds, not ${describeValue(options.lease)}.`,
      { option: "lease" },
    );
  assertAtLeast("keepEvents", options.keepEvents, 0);
  assertAtLeast("approvalTimeout", options.approvalTimeout, 0);
  if (onError !== undefined && typeof onError !== "function")
    throw invalidOption(`The option onError of ${place} must be a function, not ${describeValue(onError)}.`, {
      option: "onError",
    });
  checkRunOptions(runOptions);
  const [first, ...others] = [...agents, ...(runOptions?.agents ?? [])];
  if (first) assertDistinctAgents(first, others);
}

/** However alike: a run is started with the agent of a name, and there must be one. */
function assertDistinctList(agents: readonly AnyAgent[], place: string): void {
  const positions = new Map<string, number>();
  for (const [index, agent] of agents.entries()) {
    const other = positions.get(agent.name) ?? index;
    positions.set(agent.name, other);
    if (agents[other] === agent) continue;
    const places = [`agents[${other}]`, `agents[${index}]`];
    throw new NameClashError(
      `Two agents of ${place} are called "${agent.name}": ${places.join(" and ")}. Rename one of them.`,
      { name: agent.name, places },
    );
  }
}

function checkRunOptions(runOptions: DurableRunOptions = {}): void {
  assertRunOptions(runOptions, "runs({ runOptions })");
  const own = ownOptions.find((name) => Object.hasOwn(runOptions, name));
  if (own === undefined) return;
  throw invalidOption(
    `runs({ runOptions }) cannot set ${own}: each durable run has its own. Pass it to start(), decide() or resolve(), where it is one of theirs.`,
    { option: own },
  );
}

/** @throws ConfigurationError (`invalid-option`) */
export function checkStartOptions(input: StartRunOptions): StartRunOptions {
  const options = readOptions(input, startOptions, "start()");
  const { id, session, tools, settings, model, at, priority, here } = options;
  if (id !== undefined) assertShortText("id", id, "start()");
  if (session !== undefined) assertShortText("session", session, "start()");
  if (session?.startsWith(ownLog))
    throw invalidOption(`The option session of start() must not begin with "${ownLog}".`, {
      option: "session",
    });
  if (tools !== undefined && !Array.isArray(tools))
    throw invalidOption(`The option tools of start() must be a list of tools, not ${describeValue(tools)}.`, {
      option: "tools",
    });
  assertSettings(settings, "start()");
  if (model !== undefined) assertShortText("model", model, "start()");
  const time = at instanceof Date ? at.getTime() : at;
  if (time !== undefined && !(Number.isSafeInteger(time) && time >= 0 && time <= latestDate))
    throw invalidOption(
      `The option at of start() must be a Date, or milliseconds since 1970, not ${describeValue(at)}.`,
      { option: "at" },
    );
  if (priority !== undefined && !(Number.isSafeInteger(priority) && Math.abs(priority) <= 1_000_000))
    throw invalidOption(
      `The option priority of start() must be an integer of at most a million, not ${describeValue(priority)}.`,
      { option: "priority" },
    );
  if (here !== undefined && typeof here !== "boolean")
    throw invalidOption(`The option here of start() must be true or false, not ${describeValue(here)}.`, {
      option: "here",
    });
  return options;
}

/** @throws ConfigurationError (`invalid-option`) */
export function checkListOptions(input: ListOptions): ListOptions {
  const options = readOptions(input, listOptions, "list()");
  const { status, limit } = options;
  for (const option of ["agent", "session", "after"] as const)
    if (options[option] !== undefined && typeof options[option] !== "string")
      throw invalidOption(
        `The option ${option} of list() must be a text, not ${describeValue(options[option])}.`,
        { option },
      );
  for (const each of status === undefined ? [] : [status].flat())
    if (!Object.hasOwn(statuses, each))
      throw invalidOption(
        `The option status of list() must be of ${Object.keys(statuses).join(", ")}, not ${describeValue(each)}.`,
        { option: "status" },
      );
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= 1_000))
    throw invalidOption(`The option limit of list() must be 1 to 1,000, not ${describeValue(limit)}.`, {
      option: "limit",
    });
  return options;
}

/** @throws ConfigurationError (`invalid-option`) */
export function checkWorkOptions(input: WorkOptions): WorkOptions {
  const options = readOptions(input, workOptions, "work()");
  const { concurrency, signal } = options;
  if (concurrency !== undefined) assertConcurrency(concurrency, "work()");
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidOption(`The option signal of work() must be an AbortSignal, not ${describeValue(signal)}.`, {
      option: "signal",
    });
  return options;
}

/** @throws ConfigurationError (`invalid-option`) */
export function assertConcurrency(concurrency: number, place: string): void {
  if (Number.isSafeInteger(concurrency) && concurrency >= 1) return;
  throw invalidOption(
    `The option concurrency of ${place} must be an integer of at least 1, not ${describeValue(concurrency)}.`,
    { option: "concurrency" },
  );
}

/** @throws ConfigurationError (`invalid-option`) */
export function checkCloseOptions(input: { readonly drain?: number }): { readonly drain?: number } {
  const options = readOptions(input, { drain: true }, "close()");
  assertAtLeast("drain", options.drain, 0);
  return options;
}

function assertShortText(option: string, value: unknown, place: string): void {
  const isText = typeof value === "string" && value !== "" && value.length <= longestText;
  // Stores would take different ones for the same.
  if (isText && value.isWellFormed() && !value.includes("\0")) return;
  throw invalidOption(
    `The option ${option} of ${place} must be a text of 1 to ${longestText} characters${isText ? " without NUL and halves of characters" : ""}, not ${describeValue(value)}.`,
    { option },
  );
}
