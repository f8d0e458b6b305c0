import { absolutePath } from "../../base/util/absolute-path.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { assertText } from "../../sessions/assert-text.ts";
import {
  type Database,
  inMemory,
  openDatabase,
  releaseDatabase,
  whenUnlocked,
} from "../../sessions/sqlite-database.ts";
import { prepared } from "../../sessions/sql-database.ts";
import { readAll } from "../../sessions/sqlite-entries.ts";
import type { ClaimRequest, DurableStore } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import { pruneEvents, readGroups } from "./events-table.ts";
import { freeRunsOfDead } from "./free-dead.ts";
import { GroupCommit } from "./group-commit.ts";
import { claimRuns, commitWrite, createRuns, renewLeases, updateRun, updateRuns } from "./operations.ts";
import { changedSince, createTables, findClaimable, listRuns, readRun, strandRuns } from "./runs-table.ts";
import { Watch } from "./watch.ts";

/** How often a store looks for runs that no program has the agent of, and whose process is gone, in milliseconds. */
const lookAfter = 1_000;

/** How long another process may take from reading the clock to the end of its transaction, in milliseconds. */
const overlap = 100;

/**
 * Durable runs in a SQLite database on a local disk: processes of one machine share it. It may be that of `sqliteSession`. Needs
 * `node:sqlite`: Node, Bun and Deno.
 * @param path - A file, which is created, or `":memory:"` for as long as the program runs.
 * @throws ConfigurationError (`invalid-option`) without a path.
 */
export function sqliteStore(path: string): DurableStore {
  assertText(path, "path", 'sqliteStore("runs.db")');
  return new SqliteStore(path === inMemory ? path : absolutePath(path));
}

class SqliteStore implements DurableStore {
  readonly key: string;
  readonly #file: string;
  #database: Database | undefined;
  // One after another: what waits must not be overtaken by what comes after it.
  readonly #turns = new Semaphore(1);
  readonly #watch: Watch;
  readonly #writes = new GroupCommit((work) => this.#read(work));
  #lookedAt = 0;
  #version: unknown;
  #foundAt = Date.now();

  constructor(file: string) {
    this.#file = file;
    this.key = `sqlite:${file}`;
    this.#watch = new Watch(file, () => this.#findChanged());
  }

  create: DurableStore["create"] = (runs) =>
    this.#change(
      runs.map(({ id }) => id),
      (database, now) => createRuns(database, runs, now),
    );

  read: DurableStore["read"] = (id) => this.#read((database) => readRun(database, id));

  list: DurableStore["list"] = (filter) => this.#read((database) => listRuns(database, filter));

  claim: DurableStore["claim"] = async (request) => {
    // A look takes no lock: workers that wait must not keep others from writing.
    const isDue = await this.#read((database) => {
      const now = Date.now();
      return this.#isToLook(now) || findClaimable(database, { ...request, limit: 1 }, now).length > 0;
    });
    return isDue ? this.#quietly((database, now) => this.#claim(database, request, now)) : [];
  };

  renew: DurableStore["renew"] = (owner, lease, ids) =>
    this.#quietly((database, now) => renewLeases(database, owner, lease, ids, now));

  update: DurableStore["update"] = (id, revision, change) =>
    this.#change([id], (database, now) => updateRun(database, id, revision, change, now));

  updateAll: NonNullable<DurableStore["updateAll"]> = (updates) =>
    this.#change(
      updates.map(({ id }) => id),
      (database, now) => updateRuns(database, updates, now),
    );

  load: DurableStore["load"] = (log) => this.#read((database) => readAll(database, log));

  commit: DurableStore["commit"] = (lease, write) =>
    this.#change([lease.id], (database, now) => commitWrite(database, lease, write, now));

  events: DurableStore["events"] = (id, after, limit) =>
    this.#read((database) => readGroups(database, id, after, limit));

  prune: DurableStore["prune"] = (age) => this.#quietly((database, now) => pruneEvents(database, now - age));

  // Opens nothing, which may have to wait for a lock: what waits for changes looks by itself first.
  watch: DurableStore["watch"] = (listener) => this.#watch.add(listener);

  close: DurableStore["close"] = () =>
    this.#turns.run(() => {
      this.#watch.stop();
      if (this.#database) releaseDatabase(this.#file);
      this.#database = undefined;
    });

  #claim(database: Database, request: ClaimRequest, now: number): readonly StoredRun[] {
    if (this.#isToLook(now)) {
      this.#lookedAt = now;
      freeRunsOfDead(database, now);
      strandRuns(database, request, now);
    }
    return claimRuns(database, request, now);
  }

  #isToLook(now: number): boolean {
    // Also where the clock was set back.
    return Math.abs(now - this.#lookedAt) >= lookAfter;
  }

  #open(): Database {
    if (this.#database) return this.#database;
    const database = openDatabase(this.#file, "full");
    try {
      createTables(database);
    } catch (error) {
      releaseDatabase(this.#file);
      throw error;
    }
    return (this.#database = database);
  }

  /** What other processes have changed. */
  #findChanged(): readonly string[] {
    const database = this.#database;
    if (!database) return [];
    try {
      const version = prepared(database, "PRAGMA data_version").get()?.["data_version"];
      if (version === this.#version) return [];
      this.#version = version;
      // Their clock is this one; what was written in the last milliseconds may have been committed since.
      const since = this.#foundAt - overlap;
      this.#foundAt = Date.now();
      return changedSince(database, since);
    } catch {
      // It is locked, or fails: those that wait look by themselves now and then.
      return [];
    }
  }

  #read<T>(work: (database: Database) => T): Promise<T> {
    return this.#turns.run(() => whenUnlocked(() => work(this.#open())));
  }

  async #change<T>(ids: readonly string[], work: (database: Database, now: number) => T): Promise<T> {
    const result = await this.#quietly(work);
    this.#watch.notify(ids);
    return result;
  }

  #quietly<T>(work: (database: Database, now: number) => T): Promise<T> {
    return this.#writes.add(work);
  }
}
