import { startTimer } from "../base/util/timer.ts";
import { unref } from "../base/util/unref.ts";
import { newClaim } from "../run/session/claim.ts";
import type { DueTimes } from "./due-times.ts";
import { LeaseLostError } from "./errors.ts";
import { executeRun } from "./execute-run.ts";
import type { ExecutionContext } from "./execution.ts";
import type { StoredRun } from "./stored-run.ts";

/** How long an idle worker waits before it looks again, though nothing has changed, in milliseconds. */
const longestIdle = 1_000;

/** A time by a clock that is never set, and by the one that others have. */
interface Time {
  readonly steady: number;
  readonly wall: number;
}

const noTime: Time = { steady: 0, wall: 0 };

function now(): Time {
  return { steady: performance.now(), wall: Date.now() };
}

/** A run that this process executes. */
interface Execution {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Executes the runs that one process claims, and keeps their leases. */
export class Worker {
  readonly #context: ExecutionContext;
  readonly #lease: number;
  readonly #dueTimes: DueTimes | undefined;
  readonly #executions = new Map<string, Execution>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #stopWatching: (() => void) | undefined;
  #renewedAt = noTime;
  #renewing: Promise<boolean> | undefined;
  #isToLook = false;
  /** How often something has changed. */
  #version = 0;
  /** What waits for something to change. */
  readonly #waiting = new Set<() => void>();
  /** Runs that are being claimed. */
  readonly #claims = new Set<Promise<number>>();
  /** Set once the runs under way are left to other processes, those that are claimed still, too. */
  #isLeaving = false;

  /**
   * @param lease - How long a run is this process's without a sign of life, in milliseconds.
   * @param dueTimes - When runs are due that this process has stored.
   */
  constructor(context: ExecutionContext, lease: number, dueTimes?: DueTimes) {
    this.#context = context;
    this.#lease = lease;
    this.#dueTimes = dueTimes;
  }

  /** How many runs are under way. */
  get size(): number {
    return this.#executions.size;
  }

  /** Another one after each change that was noticed. */
  get version(): number {
    return this.#version;
  }

