import type { ListOptions, RunInfo, Runs, RunsOptions } from "../types.ts";

/** What `restateRuns()` needs: the options of `runs()` without a store, and where Restate is. */
export interface RestateRunsOptions extends Omit<RunsOptions, "store"> {
  /** The address of Restate's ingress, such as `"http://127.0.0.1:8080"`: also the processes that execute runs write through it. */
  readonly ingress: string;
  /** The address of Restate's admin API, such as `"http://127.0.0.1:9070"`. `list()` needs it. */
  readonly admin?: string;
  /** Sent with each request to Restate, such as `{ authorization: "Bearer ..." }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the names of the services begin with: 1 to 100 letters and digits; `"skein"` by default. */
  readonly name?: string;
  /**
   * How many runs this process executes at once; 50 by default, and as many again wait in it. All processes together must stay well below the limit of each Restate
   * server (`worker.invoker.concurrent-invocations-limit`): what runs write needs calls of its own.
   */
  readonly concurrency?: number;
}

/** Durable runs that Restate keeps, and has executed by the processes that serve `services()`. */
export interface RestateRuns extends Omit<Runs, "work"> {
  /**
   * Runs, those that were started last first.
   * @throws ConfigurationError (`invalid-option`) without the option `admin`.
   */
  list(filter?: ListOptions): Promise<readonly RunInfo[]>;
  /**
   * What Restate calls to keep and to execute runs, for `serve()` of `@restatedev/restate-sdk`.
   * @throws ConfigurationError (`missing-package`) if that is not installed; (`invalid-option`) without agents.
   */
  services(): Promise<RestateService[]>;
}

/** A service, as `serve({ services })` of `@restatedev/restate-sdk` takes it. */
export interface RestateService {
  readonly name: string;
}
