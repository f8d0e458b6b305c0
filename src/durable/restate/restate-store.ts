import type { SessionEntry } from "../../run/session/session.ts";
import { SessionConflictError } from "../../sessions/errors.ts";
import { LeaseLostError } from "../errors.ts";
import { logOf } from "../log-session.ts";
import type { DurableStore, EventGroup, Lease } from "../store.ts";
import { endedStatuses, type StoredRun } from "../stored-run.ts";
import { type Connection, post } from "./ingress.ts";
import { queryRuns } from "./list-query.ts";
import type { LogAnswers, LogRequests } from "./log-state.ts";
import { Watch } from "./watch.ts";

/** Of how many runs in conversations it is remembered which one they are in. */
const mostLogs = 10_000;

/** What of runs is in Restate. It gives out runs by their ids alone: Restate itself has executed what is due. */
export class RestateStore implements DurableStore {
  readonly key: string;
  readonly #connection: Connection;
  readonly #name: string;
  readonly #watch = new Watch();
  /** The logs of runs that are in conversations. */
  readonly #logs = new Map<string, string>();
  /** What owners of this process have. */
  readonly #leases = new Map<string, Lease>();

  /** @param name - The name of the objects that keep runs. */
  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#name = name;
    this.key = `restate:${connection.ingress}/${name}`;
  }

  create: DurableStore["create"] = (runs) =>
    Promise.all(
      runs.map(async (run) => {
        const created = await this.#call(logOf(run.id, undefined), "create", { run, now: Date.now() });
        this.#noteLog(created.run);
        this.#watch.notify(run.id);
        return created;
      }),
    );

  read: DurableStore["read"] = async (id) => {
    const { run, log } = await this.#call(this.#logs.get(id) ?? logOf(id, undefined), "read", { id });
    const current = log === undefined ? run : (await this.#call(log, "read", { id })).run;
    if (current) this.#noteLog(current);
    return current;
  };

  list: DurableStore["list"] = async (filter) => {
    const { log, statuses, agent, idPrefix = "", after, limit } = filter;
    const isOpen = statuses?.every((status) => !endedStatuses.includes(status)) ?? false;
    if (log === undefined || !isOpen || agent !== undefined || after !== undefined)
      return queryRuns(this.#connection, this.#name, filter);
    const { runs } = await this.#call(log, "lane", {});
    return runs
      .filter(({ id, status }) => statuses?.includes(status) && id.startsWith(idPrefix))
      .toReversed()
      .slice(0, limit);
  };

  claim: DurableStore["claim"] = async ({ ids = [], except = [], owner, build }) => {
    const wanted = ids.filter((id) => !except.includes(id));
    const claimed = await Promise.all(wanted.map((id) => this.claimFor(id, owner, build)));
    return claimed.flatMap((run) => run ?? []);
  };

  /**
   * Claims a run.
   * @param request - The log that it is in, and what Restate has had it executed for.
   */
  async claimFor(
    id: string,
    owner: string,
    build: string,
    request: { readonly log?: string; readonly ticket?: number } = {},
  ): Promise<StoredRun | undefined> {
    const { ticket } = request;
    const log = request.log ?? (await this.#logOf(id));
    const claim = { id, owner, build, now: Date.now(), ...(ticket !== undefined && { ticket }) };
    const { run } = await this.#call(log, "claim", claim);
    if (!run) return undefined;
    this.#noteLog(run);
    this.#leases.set(owner, { id, owner });
    return run;
  }

  renew: DurableStore["renew"] = async (owner, _lease, ids) => {
    const lease = this.#leases.get(owner);
    if (!lease || ids?.includes(lease.id) === false) return [];
    const run = await this.read(lease.id);
    if (run?.owner !== owner || run.status !== "running") return [];
    return [{ id: run.id, isCancelled: run.data.cancel !== undefined }];
  };

  update: DurableStore["update"] = async (id, revision, change) => {
    const request = { id, revision, change, now: Date.now() };
    const { run } = await this.#call(await this.#logOf(id), "update", request);
    if (run) this.#watch.notify(id);
    return run;
  };

  load: DurableStore["load"] = async (log) => {
    const entries: SessionEntry[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: LogAnswers["load"] = await this.#call(log, "load", { from });
      entries.push(...page.entries);
      from = page.next;
    }
    return entries;
  };

  commit: DurableStore["commit"] = async ({ id, owner }, write) => {
    const log = write.log ?? (await this.#logOf(id));
    const answer = await this.#call(log, "commit", { id, owner, write, now: Date.now() });
    if ("isWritten" in answer) {
      if (answer.isWritten && write.change?.owner === null) this.#leases.delete(owner);
      // Not with each entry: those that wait would look as often, which costs as much as to write.
      if (write.change) this.#watch.notify(id);
      return answer.isWritten;
    }
    if (answer.refused === "session-conflict") throw new SessionConflictError(answer.sequence, answer.cause);
    this.#leases.delete(owner);
    throw new LeaseLostError(id);
  };

  events: DurableStore["events"] = async (id, after, limit) => {
    const log = await this.#logOf(id);
    const groups: EventGroup[] = [];
    for (;;) {
      const last = groups.at(-1)?.last ?? after;
      const request = { id, after: last, limit: limit - groups.length };
      const page = await this.#call(log, "events", request);
      groups.push(...page.groups);
      if (page.isLast) return groups;
    }
  };

  // The log of a run deletes its events by itself.
  prune: DurableStore["prune"] = () => Promise.resolve();

  watch: DurableStore["watch"] = (listener) => this.#watch.add(listener);

  close: DurableStore["close"] = async () => this.#watch.stop();

  async #call<Handler extends keyof LogRequests>(
    log: string,
    handler: Handler,
    request: LogRequests[Handler],
  ): Promise<LogAnswers[Handler]> {
    const path = `/${this.#name}/${encodeURIComponent(log)}/${handler}`;
    const answer = await post(this.#connection, this.#connection.ingress, path, request);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handlers are this package's own
    return answer as LogAnswers[Handler];
  }

  async #logOf(id: string): Promise<string> {
    return this.#logs.get(id) ?? (await this.read(id))?.log ?? logOf(id, undefined);
  }

  #noteLog({ id, log }: StoredRun): void {
    if (log === logOf(id, undefined)) return;
    const [oldest] = this.#logs.keys();
    if (this.#logs.size >= mostLogs && oldest !== undefined) this.#logs.delete(oldest);
    this.#logs.set(id, log);
  }
}
