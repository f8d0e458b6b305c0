import type { AnyAgent } from "../../agent/agent.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { ConfigurationError } from "../../errors.ts";
import { checkCloseOptions, checkListOptions } from "../check-options.ts";
import { executionContext } from "../execution-context.ts";
import { StoredRunHandle } from "../handle.ts";
import { listRuns } from "../list-runs.ts";
import { startRun } from "../start-run.ts";
import type { DurableStore } from "../store.ts";
import type { ListOptions, RunHandle, RunInfo, Runs, StartRunOptions } from "../types.ts";
import { checkRestateOptions, checkRestateStart } from "./check-options.ts";
import { Executor } from "./executor.ts";
import { RestateStore } from "./restate-store.ts";
import { loadSdk } from "./sdk.ts";
import { restateServices } from "./services.ts";
import type { RestateRuns, RestateRunsOptions, RestateService } from "./types.ts";

/**
 * Runs that outlive the process that executes them, kept and handed out by Restate (tested with 1.7): serve `services()` in as many
 * processes as you like, behind the address that is registered there. Needs the package `@restatedev/restate-sdk` to serve them.
 * @throws ConfigurationError (`invalid-option`), NameClashError for two agents of one name.
 */
export function restateRuns(options: RestateRunsOptions): RestateRuns {
  return new RunsInRestate(checkRestateOptions(options));
}

class RunsInRestate implements RestateRuns {
  readonly #store: DurableStore;
  readonly #agents: ReadonlyMap<string, AnyAgent>;
  readonly #executor: Executor;
  readonly #name: string;
  readonly #keepEvents: number;
  #isClosed = false;

  constructor(options: RestateRunsOptions) {
    const { ingress, admin, headers = {}, name = "skein" } = options;
    const { lease = 30_000, keepEvents = 3_600_000, concurrency = 50 } = options;
    const store = new RestateStore({ ingress, admin, headers }, `${name}Log`);
    const context = executionContext({ ...options, store });
    this.#store = context.store;
    this.#agents = context.agents;
    this.#name = name;
    this.#keepEvents = keepEvents;
    this.#executor = new Executor(store, context, lease, concurrency);
  }

  async start(
    agent: string | AnyAgent,
    input: Parameters<Runs["start"]>[1],
    options: StartRunOptions = {},
  ): Promise<RunHandle> {
    checkRestateStart(options);
    if (this.#isClosed)
      throw new ConfigurationError(
        "start() was called after close(). Make new runs: restateRuns({ agents, ingress }).",
        { code: "closed" },
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

  async services(): Promise<RestateService[]> {
    if (this.#agents.size === 0)
      throw invalidOption("services() needs agents: restateRuns({ agents: [triage], ingress }).", {
        option: "agents",
      });
    const sdk = await loadSdk();
    const settings = { log: `${this.#name}Log`, run: `${this.#name}Run`, keepEvents: this.#keepEvents };
    return restateServices(sdk, settings, this.#executor.execute);
  }

  async close(options: { readonly drain?: number } = {}): Promise<void> {
    const { drain = 10_000 } = checkCloseOptions(options);
    this.#isClosed = true;
    await this.#executor.close(drain);
    await this.#store.close();
  }

  #handle(id: string, isNew: boolean): RunHandle {
    return new StoredRunHandle(id, isNew, this.#store, (each, reason) => this.#executor.cancel(each, reason));
  }
}
