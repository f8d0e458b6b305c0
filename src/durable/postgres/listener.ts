import { unref } from "../../base/util/unref.ts";
import type { ChangeListener } from "../store.ts";
import type { PgClient, PgPool } from "./pool.ts";

/** The channel on which changes of runs are reported. */
export const channel = "skein_runs";

/** How long to wait before the connection is opened again, in milliseconds. */
const pause = 500;

/** Listens for changes with a connection of its own, as long as anything waits for one; once it was closed, for what comes then. */
export class Listener {
  readonly #pool: () => Promise<PgPool>;
  readonly #listeners = new Set<ChangeListener>();
  #client: PgClient | undefined;
  #isConnecting = false;
  /** How often it was closed: what was being opened by then is given up. */
  #closings = 0;

  constructor(pool: () => Promise<PgPool>) {
    this.#pool = pool;
  }

  add(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    this.#connect();
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#closings++;
    this.#isConnecting = false;
    this.#client?.release(true);
    this.#client = undefined;
  }

  #connect(): void {
    if (this.#client || this.#isConnecting) return;
    this.#isConnecting = true;
    const closings = this.#closings;
    this.#listen(closings).then(
      () => this.#endConnecting(closings),
      () => {
        this.#endConnecting(closings);
        this.#connectLater(closings);
      },
    );
  }

  #endConnecting(closings: number): void {
    if (closings === this.#closings) this.#isConnecting = false;
  }

  async #listen(closings: number): Promise<void> {
    const pool = await this.#pool();
    const client = await pool.connect();
    let failure: Error | undefined;
    client.on("notification", ({ payload }) => this.#notify(payload));
    client.on("error", (error) => {
      failure = error;
      if (this.#client === client) this.#giveUp(client, error);
    });
    try {
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (closings !== this.#closings || failure) {
      client.release(true);
      if (failure) throw failure;
      return;
    }
    this.#client = client;
    // What has changed before this was reported to no one.
    this.#notify(undefined);
  }

  #giveUp(client: PgClient, error: Error): void {
    this.#client = undefined;
    client.release(error);
    this.#connectLater(this.#closings);
  }

  #connectLater(closings: number): void {
    const isWanted = (): boolean => closings === this.#closings && this.#listeners.size > 0;
    unref(setTimeout(() => isWanted() && this.#connect(), pause));
  }

  #notify(id: string | undefined): void {
    for (const listener of this.#listeners) listener(id);
  }
}

/** Reports changes to those that listen, once the transaction is committed. */
export async function notify(client: PgClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await client.query("SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id", [channel, ids]);
}