  /** How long nobody looks though nothing has changed, in milliseconds. */
  get longestIdle(): number {
    return Math.min(longestIdle, this.#lease / 2);
  }

  /**
   * Claims runs that are due, and executes them; not those that it executes already, whose leases it renews.
   * @param limit - At most these many.
   * @param ids - These alone.
   * @returns how many it has claimed.
   */
  async claim(limit: number, ids?: readonly string[]): Promise<number> {
    const claiming = this.#claim(limit, ids);
    this.#claims.add(claiming);
    try {
      return await claiming;
    } finally {
      this.#claims.delete(claiming);
    }
  }

  async #claim(limit: number, ids?: readonly string[]): Promise<number> {
    const { store, owner, agents, build } = this.#context;
    const executions = this.#executions;
    const wanted = ids?.filter((id) => !executions.has(id));
    if (wanted?.length === 0) return 0;
    const { process: mark } = newClaim();
    const claimed = await store.claim({
      owner,
      build,
      agents: [...agents.keys()],
      lease: this.#lease,
      limit,
      ...(mark && { process: mark }),
      ...(wanted && { ids: wanted }),
      // Read by stores that need it: a worker of a thousand runs looks for others with each that comes.
      get except() {
        return executions.size > 0 ? [...executions.keys()] : undefined;
      },
    });
    return claimed.filter((run) => this.#execute(run)).length;
  }

  /** Ends a run of this process at once. */
  cancel(id: string, reason: unknown): void {
    this.#executions.get(id)?.controller.abort(reason);
  }

  /**
   * Waits until a run has ended, something has changed, or a second is over.
   * @param version - That from before what was looked at: what has changed since is not waited for.
   */
  async waitForChange(signal: AbortSignal, version: number = this.#version): Promise<void> {
    if (signal.aborted || version !== this.#version) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, this.longestIdle);
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }

  /** Notices changes of the store. Without it, only what this process does is noticed. */
  watch(): void {
    const notice = (): void => {
      this.#isToLook = true;
      this.#wake();
    };
    this.#dueTimes?.listen(() => this.#wake());
    // By more events of a run, none is due, and none is to end.
    this.#stopWatching ??= this.#context.store.watch(notice, { events: false });
  }

  /**
   * Waits for the runs under way.
   * @param drain - For so long, in milliseconds; then they are left to other processes.
   */
  async close(drain: number): Promise<void> {
    const stop = startTimer(() => {
      this.#isLeaving = true;
      this.#abandon();
    }, drain);
    // What is being claimed is executed, too.
    while (this.#executions.size + this.#claims.size > 0)
      await Promise.allSettled([...this.#claims, ...[...this.#executions.values()].map(({ done }) => done)]);
    stop();
    this.#stopHeartbeat();
    this.#dueTimes?.stop();
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /**
   * Executes a run, unless it is under way here: of two claims at once, the second may have got what the first had got, where the clock was
   * put forward in between. The lease is the same, and the execution that has begun goes on with it.
   */
  #execute(run: StoredRun): boolean {
    if (this.#executions.has(run.id)) return false;
    const controller = new AbortController();
    const done = executeRun(run, this.#context, controller.signal, () => this.#hold()).finally(() => {
      this.#executions.delete(run.id);
      if (this.#executions.size === 0) this.#stopHeartbeat();
      this.#wake();
    });
    this.#executions.set(run.id, { controller, done });
    if (this.#isLeaving) controller.abort(new LeaseLostError(run.id));
    this.#startHeartbeat();
    return true;
  }

  #wake(): void {
    this.#version++;
    for (const wake of this.#waiting) wake();
  }

  #startHeartbeat(): void {
    if (this.#heartbeat) return;
    this.watch();
    this.#renewedAt = now();
    let beats = 0;
    // Ten times a lease: a run that is to be cancelled learns of it then, and a lease that was lost is noticed.
    this.#heartbeat = setInterval(() => {
      beats++;
      const isLate = performance.now() - this.#renewedAt.steady > this.#lease / 2;
      if (beats % 3 === 0 || this.#isToLook || isLate) void this.#renew();
    }, this.#lease / 10);
    unref(this.#heartbeat);
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  /** Renews the leases if they may be over: what stood still learns so that others have its runs before it does anything. */
  #hold(): Promise<void> | undefined {
    return this.#mayBeOver() ? this.#holdOn() : undefined;
  }

  async #holdOn(): Promise<void> {
    while (this.#mayBeOver() && (await this.#renew()));
  }

  #mayBeOver(): boolean {
    const { steady, wall } = this.#renewedAt;
    // A machine that slept has another time, but for some clocks no time has passed.
    return performance.now() - steady > this.#lease || Date.now() - wall > this.#lease;
  }

  /** @returns whether the store has answered. Never rejects. */
  #renew(): Promise<boolean> {
    return (this.#renewing ??= this.#tryToRenew().finally(() => (this.#renewing = undefined)));
  }

  async #tryToRenew(): Promise<boolean> {
    this.#isToLook = false;
    try {
      await this.#renewLeases();
      return true;
    } catch (error) {
      this.#context.report(error, "");
      // Others may have the runs by now, and this process cannot find out.
      if (performance.now() - this.#renewedAt.steady > this.#lease) this.#abandon();
      return false;
    }
  }

  async #renewLeases(): Promise<void> {
    const startedAt = now();
    const before = [...this.#executions];
    const { store, owner } = this.#context;
    // Of these alone: what was given up and could not be stored so is for the next that claims it.
    const leases = await store.renew(
      owner,
      this.#lease,
      before.map(([id]) => id),
    );
    this.#renewedAt = startedAt;
    const isHeld = new Map(leases.map(({ id, isCancelled }) => [id, isCancelled]));
    for (const [id, { controller }] of before) {
      // It may have ended meanwhile, and have been claimed again.
      if (this.#executions.get(id)?.controller !== controller) continue;
      const isCancelled = isHeld.get(id);
      if (isCancelled === undefined) controller.abort(new LeaseLostError(id));
      else if (isCancelled) controller.abort(new Error("The run was cancelled."));
    }
  }

  /** Leaves all runs to other processes: nothing more of them is stored, and their signals are aborted. */
  #abandon(): void {
    for (const [id, { controller }] of this.#executions) controller.abort(new LeaseLostError(id));
  }
}
