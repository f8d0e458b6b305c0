import type { Session, SessionData, SessionEntry } from "../run/session/session.ts";
import { absolutePath } from "../base/util/absolute-path.ts";
import { ignoreFailure } from "../base/util/ignore-failure.ts";
import { Semaphore } from "../base/util/semaphore.ts";
import { assertText } from "./assert-text.ts";
import { builtin } from "./builtin.ts";
import { SessionConflictError } from "./errors.ts";
import { flushFolders } from "./flush-folder.ts";
import { isRepeated } from "./is-repeated.ts";
import { assertStoredOptions, type StoredSessionOptions } from "./options.ts";
import { lineOf, readLines, type SessionLines } from "./session-lines.ts";

/**
 * A session in a file of its own, on a local disk: each append is a line of JSON. The file is created at the first append,
 * readable by its owner alone. Processes may share it: each appends, and then checks whether another was first. A
 * relative path counts from the working directory of this moment. Node, Bun and Deno.
 * @throws ConfigurationError (`invalid-option`) without a path.
 */
export function fileSession(path: string, options: StoredSessionOptions = {}): Session {
  assertText(path, "path", 'fileSession("chat.jsonl")');
  assertStoredOptions(options, "fileSession()");
  return new FileSession(path, options);
}

class FileSession implements Session {
  readonly #path: string;
  /** The file's size when it was last read. */
  #size = 0;
  #last = 0;
  #isWhole = true;
  /** One after another: what one of them learns of the file must hold until it is done. */
  readonly #turns = new Semaphore(1);
  readonly #isFlushed: boolean;
  readonly busy: StoredSessionOptions["busy"];

  constructor(path: string, { busy, synchronous }: StoredSessionOptions) {
    this.#path = absolutePath(path);
    this.#isFlushed = synchronous !== "normal";
    this.busy = busy;
  }

  get key(): string {
    return `file:${this.#path}`;
  }

  get id(): string {
    return this.#path.replace(/^.*[/\\]/s, "").replace(/\.[^.]*$/, "");
  }

  load(): Promise<SessionData> {
    return this.#turns.run(() => this.#load());
  }

  append(entries: readonly SessionEntry[]): Promise<void> {
    return this.#turns.run(() => this.#append(entries));
  }

  clear(): Promise<void> {
    return this.#turns.run(() => this.#clear());
  }

  async #load(): Promise<SessionData> {
    const { entries, isCut } = await this.#read();
    const warning = `the last line of ${this.#path} was cut off, probably by a crash, and is ignored.`;
    return { entries, ...(isCut && { warnings: [warning] }) };
  }

  async #append(entries: readonly SessionEntry[]): Promise<void> {
    const [first] = entries;
    const line = lineOf(entries);
    if (first?.sequence !== this.#last + 1 || (await this.#sizeNow()) !== this.#size)
      if (await this.#isKept(entries)) return;
    const bytes = Buffer.from(this.#isWhole ? line : `\n${line}`);
    const expected = this.#size + bytes.length;
    await this.#write(bytes);
    if ((await this.#sizeNow()) === expected) {
      this.#size = expected;
      this.#last = entries.at(-1)?.sequence ?? this.#last;
      this.#isWhole = true;
    } else if (!(await this.#isKept(entries))) throw new SessionConflictError(first?.sequence ?? 0);
  }

  async #clear(): Promise<void> {
    const { promises } = builtin("node:fs", "fileSession");
    const { entries } = await this.#read();
    const writer = crypto.randomUUID();
    const emptied = `${this.#path}.${writer}`;
    const sequence = (entries.at(-1)?.sequence ?? 0) + 1;
    const created = await this.#makeFolder();
    try {
      const line = lineOf([{ type: "clear", sequence, writer }]);
      await promises.writeFile(emptied, line, { mode: 0o600, flush: this.#isFlushed });
      await promises.rename(emptied, this.#path);
    } catch (error) {
      await ignoreFailure(() => promises.rm(emptied, { force: true }));
      throw error;
    }
    await this.#flushFolder(created);
  }

  /** @throws SessionConflictError if another process has appended entries in their place. */
  async #isKept(entries: readonly SessionEntry[]): Promise<boolean> {
    const { entries: stored } = await this.#read();
    const first = stored[0]?.sequence ?? 1;
    return isRepeated(entries, this.#last, (sequence) => stored[sequence - first]?.writer, stored[0]);
  }

  async #read(): Promise<SessionLines> {
    const { promises } = builtin("node:fs", "fileSession");
    const bytes = await promises.readFile(this.#path).catch(unlessMissing);
    const lines = readLines(bytes?.toString("utf8") ?? "", this.#path);
    this.#size = bytes?.length ?? 0;
    this.#last = lines.entries.at(-1)?.sequence ?? 0;
    this.#isWhole = lines.isWhole;
    return lines;
  }

  async #sizeNow(): Promise<number> {
    const { promises } = builtin("node:fs", "fileSession");
    return (await promises.stat(this.#path).catch(unlessMissing))?.size ?? 0;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { promises } = builtin("node:fs", "fileSession");
    const isNew = this.#size === 0;
    const created = isNew ? await this.#makeFolder() : undefined;
    await promises.appendFile(this.#path, bytes, { mode: 0o600, flush: this.#isFlushed });
    if (isNew) await this.#flushFolder(created);
  }

  /** Returns the first folder that was missing, if one was. */
  async #makeFolder(): Promise<string | undefined> {
    const { promises } = builtin("node:fs", "fileSession");
    return promises.mkdir(this.#folder, { recursive: true });
  }

  async #flushFolder(created: string | undefined): Promise<void> {
    if (this.#isFlushed) await flushFolders(this.#folder, created);
  }

  get #folder(): string {
    return builtin("node:path", "fileSession").dirname(this.#path);
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
