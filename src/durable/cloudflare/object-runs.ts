import type { AnyAgent } from "../../agent/agent.ts";
import { describeValue, invalidOption, readOptions } from "../../base/options/known-options.ts";
import {
  assertConcurrency,
  checkCommonOptions,
  checkListOptions,
  checkStartOptions,
  commonOptions,
} from "../check-options.ts";
import type { RunInput } from "../../run/types.ts";
import { executionContext } from "../execution-context.ts";
import { StoredRunHandle } from "../handle.ts";
import { listRuns } from "../list-runs.ts";
import { startRun } from "../start-run.ts";
import type { DurableStore } from "../store.ts";
import type { ListOptions, RunHandle, RunInfo, RunsOptions, StartRunOptions } from "../types.ts";
import { Worker } from "../worker.ts";
import type { AlarmInfo, DurableObjectContext, DurableObjectStorage } from "./durable-object.ts";
import { ObjectStore } from "./object-store.ts";

/** For how long an alarm claims runs, and then waits for those under way, in milliseconds: the platform ends it after 15 minutes. */
const claimingTime = 600_000;
const drainTime = 240_000;

/** The platform gives an alarm up that has failed six times. */
const retriesToTrust = 3;
const pauseAfterRetries = 60_000;

/** An object has one instance: a lease ends with it, and is here for an instance that stands still. */
const lease = 60_000;

const { lease: _, ...objectOptions } = commonOptions;

/** What `durableObjectRuns()` needs. */
export interface DurableObjectRunsOptions extends Omit<RunsOptions, "store" | "lease"> {
  /** How many runs of the object to execute at once; 10 by default. */
  readonly concurrency?: number;
}

/** The durable runs of a Durable Object: `start()` has the object woken by an alarm, which executes them. */
export interface DurableObjectRuns {
  /**
   * Adds a run, and has the object execute it.
   * @throws as `start` of `runs()` does.
   */
  start(
    agent: string | AnyAgent,
    input: Exclude<RunInput, { readonly version: 1 }>,
    options?: Omit<StartRunOptions, "here">,
  ): Promise<RunHandle>;
  /** The run with an id, whether it is there or not: its functions say so. */
  get(id: string): RunHandle;
  /** The runs of this object, those that were started last first. */
  list(filter?: ListOptions): Promise<readonly RunInfo[]>;
  /** Executes what is due: the `alarm` method of the object calls it, with what it was called with. */
  alarm(info?: AlarmInfo): Promise<void>;
}

/** The store of each storage: one alone knows the alarm. */
const stores = new WeakMap<DurableObjectStorage, ObjectStore>();

/**
 * Durable runs in the SQLite storage of a Durable Object of Cloudflare, executed by its alarms. Make them once for each instance, in its
 * class, which calls `alarm()` in its own.
 * @param context - `this.ctx` of the object.
 * @throws ConfigurationError (`invalid-option`), NameClashError
 */
export function durableObjectRuns(
  context: DurableObjectContext,
  options: DurableObjectRunsOptions,
): DurableObjectRuns {
  assertSqlStorage(context);
  const place = "durableObjectRuns()";
  const checked = readOptions(options, { ...objectOptions, concurrency: true }, place);
  checkCommonOptions(checked, place);
  const { concurrency = 10 } = checked;
  assertConcurrency(concurrency, place);
  const store = stores.get(context.storage) ?? new ObjectStore(context);
  stores.set(context.storage, store);
  return new ObjectRuns(store, checked, concurrency);
}

class ObjectRuns implements DurableObjectRuns {
  readonly #objectStore: ObjectStore;
  readonly #store: DurableStore;
  readonly #agents: ReadonlyMap<string, AnyAgent>;
  readonly #worker: Worker;
  readonly #concurrency: number;
  readonly #keepEvents: number;

  constructor(store: ObjectStore, options: Omit<RunsOptions, "store">, concurrency: number) {
    const context = executionContext({ ...options, store });
    this.#objectStore = store;
    this.#store = context.store;
    this.#agents = context.agents;
    this.#worker = new Worker(context, lease);
    this.#concurrency = concurrency;
    this.#keepEvents = options.keepEvents ?? 3_600_000;
  }

  async start(
    agent: string | AnyAgent,
    input: Exclude<RunInput, { readonly version: 1 }>,
    options: Omit<StartRunOptions, "here"> = {},
  ): Promise<RunHandle> {
    const { here } = checkStartOptions(options);
    if (here !== undefined)
      throw invalidOption(
        "A Durable Object executes its runs by itself. Leave out the option here of start().",
        {
          option: "here",
        },
      );
    const { id, isNew } = await startRun(this.#store, this.#agents, agent, input, options);
    return this.#handle(id, isNew);
  }

  get(id: string): RunHandle {
    return this.#handle(id, false);
  }

  async list(options: ListOptions = {}): Promise<readonly RunInfo[]> {
    return listRuns(this.#store, checkListOptions(options));
  }

  async alarm({ retryCount }: AlarmInfo = { retryCount: 0 }): Promise<void> {
    const store = this.#objectStore;
    store.forgetAlarm();
    if (retryCount >= retriesToTrust) await store.setAlarm(Date.now() + pauseAfterRetries);
    await this.#executeDue(AbortSignal.timeout(claimingTime));
    await this.#worker.close(drainTime);
    await this.#store.prune(this.#keepEvents);
    await store.schedule();
  }

  /** Executes runs for as long as one is due, and there is time to begin it. */
  async #executeDue(stop: AbortSignal): Promise<void> {
    const worker = this.#worker;
    worker.watch();
    while (!stop.aborted) {
      const free = this.#concurrency - worker.size;
      const claimed = free > 0 ? await worker.claim(free) : 0;
      if (worker.size === 0) return;
      if (claimed < free || free <= 0) await worker.waitForChange(stop);
    }
  }

  #handle(id: string, isNew: boolean): RunHandle {
    return new StoredRunHandle(id, isNew, this.#store, (each, reason) => this.#worker.cancel(each, reason));
  }
}

function assertSqlStorage(context: DurableObjectContext): void {
  const { storage }: { readonly storage?: unknown } = Object(context);
  const { sql }: { readonly sql?: unknown } = Object(storage);
  if (typeof Object(sql).exec === "function") return;
  throw invalidOption(
    storage === undefined
      ? `durableObjectRuns() needs the context of a Durable Object, this.ctx, not ${describeValue(context)}.`
      : 'durableObjectRuns() needs a Durable Object with SQLite storage. Add its class to "new_sqlite_classes" of a migration in the Wrangler configuration.',
    { option: "context" },
  );
}
