import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import { checkRunsOptions, checkWorkOptions } from "../check-options.ts";
import { executionContext } from "../execution-context.ts";
import { runs } from "../runs.ts";
import type { ListOptions, RunHandle, RunInfo, Runs, RunsOptions } from "../types.ts";
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

/** What `durableObjectRuns()` needs. */
export interface DurableObjectRunsOptions extends Omit<RunsOptions, "store" | "lease"> {
  /** How many runs of the object to execute at once; 10 by default. */
  readonly concurrency?: number;
}

/** The durable runs of a Durable Object: `start()` has the object woken by an alarm, which executes them. */
export interface DurableObjectRuns {
  /** Adds a run. See `Runs`. */
  readonly start: Runs["start"];
  /** The run with an id, whether it is there or not: its functions say so. */
  get(id: string): RunHandle;
  /** The runs of this object, those that were started last first. */
  list(filter?: ListOptions): Promise<readonly RunInfo[]>;
  /** Executes what is due: the `alarm` method of the object calls it, with what it was called with. */
  alarm(info?: AlarmInfo): Promise<void>;
}

const stores = new WeakMap<DurableObjectStorage, ObjectStore>();

/**
 * Durable runs in the SQLite storage of a Durable Object of Cloudflare, woken by its alarms. Make them once for each instance, in its
 * class, which calls `alarm()` in its own.
 * @param context - `this.ctx` of the object.
 * @throws ConfigurationError (`invalid-option`), NameClashError
 */
export function durableObjectRuns(
  context: DurableObjectContext,
  options: DurableObjectRunsOptions,
): DurableObjectRuns {
  assertSqlStorage(context);
  const { concurrency = 10, ...others } = options;
  checkWorkOptions({ concurrency });
  const store = stores.get(context.storage) ?? new ObjectStore(context);
  stores.set(context.storage, store);
  const checked = checkRunsOptions({ ...others, store, lease });
  const app = runs(checked);
  return {
    start: (agent, input, started) => app.start(agent, input, started),
    get: (id) => app.get(id),
    list: (filter) => app.list(filter),
    alarm: (info) => executeDue(store, checked, concurrency, info?.retryCount ?? 0),
  };
}

/** Executes runs until none is due, and has the object woken when the next one is. */
async function executeDue(
  store: ObjectStore,
  options: RunsOptions,
  concurrency: number,
  retryCount: number,
): Promise<void> {
  store.forgetAlarm();
  if (retryCount >= retriesToTrust) await store.setAlarm(Date.now() + pauseAfterRetries);
  const worker = new Worker(executionContext(options), lease);
  const stop = AbortSignal.timeout(claimingTime);
  worker.watch();
  while (!stop.aborted) {
    const free = concurrency - worker.size;
    const claimed = free > 0 ? await worker.claim(free) : 0;
    if (worker.size === 0) break;
    if (claimed < free || free <= 0) await worker.waitForChange(stop);
  }
  await worker.close(drainTime);
  await store.prune(options.keepEvents ?? 3_600_000);
  await store.schedule();
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
