import type { AnyAgent } from "../agent/agent.ts";
import { abandonAnswersOf } from "./abandon-answers.ts";
import { ConfigurationError } from "../errors.ts";
import type { RunInput } from "../run/types.ts";
import {
  checkCloseOptions,
  checkListOptions,
  checkRunsOptions,
  checkStartOptions,
  checkWorkOptions,
} from "./check-options.ts";
import { Changes } from "./changes.ts";
import { DueTimes } from "./due-times.ts";
import type { ExecutionContext } from "./execution.ts";
import { executionContext } from "./execution-context.ts";
import { StoredRunHandle } from "./handle.ts";
import { listRuns } from "./list-runs.ts";
import { startRun } from "./start-run.ts";
import type { DurableStore } from "./store.ts";
import { endedStatuses } from "./stored-run.ts";
import type {
  ListOptions,
  RunHandle,
  RunInfo,
  Runs,
  RunsOptions,
  StartRunOptions,
  WorkOptions,
} from "./types.ts";
import { Worker } from "./worker.ts";

/** How often the events of ended runs are looked through, in milliseconds. */
const pruneInterval = 60_000;

/**
 * Runs that outlive the process that executes them: their conversations, their state and their events are in a store. Nothing is
 * opened before the first call.
 * @throws ConfigurationError (`invalid-option`), NameClashError for two agents of one name.
 */
export function runs(options: RunsOptions): Runs {
  return new DurableRuns(checkRunsOptions(options));
}

/**
 * The same for a server.
 * @param closeReaders - Called by `close` once no run is executed any more, and before the store is closed, which is what readers read.
 */
export function servedRuns(options: RunsOptions, closeReaders: (drain: number) => Promise<void>): Runs {
  return new DurableRuns(checkRunsOptions(options), closeReaders);
}

class DurableRuns implements Runs {
  readonly #context: ExecutionContext;
  readonly #store: DurableStore;
  readonly #agents: ReadonlyMap<string, AnyAgent>;
  readonly #worker: Worker;
  readonly #report: ExecutionContext["report"];
  readonly #keepEvents: number;
  readonly #closing = new AbortController();
  readonly #background = new Set<Promise<void>>();
  readonly #closeReaders: ((drain: number) => Promise<void>) | undefined;
  #prunedAt = 0;

  constructor(options: RunsOptions, closeReaders?: (drain: number) => Promise<void>) {
    const { lease = 30_000, keepEvents = 3_600_000 } = options;
    const dueTimes = new DueTimes();
    const context = executionContext(options, dueTimes);
    this.#context = context;
    this.#store = context.store;
    this.#agents = context.agents;
    this.#keepEvents = keepEvents;
    this.#closeReaders = closeReaders;
    this.#report = context.report;
    this.#worker = new Worker(context, lease, dueTimes);
  }

  async start(
    agent: string | AnyAgent,
    input: Exclude<RunInput, { readonly version: 1 }>,
    options: StartRunOptions = {},
  ): Promise<RunHandle> {
    checkStartOptions(options);
    this.#assertOpen("start()");
    const { id, isNew } = await startRun(this.#store, this.#agents, agent, input, options);
    if (options.here === true) void this.#inBackground(this.#executeHere(id));
    return this.#handle(id, isNew);
  }

  get(id: string): RunHandle {
    return this.#handle(id, false);
  }

  async list(options: ListOptions = {}): Promise<readonly RunInfo[]> {
    return listRuns(this.#store, checkListOptions(options));
  }

  work(options: WorkOptions = {}): Promise<void> {
    checkWorkOptions(options);
    this.#assertOpen("work()");
    if (this.#agents.size === 0)
      throw new ConfigurationError("work() needs agents: runs({ agents: [triage], store }).", {
        code: "invalid-option",
      });
    const { concurrency = 10, signal } = options;
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    return this.#inBackground(this.#workUntil(stop, concurrency));
  }

  async close(options: { readonly drain?: number } = {}): Promise<void> {
    const { drain = 10_000 } = checkCloseOptions(options);
    this.#closing.abort();
    await this.#worker.close(drain);
    await Promise.all(this.#background);
    await this.#closeReaders?.(drain);
    await this.#store.close();
  }

  #assertOpen(place: string): void {
    if (!this.#closing.signal.aborted) return;
    throw new ConfigurationError(
      `${place} was called after close(). Make new runs: runs({ agents, store }).`,
      {
        code: "closed",
      },
    );
  }

  async #workUntil(stop: AbortSignal, concurrency: number): Promise<void> {
    await this.#attempt(async () => this.#worker.watch());
    while (!stop.aborted) {
      const { version } = this.#worker;
      const free = concurrency - this.#worker.size;
      const claimed = free > 0 ? await this.#attempt(() => this.#worker.claim(free)) : 0;
      await this.#prune();
      // Those that were claimed may be all that there are: the end of each is a reason to look again.
      if (claimed === undefined || claimed < free || free <= 0)
        await this.#worker.waitForChange(stop, version);
    }
    while (this.#worker.size > 0 && !this.#closing.signal.aborted)
      await this.#worker.waitForChange(this.#closing.signal);
  }

  /** Executes one run as soon as it is its turn, unless another process does. */
  async #executeHere(id: string): Promise<void> {
    const stop = this.#closing.signal;
    // Not what the worker notices: a thousand of these would look at each change of each other.
    const changes = await this.#attempt(async () => new Changes(this.#store, id, stop, "turn"));
    while (!stop.aborted) {
      const { version } = this.#worker;
      changes?.reset();
      if ((await this.#attempt(() => this.#worker.claim(1, [id]))) === 1) continue;
      const run = await this.#attempt(() => this.#store.read(id));
      // Paused runs go on here when they are decided on, as those that wait for their time or for an earlier run.
      if (run && (run.status === "stuck" || endedStatuses.includes(run.status))) break;
      const due = run?.status === "queued" ? run.due : undefined;
      await (changes?.next(this.#worker.longestIdle, due) ?? this.#worker.waitForChange(stop, version));
    }
    changes?.stop();
  }

  async #prune(): Promise<void> {
    const now = performance.now();
    if (!Number.isFinite(this.#keepEvents)) return;
    if (this.#prunedAt !== 0 && now - this.#prunedAt < pruneInterval) return;
    this.#prunedAt = now;
    await this.#attempt(() => this.#store.prune(this.#keepEvents));
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#report(error, "");
      return undefined;
    }
  }

  #inBackground(work: Promise<void>): Promise<void> {
    const entry = work.finally(() => this.#background.delete(entry));
    this.#background.add(entry);
    return entry;
  }

  #handle(id: string, isNew: boolean): RunHandle {
    return new StoredRunHandle(id, isNew, this.#store, (each, reason) => {
      this.#worker.cancel(each, reason);
      void this.#inBackground(abandonAnswersOf(this.#context, each));
    });
  }
}
