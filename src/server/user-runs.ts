import type { JsonObject } from "../base/util/json.ts";
import type { ModelSettings } from "../model/types.ts";
import type { JsonSchema } from "../schema/types.ts";
import type { CallerTool } from "../run/caller-tools.ts";
import { cancelRun } from "../durable/cancel-run.ts";
import { changeStored } from "../durable/change-stored.ts";
import { deliver, type Delivery } from "../durable/deliver.ts";
import type { DurableStore, EventGroup } from "../durable/store.ts";
import { logOf, sessionOf } from "../durable/log-session.ts";
import { type DurableStatus, endedStatuses, type Receipt, type StoredRun } from "../durable/stored-run.ts";
import type { DurableState, RunHandle, RunInfo, Runs } from "../durable/types.ts";
import { goesOn } from "../durable/wait-until.ts";
import { clientCalls, waitsForOthers } from "../run/public/client-calls.ts";
import type { InputMessage } from "../run/types.ts";
import { mayNotDecide, notFound, Refusal } from "./refusal.ts";
import type { FetchContext } from "./types.ts";
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
  readonly model?: string;
  readonly metadata?: JsonObject;
  /** Whether it is not to begin before it is released, or for a second. */
  readonly isHeld?: boolean;
}

/** A run of a user, under the id that the user knows. */
export interface UserRun {
  readonly id: string;
  /** Without `state`, whose pending calls are not all for clients, and without what answers calls: `UserRuns.deliver` knows who may. */
  readonly handle: Omit<RunHandle, "state" | "decide" | "resolve" | "answer">;
  /** Whether it was started just now. */
  readonly isNew: boolean;
  /** How it stands, as a client may know it. */
  readonly state: () => Promise<ClientState>;
}

/** How a run stands: `pending` has the calls alone that a client may answer. */
export interface ClientState extends DurableState {
  /** Whether a tool of it waits for what no client has. */
  readonly waitsForOthers: boolean;
}

/** Whose runs they are. */
export interface RunsOwner {
  readonly user: string;
  /** The names of the agents that the user may use; all by default. Runs of others are not there. */
  readonly agents?: readonly string[];
  /** Whether the user may approve and deny calls; `true` by default. */
  readonly decide?: boolean | undefined;
  /** Keeps the platform from ending work behind the answer. */
  readonly waitUntil?: FetchContext["waitUntil"];
}

/** For how long a run is held at most, in milliseconds: the process may end that is to release it. */
const longestHold = 1_000;

/** How many runs of a user are looked through for one that a client calls by an id of its own. */
const lastRuns = 100;

/** Ids and names of conversations, as clients choose them; `.` and `..` mean something else in an address. */
const namePattern = /^(?!\.{1,2}$)[\w.:@=+~-]{1,100}$/;

/**
 * The runs of one user. In the store, their ids and conversations begin with the user's name, so that no id of another user can be written.
 */
export class UserRuns {
  readonly #all: RunsOfAll;
  readonly #prefix: string;
  /** Whose they are. */
  readonly user: string;
  /** Whether the user may approve and deny calls. */
  readonly mayDecide: boolean;
  readonly #agents: readonly string[] | undefined;
  readonly #waitUntil: RunsOwner["waitUntil"];

  constructor(all: RunsOfAll, { user, agents, decide = true, waitUntil }: RunsOwner) {
    this.#agents = agents;
    this.mayDecide = decide;
    this.#waitUntil = waitUntil;
    this.#all = all;
    this.user = user;
    this.#prefix = `${encodeURIComponent(user)}/`;
  }

