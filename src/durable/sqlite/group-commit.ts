import { type Database, inTransaction } from "../../sessions/sqlite-database.ts";

/** What is done in a transaction. */
type Work<T> = (database: Database, now: number) => T;

interface Job {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How a job ended within a transaction that is not committed yet. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** The most jobs of one transaction. */
const mostJobs = 100;

/**
 * Does what comes at the same time in one transaction: to have it on the disk takes as long as all of the rest. Each job is done or
 * not done by itself.
 */
export class GroupCommit {
  readonly #whenUnlocked: <T>(work: (database: Database) => T) => Promise<T>;
  #jobs: Job[] = [];
  #isScheduled = false;

  /** @param whenUnlocked - Does something with the database, as soon as it is not locked. */
  constructor(whenUnlocked: <T>(work: (database: Database) => T) => Promise<T>) {
    this.#whenUnlocked = whenUnlocked;
  }

  /** Does something in a transaction. It is on the disk when the promise is fulfilled. */
  add<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is resolved with what this work returns
    this.#jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // After all that is ready to go on: that has something to write, too.
      setImmediate(() => void this.#flush());
    }
    return promise;
  }

  async #flush(): Promise<void> {
    this.#isScheduled = false;
    const jobs = this.#jobs.splice(0, mostJobs);
    if (this.#jobs.length > 0) {
      this.#isScheduled = true;
      setImmediate(() => void this.#flush());
    }
    try {
      const outcomes = await this.#whenUnlocked((database) =>
        inTransaction(database, () => perform(database, jobs)),
      );
      for (const [index, { resolve, reject }] of jobs.entries()) {
        const outcome = outcomes[index];
        if (outcome && "value" in outcome) resolve(outcome.value);
        else reject(outcome?.error);
      }
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }
}

function perform(database: Database, jobs: readonly Job[]): readonly Outcome[] {
  const now = Date.now();
  const [sole, second] = jobs;
  if (sole && !second) return [{ value: sole.work(database, now) }];
  return jobs.map(({ work }): Outcome => {
    database.exec("SAVEPOINT skein_job");
    try {
      const value = work(database, now);
      database.exec("RELEASE skein_job");
      return { value };
    } catch (error) {
      // Where the transaction is gone as a whole, such as after a full disk, this throws, and so do all jobs.
      database.exec("ROLLBACK TO skein_job; RELEASE skein_job");
      return { error };
    }
  });
}
