import { Semaphore } from "../../base/util/semaphore.ts";
import { guarded } from "../guarded-store.ts";
import type { ExecutionContext } from "../execution.ts";
import { Worker } from "../worker.ts";
import type { ExecuteRequest } from "./log-state.ts";
import type { RestateStore } from "./restate-store.ts";
import type { Execute, Executed } from "./services.ts";

/** How long a run waits for a place, in milliseconds: what waits is a call of Restate, and those that write need some, too. */
const longestWait = 5_000;

/** Executes runs in this process, each attempt as an owner of its own: what an earlier attempt still writes is refused. */
export class Executor {
  readonly #store: RestateStore;
  readonly #context: Omit<ExecutionContext, "store" | "owner">;
  readonly #lease: number;
  readonly #concurrency: number;
  readonly #places: Semaphore;
  readonly #workers = new Map<Worker, string>();
  readonly #closing = new AbortController();
  /** How many runs are executed, or wait for a place. */
  #size = 0;

  /**
   * @param lease - For how long an attempt goes on without an answer of Restate, in milliseconds.
   * @param concurrency - How many runs are executed at once.
   */
  constructor(
    store: RestateStore,
    context: Omit<ExecutionContext, "store" | "owner">,
    lease: number,
    concurrency: number,
  ) {
    this.#store = store;
    this.#context = context;
    this.#lease = lease;
    this.#concurrency = concurrency;
    this.#places = new Semaphore(concurrency);
  }

  execute: Execute = async (id, request, signal): Promise<Executed> => {
    // As many again wait here, so that each place is taken at once; the others come back later.
    if (this.#size >= 2 * this.#concurrency) return "busy";
    this.#size += 1;
    const over = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(longestWait)]);
    try {
      return await this.#places.run(
        () => this.#attempt(id, request, signal),
        AbortSignal.any([signal, over]),
      );
    } catch (error) {
      if (over.aborted && error === over.reason) return "busy";
      throw error;
    } finally {
      this.#size -= 1;
    }
  };

  async #attempt(id: string, request: ExecuteRequest, signal: AbortSignal): Promise<Executed> {
    const owner = crypto.randomUUID();
    const worker = new Worker({ ...this.#context, store: this.#storeFor(request), owner }, this.#lease);
    // Restate has given this attempt up, and begins another.
    const giveUp = (): void => void worker.close(0);
    this.#workers.set(worker, id);
    try {
      if ((await worker.claim(1, [id])) === 0) return "done";
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
      await worker.close(Number.POSITIVE_INFINITY);
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#workers.delete(worker);
    }
    const current = await this.#store.read(id);
    if (current?.owner === owner)
      throw new Error(`How the run "${id}" stands could not be stored. It is tried again.`);
    return "done";
  }

  /** Ends a run at once, if this process executes it. */
  cancel(id: string, reason: unknown): void {
    for (const [worker, run] of this.#workers) if (run === id) worker.cancel(id, reason);
  }

  /**
   * Begins nothing more, and waits for what is under way.
   * @param drain - For so long, in milliseconds; then it is left to other processes.
   */
  async close(drain: number): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#workers.keys()].map((worker) => worker.close(drain)));
  }

  /** A store whose claims are for what Restate has requested. */
  #storeFor(request: ExecuteRequest): ExecutionContext["store"] {
    const store = this.#store;
    return {
      ...guarded(store),
      claim: async ({ ids = [], owner, build }) => {
        const claimed = await Promise.all(ids.map((id) => store.claimFor(id, owner, build, request)));
        return claimed.flatMap((run) => run ?? []);
      },
    };
  }
}
