import { createEntries, readAll } from "../../sessions/sqlite-entries.ts";
import { prepared, type SqlDatabase } from "../../sessions/sql-database.ts";
import { pruneEvents, readGroups } from "../sqlite/events-table.ts";
import {
  claimRuns,
  commitWrite,
  createRuns,
  renewLeases,
  updateRun,
  updateRuns,
} from "../sqlite/operations.ts";
import { createTables, listRuns, nextDue, readRun, strandRuns } from "../sqlite/runs-table.ts";
import type { ChangeListener, DurableStore } from "../store.ts";
import type { DurableObjectContext, DurableObjectStorage } from "./durable-object.ts";
import { storageDatabase } from "./storage-database.ts";

/** The platform has no later ones than 2189: an object is woken before, and looks again. */
const latestAlarm = 6_900_000_000_000;

/** How often a run is looked at that is stuck, in milliseconds: a new build of the object does not start by itself. */
const lookAgain = 300_000;

/** Durable runs in the storage of a Durable Object. It is woken when a run is due. */
export class ObjectStore implements DurableStore {
  readonly key: string;
  readonly #storage: DurableObjectStorage;
  readonly #database: SqlDatabase;
  readonly #listeners = new Set<ChangeListener>();
  #alarmAt: number | undefined;
  #isOpen = false;

  constructor({ id, storage }: DurableObjectContext) {
    this.key = `durable-object:${String(id)}`;
    this.#storage = storage;
    this.#database = storageDatabase(storage);
  }

  create: DurableStore["create"] = (runs) =>
    this.#change(
      runs.map(({ id }) => id),
      (database, now) => createRuns(database, runs, now),
    );

  read: DurableStore["read"] = async (id) => readRun(this.#open(), id);

  list: DurableStore["list"] = async (filter) => listRuns(this.#open(), filter);

  claim: DurableStore["claim"] = (request) =>
    this.#write((database, now) => {
      // No other program has agents of this object.
      strandRuns(database, { ...request, lease: -1 }, now);
      return claimRuns(database, request, now);
    });

  renew: DurableStore["renew"] = (owner, lease, ids) =>
    this.#write((database, now) => renewLeases(database, owner, lease, ids, now));

  update: DurableStore["update"] = (id, revision, change) =>
    this.#change([id], (database, now) => updateRun(database, id, revision, change, now));

  updateAll: NonNullable<DurableStore["updateAll"]> = (updates) =>
    this.#change(
      updates.map(({ id }) => id),
      (database, now) => updateRuns(database, updates, now),
    );

  load: DurableStore["load"] = async (log) => readAll(this.#open(), log);

  commit: DurableStore["commit"] = (lease, write) =>
    this.#change([lease.id], (database, now) => commitWrite(database, lease, write, now), !write.change);

  events: DurableStore["events"] = async (id, after, limit) => readGroups(this.#open(), id, after, limit);

  prune: DurableStore["prune"] = (age) => this.#write((database, now) => pruneEvents(database, now - age));

  watch: DurableStore["watch"] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  close: DurableStore["close"] = async () => {};

  /** Has the object woken when the next run is due, and not before. */
  async schedule(): Promise<void> {
    const due = nextDue(this.#open(), Date.now() + lookAgain);
    if (due !== undefined) return this.setAlarm(due);
    this.#alarmAt = undefined;
    await this.#storage.deleteAlarm();
  }

  /** Has the object woken at a time, in milliseconds since 1970. */
  async setAlarm(time: number): Promise<void> {
    this.#alarmAt = time;
    // The platform refuses 0, which is when a run is due that may begin at once.
    await this.#storage.setAlarm(Math.min(Math.max(time, 1), latestAlarm));
  }

  /** The alarm that was set has come. */
  forgetAlarm(): void {
    this.#alarmAt = undefined;
  }

  async #change<T>(
    ids: readonly string[],
    work: (database: SqlDatabase, now: number) => T,
    isDueAsBefore = false,
  ): Promise<T> {
    const result = await this.#write(work, isDueAsBefore);
    for (const id of ids) for (const listener of this.#listeners) listener(id);
    return result;
  }

  async #write<T>(work: (database: SqlDatabase, now: number) => T, isDueAsBefore = true): Promise<T> {
    const database = this.#open();
    const result = this.#storage.transactionSync(() => work(database, Date.now()));
    // The platform stores at once what is written before it is waited for: a run that is due, and the alarm.
    const alarm = isDueAsBefore ? undefined : this.#wakeEarlier(nextDue(database));
    // It holds back what leaves the object until then; this holds back what the object does itself.
    await Promise.all([alarm, this.#storage.sync()]);
    return result;
  }

  /** Sets the alarm if it would come too late. */
  #wakeEarlier(due: number | undefined): Promise<void> | undefined {
    const isEarlier = due !== undefined && (this.#alarmAt === undefined || due < this.#alarmAt);
    return isEarlier ? this.setAlarm(due) : undefined;
  }

  #open(): SqlDatabase {
    const database = this.#database;
    if (this.#isOpen) return database;
    this.#storage.transactionSync(() => {
      database.exec(createEntries);
      createTables(database);
      // An object has one instance: what has these runs is gone.
      prepared(database, "UPDATE skein_runs SET due = 0 WHERE owner IS NOT NULL").run();
    });
    this.#isOpen = true;
    // The platform gives up alarms that fail again and again. Where this one cannot be set, it begins the object again.
    this.#wakeEarlier(nextDue(database, Date.now()))?.catch(() => {});
    return database;
  }
}
