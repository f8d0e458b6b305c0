import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type {
  ContentBlock,
  ListSessionsRequest,
  ListSessionsResponse,
  McpServer,
  NewSessionResponse,
  PromptResponse,
} from "@agentclientprotocol/sdk";
import { sqliteSession } from "../../sessions/sqlite-session.ts";
import { choose, configOptionsOf, defaultChoice, modesOf, offeredChoice, type Offer } from "./choices.ts";
import type { Editor } from "./editor.ts";
import { invalidParams, invalidRequest, sessionNotFound } from "./refusal.ts";
import { serversOf } from "./servers.ts";
import { AcpSession } from "./session.ts";
import type { SessionRow, SessionTable } from "./session-table.ts";

/** What is served to the editor. */
export interface ServedAgents {
  readonly offer: Offer;
  readonly table: SessionTable;
  /** The database of the sessions: an absolute path, or `:memory:`. */
  readonly path: string;
  /** The context that conversations begin with. */
  readonly context: Readonly<Record<string, unknown>>;
  /** What the user should know before the first answer. */
  readonly notice?: string;
  /** Writes a line to the log. */
  readonly log: (message: string) => void;
}

/** What the editor says of a session's surroundings. */
export interface Setup {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** How often it is looked whether another process has deleted a session that answers, in milliseconds. */
const lookInterval = 1_000;

/** The sessions of a connection. */
export class AcpSessions {
  readonly #served: ServedAgents;
  readonly #open = new Map<string, AcpSession>();

  constructor(served: ServedAgents) {
    this.#served = served;
  }

  /** Begins a session. @throws Refusal for a folder that is not absolute, or not there. */
  async begin(setup: Setup, editorFor: (sessionId: string) => Editor): Promise<NewSessionResponse> {
    const roots = await rootsOf(setup);
    const row: SessionRow = {
      id: crypto.randomUUID(),
      cwd: setup.cwd,
      title: "",
      updated: Date.now(),
      lead: null,
      ...defaultChoice(this.#served.offer),
    };
    const session = await this.#connect(row, roots, setup, editorFor(row.id));
    return { sessionId: row.id, ...this.describe(session) };
  }

  /**
   * Opens a session that is stored.
   * @throws Refusal for one that is not there, or answers a prompt, and for a folder as {@link begin} does.
   */
  async load(sessionId: string, setup: Setup, editorFor: (sessionId: string) => Editor): Promise<AcpSession> {
    const roots = await rootsOf(setup);
    const row = await this.#served.table.get(sessionId);
    const before = this.#open.get(sessionId);
    if (!row) {
      if (before) await this.get(sessionId);
      throw sessionNotFound(sessionId);
    }
    if (before?.isBusy)
      throw invalidRequest("The session answers a prompt. Wait for its end, or cancel it.", "session-busy");
    await before?.close();
    const choice = offeredChoice(this.#served.offer, row);
    return this.#connect({ ...row, ...choice, cwd: setup.cwd }, roots, setup, editorFor(sessionId));
  }

  /** @throws Refusal for a session that is not open, or that another process has deleted: what it does is stopped then. */
  async get(sessionId: string): Promise<AcpSession> {
    const session = this.#opened(sessionId);
    if (!(await session.isDeleted())) return session;
    this.#open.delete(sessionId);
    await session.close();
    throw sessionNotFound(sessionId);
  }

  /**
   * Answers a message of the user.
   * @throws Refusal as {@link get} does, and for a run that fails.
   */
  async prompt(
    sessionId: string,
    blocks: readonly ContentBlock[],
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const looks = setInterval(() => void this.get(sessionId).catch(() => {}), lookInterval);
    try {
      // At once: what cancels it may come right behind it.
      return await this.#opened(sessionId).prompt(blocks, signal);
    } catch (error) {
      await this.get(sessionId);
      throw error;
    } finally {
      clearInterval(looks);
    }
  }

  /** Stops an answer; nothing happens where there is none. */
  cancel(sessionId: string): void {
    this.#open.get(sessionId)?.cancel();
  }

  /** What can be chosen in a session, and is. */
  describe({ choice }: AcpSession): Omit<NewSessionResponse, "sessionId"> {
    const { offer } = this.#served;
    const configOptions = configOptionsOf(offer, choice);
    return { ...modesOf(offer, choice), ...(configOptions.length > 0 && { configOptions }) };
  }

  /** Takes over what the user has chosen. @throws Refusal for what is not offered. */
  async choose(sessionId: string, option: string, value: unknown): Promise<AcpSession> {
    const session = await this.get(sessionId);
    await session.choose(choose(this.#served.offer, session.choice, option, value));
    return session;
  }

  /** The sessions that have messages. @throws Refusal for a cursor that is not of an earlier page. */
  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { rows, nextCursor } = await this.#served.table.list(cwd ?? undefined, cursor ?? undefined);
    const sessions = rows.map(({ id, cwd: folder, title, updated }) => ({
      sessionId: id,
      cwd: folder,
      title,
      updatedAt: new Date(updated).toISOString(),
    }));
    return { sessions, ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** Lets go of a session; what is stored of it stays. @throws Refusal for one that is not open. */
  async close(sessionId: string): Promise<void> {
    const session = await this.get(sessionId);
    this.#open.delete(sessionId);
    await session.close();
  }

  /** Forgets a session and its conversation. @throws Refusal for one that is not there. */
  async delete(sessionId: string): Promise<void> {
    const { table, path } = this.#served;
    const session = this.#open.has(sessionId) ? await this.get(sessionId) : undefined;
    if (!session && !(await table.get(sessionId))) throw sessionNotFound(sessionId);
    this.#open.delete(sessionId);
    await session?.close();
    // First, so that no run of another process begins in it once its messages are gone.
    await table.delete(sessionId);
    const store = sqliteSession(path, sessionId);
    await store.clear();
    store.close();
  }

  /** Stops everything. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((session) => session.close()));
    this.#open.clear();
    this.#served.table.close();
  }

  #opened(sessionId: string): AcpSession {
    const session = this.#open.get(sessionId);
    if (!session) throw sessionNotFound(sessionId);
    return session;
  }

  async #connect(
    row: SessionRow,
    roots: readonly string[],
    setup: Setup,
    editor: Editor,
  ): Promise<AcpSession> {
    const { offer, table, path, context, notice, log } = this.#served;
    const warnings: string[] = [];
    const leaveOut = (message: string): void => void warnings.push(message);
    const session = new AcpSession({
      row,
      roots,
      offer,
      table,
      context,
      editor,
      log,
      store: sqliteSession(path, row.id),
      servers: await serversOf(setup.mcpServers ?? [], roots, editor, leaveOut),
      warnings,
      ...(notice !== undefined && { notice }),
    });
    this.#open.set(row.id, session);
    return session;
  }
}

/** The folders of the project. @throws Refusal for one that cannot be. */
async function rootsOf({ cwd, additionalDirectories = [] }: Setup): Promise<readonly string[]> {
  const roots = [cwd, ...additionalDirectories];
  for (const folder of roots) {
    const name = JSON.stringify(folder.slice(0, 200));
    if (!isAbsolute(folder)) throw invalidParams(`The folder ${name} must be an absolute path.`);
    const stats = await stat(folder).catch(() => undefined);
    if (!stats?.isDirectory())
      throw invalidParams(`The folder ${name} is not there, or is not a folder. Open one that is.`);
  }
  return roots;
}