  /** @throws Refusal (400) for a name that is not one, (429) for too many runs. */
  async start({ id = crypto.randomUUID(), session, isHeld, ...rest }: UserStart): Promise<UserRun> {
    const { agent, input, tools = [], ...options } = rest;
    const storedId = this.#stored(id, "id");
    const { limit, runs, store, here } = this.#all;
    // The same once more takes no place of its own.
    const isThere = (await store.read(storedId)) !== undefined;
    const release = isThere ? () => {} : await limit.hold(this.user);
    try {
      const handle = await runs.start(agent, input, {
        id: storedId,
        ...(session !== undefined && { session: this.#stored(session, "session") }),
        ...options,
        ...(tools.length > 0 && { tools }),
        ...(here ? { here: true } : isHeld && { at: Date.now() + longestHold }),
      });
      limit.add(this.user, handle.id);
      this.#holdRequest(handle);
      return userRun(id, handle);
    } finally {
      release();
    }
  }

  /** @throws Refusal (400) for an id or a conversation that cannot be called so. */
  assertNames({
    id,
    clientId,
    session,
  }: Pick<UserStart, "id"> & { readonly clientId?: string; readonly session: string }): void {
    this.#stored(session, "session");
    if (id !== undefined) this.#stored(id, "id");
    if (clientId !== undefined) this.#stored(clientId, "id");
  }

  /** The run with an id; `undefined` if the user has none. */
  async find(id: string): Promise<{ readonly run: UserRun; readonly stored: StoredRun } | undefined> {
    if (!namePattern.test(id)) return undefined;
    const stored = await this.#all.store.read(this.#prefix + id);
    if (!stored || !this.#maySee(stored)) return undefined;
    return { run: userRun(id, this.#all.runs.get(stored.id)), stored };
  }

  /** @throws Refusal (404) */
  async get(id: string): Promise<{ readonly run: UserRun; readonly stored: StoredRun }> {
    const match = await this.find(id);
    if (!match) throw notFound(`The run "${id.slice(0, 100)}"`);
    return match;
  }

  /** Executes a run in this request that was decided on, where no process is left that waits for it. */
  async goOn({ handle }: UserRun): Promise<void> {
    if (!this.#all.here) return;
    const { agent, input, session } = await this.#all.runs.get(handle.id).state();
    const started = await this.#all.runs.start(agent, input, {
      id: handle.id,
      ...(session !== undefined && { session }),
      here: true,
    });
    this.#holdRequest(started);
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
    const visible = list.filter((stored) => this.#maySee(stored));
    return visible.map((stored) => ({
      run: userRun(this.#public(stored.id), this.#all.runs.get(stored.id)),
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
    if (first && !this.#maySee(first)) throw notFound(`The session "${session.slice(0, 100)}"`);
    return first && userRun(this.#public(first.id), this.#all.runs.get(first.id));
  }

  /** The index of a run's last event so far: what comes behind it is new. */
  async lastEvent(run: UserRun): Promise<number> {
    const stored = await this.#all.store.read(run.handle.id);
    return (stored?.progress.next ?? 0) - 1;
  }

  /**
   * Ends a run that waits for a person, unless somebody has answered it meanwhile.
   * @returns whether it has ended.
   */
  async giveUp({ handle }: UserRun, reason: string): Promise<boolean> {
    return (await cancelRun(this.#all.store, handle.id, reason, isUnanswered)) === true;
  }

  /**
   * Ends a run that no process has begun with.
   * @returns whether it has ended, and was not begun with.
   */
  async withdraw({ handle }: UserRun, reason: string): Promise<boolean> {
    return (await cancelRun(this.#all.store, handle.id, reason, isUnbegun)) === true;
  }

  /** Lets a run begin that was started to be held. */
  async release({ handle }: UserRun): Promise<void> {
    await changeStored(this.#all.store, handle.id, (run) =>
      isUnbegun(run) ? { due: { in: 0 } } : undefined,
    );
  }

  /** Groups of events of a run behind an index. */
  events(run: UserRun, after: number, limit: number): Promise<readonly EventGroup[]> {
    return this.#all.store.events(run.handle.id, after, limit);
  }

  /**
   * Delivers something to a run: the one way of what a client sends, in any protocol.
   * @returns the receipt of an earlier delivery with its id: then nothing is done.
   * @throws Refusal (403) for decisions of a user who may not decide: nothing is delivered.
   */
  async deliver(run: UserRun, delivery: Delivery): Promise<Receipt | undefined> {
    const { decisions = [] } = delivery.answers ?? {};
    if (decisions.length > 0 && !this.mayDecide) throw mayNotDecide();
    return deliver(this.#all.store, run.handle.id, delivery);
  }

  /** One of the last runs, by what a client calls it that does not choose its id. */
  async findByClientId(
    clientId: string,
  ): Promise<{ readonly run: UserRun; readonly stored: StoredRun } | undefined> {
    if (!namePattern.test(clientId)) return undefined;
    return (await this.list({ limit: lastRuns })).find(
      ({ stored }) =>
        stored.data.request.metadata?.["clientId"] === clientId ||
        stored.data.receipts?.some((receipt) => receipt.clientId === clientId) === true,
    );
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

  /** The process may end with its answer, unless it is asked to wait for the run. */
  #holdRequest(handle: RunHandle): void {
    // Those who read the run learn how it failed.
    if (this.#all.here) this.#waitUntil?.(handle.result().catch(() => {}));
  }

  #maySee({ agent }: Pick<StoredRun, "agent">): boolean {
    return !this.#agents || this.#agents.includes(agent);
  }

  #public(stored: string): string {
    return stored.startsWith(this.#prefix) ? stored.slice(this.#prefix.length) : stored;
  }

  #stored(name: string, what: string): string {
    if (!namePattern.test(name))
      throw new Refusal(
        400,
        "invalid-name",
        `The ${what} "${name.slice(0, 100)}" must be 1 to 100 letters, digits and . : @ = + ~ _ -, and not "." or "..".`,
      );
    return this.#prefix + name;
  }
}

function userRun(id: string, handle: RunHandle): UserRun {
  return {
    id,
    handle,
    isNew: handle.isNew,
    state: async () => {
      const state = await handle.state();
      const { pending, waitsForRuns = [] } = state;
      return {
        ...state,
        pending: clientCalls(pending),
        waitsForOthers: waitsForOthers(pending, waitsForRuns),
      };
    },
  };
}

function isUnanswered({ status, data: { inbox, outbox, awaited } }: StoredRun): boolean {
  return status === "paused" && inbox.length === 0 && !outbox && awaited?.isAnswered !== true;
}

/** Whether no process has begun with a run. */
export function isUnbegun({ status, attempts }: StoredRun): boolean {
  return status === "queued" && attempts === 0;
}

/** Whether more is to come of a run by itself. */
export function isWorking(stored: StoredRun): boolean {
  return goesOn(stored, "pause");
}

/** Whether a run has ended. */
export function hasEnded({ status }: Pick<StoredRun, "status">): boolean {
  return endedStatuses.includes(status);
}
