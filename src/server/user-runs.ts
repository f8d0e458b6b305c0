import type { JsonObject } from "../base/util/json.ts";
import type { ModelSettings } from "../model/types.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { CallerTool } from "../run/caller-tools.ts";
import type { DurableStore } from "../durable/store.ts";
import { logOf, sessionOf } from "../durable/log-session.ts";
import { type DurableStatus, endedStatuses, type StoredRun } from "../durable/stored-run.ts";
import type { RunHandle, RunInfo, Runs } from "../durable/types.ts";
import { goesOn } from "../durable/wait-until.ts";
import type { InputMessage } from "../run/types.ts";
import { notFound, Refusal } from "./refusal.ts";
import type { RunLimit } from "./run-limit.ts";

/** What all users' runs are in. */
export interface RunsOfAll {
  readonly runs: Runs;
  readonly store: DurableStore;
  /** Executes runs where the request is answered: the platform has no processes that go on. */
  readonly here: boolean;
  readonly limit: RunLimit;
}

/** How a user starts a run. */
export interface UserStart {
  readonly agent: string;
  readonly input: readonly InputMessage[];
  readonly id?: string;
  readonly session?: string;
  readonly context?: unknown;
  readonly tools?: readonly CallerTool[];
  readonly output?: JsonSchema;
  readonly settings?: ModelSettings;
  readonly metadata?: JsonObject;
}

/** A run of a user, under the id that the user knows. */
export interface UserRun {
  readonly id: string;
  readonly handle: RunHandle;
  /** Whether it was started just now. */
  readonly isNew: boolean;
}

/** Ids and names of conversations, as clients choose them. */
const namePattern = /^[\w.:@=+~-]{1,100}$/;

/**
 * The runs of one user. In the store, their ids and conversations begin with the user's name, so that no id of another user can be written.
 */
export class UserRuns {
  readonly #all: RunsOfAll;
  readonly #prefix: string;
  readonly #user: string;

  constructor(all: RunsOfAll, user: string) {
    this.#all = all;
    this.#user = user;
    this.#prefix = `${encodeURIComponent(user)}/`;
  }

  /** @throws Refusal (400) for a name that is not one, (429) for too many runs. */
  async start({ id = crypto.randomUUID(), session, ...rest }: UserStart): Promise<UserRun> {
    const { agent, input, tools = [], ...options } = rest;
    await this.#all.limit.assertFree(this.#user);
    const handle = await this.#all.runs.start(agent, input, {
      id: this.#stored(id, "id"),
      ...(session !== undefined && { session: this.#stored(session, "session") }),
      ...options,
      ...(tools.length > 0 && { tools }),
      ...(this.#all.here && { here: true }),
    });
    this.#all.limit.add(this.#user, handle.id);
    return { id, handle, isNew: handle.isNew };
  }

  /** The run with an id; `undefined` if the user has none. */
  async find(id: string): Promise<{ readonly run: UserRun; readonly stored: StoredRun } | undefined> {
    if (!namePattern.test(id)) return undefined;
    const stored = await this.#all.store.read(this.#prefix + id);
    if (!stored) return undefined;
    return { run: { id, handle: this.#all.runs.get(stored.id), isNew: false }, stored };
  }

  /** @throws Refusal (404) */
  async get(
    id: string,
    agents?: readonly string[],
  ): Promise<{ readonly run: UserRun; readonly stored: StoredRun }> {
    const match = await this.find(id);
    if (!match || (agents && !agents.includes(match.stored.agent)))
      throw notFound(`The run "${id.slice(0, 100)}"`);
    return match;
  }

  /** Runs of a conversation, those that were started last first. */
  async inSession(session: string, limit = 100): Promise<readonly RunInfo[]> {
    const runs = await this.#all.runs.list({ session: this.#stored(session, "session"), limit });
    return runs.map((run) => this.#ofUser(run));
  }

  /** The conversation of a run, as the user knows it; `undefined` for one that is a conversation by itself. */
  sessionOf(stored: StoredRun): string | undefined {
    const session = sessionOf(stored.log);
    return session === undefined ? undefined : this.#public(session);
  }

  /**
   * Runs of the user, those that were started last first.
   * @param filter - `after`: those that were started before the run with this id.
   */
  async list(filter: {
    readonly agent?: string;
    readonly session?: string;
    readonly statuses?: readonly DurableStatus[];
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly { readonly run: UserRun; readonly stored: StoredRun }[]> {
    const { session, after, ...rest } = filter;
    const list = await this.#all.store.list({
      ...rest,
      idPrefix: this.#prefix,
      ...(session !== undefined && { log: logOf("", this.#stored(session, "session")) }),
      ...(after !== undefined && { after: this.#stored(after, "id") }),
    });
    return list.map((stored) => ({
      run: { id: this.#public(stored.id), handle: this.#all.runs.get(stored.id), isNew: false },
      stored,
    }));
  }

  /** The first of the runs of a conversation that have not ended: the others wait for it. */
  async active(session: string): Promise<UserRun | undefined> {
    const runs = await this.#all.runs.list({
      session: this.#stored(session, "session"),
      status: ["queued", "running", "paused", "stuck"],
    });
    const first = runs.at(-1);
    return first && { id: this.#public(first.id), handle: this.#all.runs.get(first.id), isNew: false };
  }

  /** The index of a run's last event so far: what comes behind it is new. */
  async lastEvent(run: UserRun): Promise<number> {
    const stored = await this.#all.store.read(run.handle.id);
    return (stored?.progress.next ?? 0) - 1;
  }

  /** What a user sees of a run: ids as they know them. */
  infoFor(run: RunInfo): RunInfo {
    return this.#ofUser(run);
  }

  #ofUser(run: RunInfo): RunInfo {
    const { session, parent } = run;
    return {
      ...run,
      id: this.#public(run.id),
      ...(session !== undefined && { session: this.#public(session) }),
      ...(parent !== undefined && { parent: this.#public(parent) }),
    };
  }

  #public(stored: string): string {
    return stored.startsWith(this.#prefix) ? stored.slice(this.#prefix.length) : stored;
  }

  #stored(name: string, what: string): string {
    if (!namePattern.test(name))
      throw new Refusal(
        400,
        "invalid-name",
        `The ${what} "${name.slice(0, 100)}" must be 1 to 100 letters, digits and . : @ = + ~ _ -`,
      );
    return this.#prefix + name;
  }
}

/** Whether more is to come of a run by itself. */
export function isWorking(stored: StoredRun): boolean {
  return goesOn(stored, "pause");
}

/** Whether a run has ended. */
export function hasEnded({ status }: Pick<StoredRun, "status">): boolean {
  return endedStatuses.includes(status);
}
