/** Sessions of worlds: in memory, in files and in databases, which fail, and whose processes die. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session, SessionEntry } from "skein";
import { fileSession, memorySession, sqliteSession } from "skein/sessions";
import type { Scenario } from "./scenario.ts";
import type { Faults } from "./stores.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-worlds-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let worlds = 0;

/** The session of one world. Each process, and each run, opens it again. */
export class WorldSession {
  readonly #faults: Faults;
  readonly #store: Scenario["store"];
  readonly #busy: "wait" | "reject";
  readonly #name = `${(worlds += 1)}`;
  readonly #memory = memorySession();
  readonly #open: { close(): void }[] = [];
  #processes = 0;
  /** The last entry of a process that has died. */
  #last = 0;

  constructor(faults: Faults, { store, waits }: Pick<Scenario, "store" | "waits">) {
    this.#faults = faults;
    this.#store = store;
    this.#busy = waits ? "wait" : "reject";
  }

  /** Opens it, as each request of a program does. */
  open(): Session {
    const session = this.#opened();
    return {
      key: `world ${this.#name}/${this.#processes}`,
      busy: this.#busy,
      load: async () => {
        const { entries, ...rest } = await session.load();
        return { ...rest, entries: entries.map((entry) => this.#withoutClaim(entry)) };
      },
      append: async (added) => {
        await Promise.resolve();
        this.#meetBefore(added);
        await session.append(added);
        this.#faults.meet("append-after");
      },
      clear: () => session.clear(),
    };
  }

  /** What a process finds that begins after this one has died. */
  async entriesAfterDeath(): Promise<readonly SessionEntry[]> {
    const { entries } = await this.#opened().load();
    this.#last = entries.at(-1)?.sequence ?? 0;
    this.#processes++;
    return entries;
  }

  /** Lets go of its files. */
  remove(): void {
    for (const opened of this.#open.splice(0)) opened.close();
    rmSync(this.#path, { force: true });
  }

  get #path(): string {
    return join(folder, `${this.#name}.jsonl`);
  }

  #opened(): Session {
    if (this.#store === "file") return fileSession(this.#path, { synchronous: "normal" });
    if (this.#store === "memory") return this.#memory;
    const session = sqliteSession(join(folder, "all.db"), this.#name, { synchronous: "normal" });
    this.#open.push(session);
    return session;
  }

  /** A disk that is full, or a process that dies, leaves half a line. */
  #meetBefore(added: readonly SessionEntry[]): void {
    try {
      this.#faults.meet("append-before");
    } catch (error) {
      const line = JSON.stringify(added);
      const isHere = error instanceof Error && error.message.startsWith("FAULT");
      if (isHere && this.#store === "file")
        appendFileSync(this.#path, line.slice(0, line.length / 2), { mode: 0o600 });
      throw error;
    }
  }

  /** A claim of a process that has died does not hold. */
  #withoutClaim(entry: SessionEntry): SessionEntry {
    if (entry.type !== "claim" || entry.until === 0 || entry.sequence > this.#last) return entry;
    const { process: _, ...rest } = entry;
    return { ...rest, until: 1 };
  }
}
