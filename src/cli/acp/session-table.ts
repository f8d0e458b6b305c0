import type { Database } from "../../sessions/sqlite-database.ts";
import { openDatabase, releaseDatabase, whenUnlocked } from "../../sessions/sqlite-database.ts";
import { invalidParams, sessionNotFound } from "./refusal.ts";

/** What is kept of a session besides its conversation. */
export interface SessionRow {
  readonly id: string;
  /** The folder of the project. */
  readonly cwd: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updated: number;
  /** The export of the agent that was chosen, or that has the lead since. */
  readonly agent: string;
  /** The name of the agent that the next message goes to, where the user has chosen another one since the last. */
  readonly lead: string | null;
  /** The model that was chosen; `null` for the agent's own. */
  readonly model: string | null;
}

/** A page of sessions. */
export interface SessionPage {
  readonly rows: readonly SessionRow[];
  readonly nextCursor?: string;
}

/** How many sessions a page has. */
const pageSize = 50;

const createTable =
  "CREATE TABLE IF NOT EXISTS skein_acp_sessions (id TEXT PRIMARY KEY, file TEXT NOT NULL, cwd TEXT NOT NULL, " +
  "title TEXT NOT NULL, updated INTEGER NOT NULL, agent TEXT NOT NULL, lead TEXT, model TEXT) STRICT";

/** The sessions of an agent's file. Their conversations are in the same database. */
export class SessionTable {
  readonly #path: string;
  readonly #file: string;
  readonly #database: Database;

  private constructor(path: string, file: string, database: Database) {
    this.#path = path;
    this.#file = file;
    this.#database = database;
  }

  /**
   * Opens the table.
   * @param path - Of the database: an absolute path, or `:memory:`.
   * @param file - The file of the agent, whose sessions alone are seen.
   */
  static async open(path: string, file: string): Promise<SessionTable> {
    const database = await whenUnlocked(() => openDatabase(path, "full"));
    await whenUnlocked(() => database.exec(createTable));
    return new SessionTable(path, file, database);
  }

  /** Adds a session. */
  async add({ id, cwd, title, updated, agent, lead, model }: SessionRow): Promise<void> {
    const sql =
      "INSERT INTO skein_acp_sessions (id, file, cwd, title, updated, agent, lead, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    await whenUnlocked(() =>
      this.#database.prepare(sql).run(id, this.#file, cwd, title, updated, agent, lead, model),
    );
  }

  /**
   * Replaces what is kept of a session.
   * @throws Refusal for one that was deleted, by another process too: nothing of it is kept again.
   */
  async update({ id, cwd, title, updated, agent, lead, model }: SessionRow): Promise<void> {
    const sql =
      "UPDATE skein_acp_sessions SET cwd = ?, title = ?, updated = ?, agent = ?, lead = ?, model = ? WHERE id = ? AND file = ?";
    const { changes } = await whenUnlocked(() =>
      this.#database.prepare(sql).run(cwd, title, updated, agent, lead, model, id, this.#file),
    );
    if (Number(changes) === 0) throw sessionNotFound(id);
  }

  async get(id: string): Promise<SessionRow | undefined> {
    const sql = "SELECT * FROM skein_acp_sessions WHERE id = ? AND file = ?";
    const row = await whenUnlocked(() => this.#database.prepare(sql).get(id, this.#file));
    return row && toRow(row);
  }

  async delete(id: string): Promise<void> {
    const sql = "DELETE FROM skein_acp_sessions WHERE id = ? AND file = ?";
    await whenUnlocked(() => this.#database.prepare(sql).run(id, this.#file));
  }

  /**
   * The sessions of a folder, or all, the latest first.
   * @throws Refusal for a cursor that is not of an earlier page.
   */
  async list(cwd: string | undefined, cursor: string | undefined): Promise<SessionPage> {
    const [updated, id] = cursor === undefined ? [Number.MAX_SAFE_INTEGER, ""] : readCursor(cursor);
    const sql =
      "SELECT * FROM skein_acp_sessions WHERE file = ?1 AND (?2 IS NULL OR cwd = ?2) AND (updated < ?3 OR (updated = ?3 AND id > ?4)) " +
      `ORDER BY updated DESC, id LIMIT ${pageSize + 1}`;
    const matches = await whenUnlocked(() =>
      this.#database.prepare(sql).all(this.#file, cwd ?? null, updated, id),
    );
    const rows = matches.slice(0, pageSize).map(toRow);
    const last = rows.at(-1);
    return { rows, ...(last && matches.length > pageSize && { nextCursor: `${last.updated}:${last.id}` }) };
  }

  /** Closes the database, unless conversations in it are open. */
  close(): void {
    releaseDatabase(this.#path);
  }
}

function toRow(row: Readonly<Record<string, unknown>>): SessionRow {
  const { id, cwd, title, updated, agent, lead, model } = row;
  return {
    id: String(id),
    cwd: String(cwd),
    title: String(title),
    updated: Number(updated),
    agent: String(agent),
    lead: typeof lead === "string" ? lead : null,
    model: typeof model === "string" ? model : null,
  };
}

function readCursor(cursor: string): readonly [number, string] {
  const [, updated, id] = /^(\d{1,15}):([\w-]{1,100})$/.exec(cursor) ?? [];
  if (updated === undefined || id === undefined)
    throw invalidParams("The cursor is not one of an earlier page. Leave it out for the first page.");
  return [Number(updated), id];
}
