/** Stores on a disk that fail, and what a run reports of it. */
import fs from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Agent, run, type Session, stream, tool } from "skein";
import { fileSession, memorySession, readSession, type SqliteSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { firstEntry, temporaryFolder } from "../../src/sessions/test-stores.ts";

const folder = temporaryFolder();
const agent = new Agent({ name: "A", model: new FunctionModel(({ messages }) => `${messages.length}`) });

afterEach(() => vi.restoreAllMocks());

test("a full disk under a database is the error, not the rollback that SQLite has done itself", async () => {
  const statements = vi.spyOn(DatabaseSync.prototype, "exec");
  const session = sqliteSession(join(folder, "full.db"), "a");
  await run(agent, "Hi", { session });
  const [database] = statements.mock.contexts;
  if (!(database instanceof DatabaseSync)) throw new Error("no database was opened");
  database.exec("PRAGMA max_page_count = 8");
  await expect(run(agent, "x".repeat(100_000), { session })).rejects.toMatchObject({
    code: "session-failed",
    message: "The session could not be written: database or disk is full",
  });
  database.exec("PRAGMA max_page_count = 100000");
  expect(await run(agent, "Again", { session })).toMatchObject({ status: "completed" });
  session.close();
});

test("a file that cannot be replaced is the error, not the cleanup that fails as well", async () => {
  const session = fileSession(join(folder, "replaced.jsonl"));
  await session.append([firstEntry]);
  vi.spyOn(fs.promises, "rename").mockRejectedValue(new Error("EIO: the disk is broken"));
  vi.spyOn(fs.promises, "rm").mockRejectedValue(new Error("EROFS: cannot remove"));
  await expect(session.clear()).rejects.toThrow("EIO: the disk is broken");
});

test("a store that cannot be read is a typed error of readSession, too", async () => {
  const path = join(folder, "notes.db");
  await writeFile(path, "These are notes, not a database.\n".repeat(100));
  await expect(readSession(sqliteSession(path, "a"))).rejects.toMatchObject({
    code: "session-failed",
    message: "The session could not be read: file is not a database",
    cause: expect.objectContaining({ message: "file is not a database" }),
  });
});

describe("a store that stops answering", () => {
  /** A session whose append number `hung` never settles, and what settles it after all. */
  const hanging = (hung: number): { session: Session; answer: () => void; appends: Promise<void> } => {
    const store = memorySession();
    const reached = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    let appends = 0;
    const append: Session["append"] = async (entries) => {
      if ((appends += 1) === hung) {
        reached.resolve();
        await late.promise;
      }
      await store.append(entries);
    };
    return { session: { ...store, append }, answer: late.resolve, appends: reached.promise };
  };
  const calling = new Agent({
    name: "A",
    tools: [tool({ name: "look", input: { type: "object", properties: {} }, execute: () => "seen" })],
    model: new FunctionModel(({ messages }) =>
      messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ toolName: "look" }] },
    ),
  });
  const unanswered = {
    code: "session-failed",
    message:
      "The session could not be written: its store did not answer within 5 seconds, and the run had to end. The last entries may or may not be stored. Read the session before you continue it.",
  };
  afterEach(() => vi.useRealTimers());

  /** What a run ends with; seconds pass at once. */
  const quickly = async (running: Promise<unknown>): Promise<unknown> => {
    const ended: unknown[] = [];
    running.then(
      (value) => ended.push(value),
      (error: unknown) => ended.push(error),
    );
    for (let times = 0; times < 100 && ended.length === 0; times++) await vi.advanceTimersByTimeAsync(100);
    return ended[0];
  };

  test.each([1, 2, 3, 4])("at append %i ends a cancelled run with a typed error", async (hung) => {
    const { session, appends } = hanging(hung);
    const running = stream(calling, "Hi", { session });
    let isRunning = true;
    const ended = running.result
      .catch((error: unknown) => error)
      .finally(() => {
        isRunning = false;
      });
    await appends;
    vi.useFakeTimers();
    running.cancel();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isRunning).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(await ended).toMatchObject(unanswered);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends a run with a timeout, and one with a signal that is aborted", async () => {
    const { session, appends } = hanging(2);
    const controller = new AbortController();
    const other = hanging(2);
    vi.useFakeTimers();
    const runs = [
      run(calling, "Hi", { session, timeout: 50 }),
      run(calling, "Hi", { session: other.session, signal: controller.signal }),
    ];
    await Promise.all([appends, other.appends]);
    controller.abort();
    expect(await quickly(Promise.allSettled(runs))).toMatchObject([
      { reason: unanswered },
      { reason: unanswered },
    ]);
  });

  test("but answers in time ends a cancelled run as any other", async () => {
    const { session, answer, appends } = hanging(2);
    const running = stream(calling, "Hi", { session });
    await appends;
    running.cancel();
    setTimeout(answer, 50);
    expect(await running.result).toMatchObject({ status: "cancelled" });
    expect((await readSession(session)).state).toMatchObject({ status: "cancelled" });
  });

  test("while the claim ends does not replace the error of the run", async () => {
    const store = memorySession();
    const session: Session = {
      ...store,
      append: (entries) =>
        entries.some((each) => each.type === "claim" && each.until === 0)
          ? new Promise(() => {})
          : store.append(entries),
    };
    const request = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<string>();
    const model = new FunctionModel(() => {
      request.resolve();
      return answered.promise;
    });
    const warnings: string[] = [];
    const running = run(new Agent({ name: "A", model }), "Hi", {
      session,
      onEvent: (event) => event.type === "warning" && warnings.push(event.message),
    });
    await request.promise;
    vi.useFakeTimers();
    answered.reject(new Error("no model"));
    const error = await quickly(running);
    expect(error).toMatchObject({ message: expect.stringContaining("no model") });
    expect(warnings).toEqual([expect.stringContaining("its store did not answer within 5 seconds")]);
  });
});

describe("a run that has lost its session", () => {
  /** Two calls at once: one until it is let go, the other one until its signal is aborted. */
  const underWay = (session: Session) => {
    const start = Promise.withResolvers<void>();
    const first = Promise.withResolvers<string>();
    const aborted = Promise.withResolvers<unknown>();
    const input = { type: "object", properties: {} } as const;
    const quick = tool({ name: "quick", input, execute: () => first.promise });
    const slow = tool({
      name: "slow",
      input,
      execute: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        start.resolve();
        return aborted.promise;
      },
    });
    const model = new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: ["quick", "slow"].map((toolName) => ({ toolName, arguments: {} })) }
        : "Done.",
    );
    const result = run(new Agent({ name: "A", model, tools: [quick, slow] }), "Go", { session });
    // Its end is looked at later.
    result.catch(() => {});
    return { result, isUnderWay: start.promise, endFirst: () => first.resolve("ok"), letGo: aborted.resolve };
  };
  const lost = { code: "session-conflict", state: { messages: expect.arrayContaining([]) } };

  afterEach(() => void vi.useRealTimers());

  test.each(["memory", "file", "sqlite"])("%s: is stopped when it renews its claim", async (kind) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const open = (): Session =>
      kind === "file" ? fileSession(join(folder, "lost.jsonl")) : sqliteSession(join(folder, "lost.db"), "a");
    const session = kind === "memory" ? memorySession() : open();
    const { result, isUnderWay } = underWay(session);
    await isUnderWay;
    await (kind === "memory" ? session : open()).clear();
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(result).rejects.toMatchObject(lost);
  });

  test("is stopped then also if it has noticed before, when a call had ended", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const store = memorySession();
    const refused = Promise.withResolvers<void>();
    const append: Session["append"] = (entries) =>
      store.append(entries).catch((error: unknown) => {
        refused.resolve();
        throw error;
      });
    const { result, isUnderWay, endFirst } = underWay({ ...store, append });
    await isUnderWay;
    await store.clear();
    endFirst();
    await refused.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(result).rejects.toMatchObject(lost);
  });

  test("that has not lost it, but could not renew its claim, brings its calls to their ends", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const store = memorySession();
    let isAway = false;
    const append: Session["append"] = async (entries) => {
      if (isAway) throw new Error("away");
      await store.append(entries);
    };
    const { result, isUnderWay, endFirst, letGo } = underWay({ ...store, append });
    await isUnderWay;
    isAway = true;
    await vi.advanceTimersByTimeAsync(10_000);
    isAway = false;
    endFirst();
    letGo("by itself");
    const contents = ["ok", "by itself"].map((text) => ({
      role: "tool",
      result: expect.objectContaining({ content: [{ type: "text", text }] }),
    }));
    await expect(result).rejects.toMatchObject({
      code: "session-failed",
      state: { messages: expect.arrayContaining(contents) },
    });
  });
});

describe("a working directory that changes", () => {
  const start = process.cwd();
  afterEach(() => process.chdir(start));

  test.each(["file", "sqlite"])("%s: does not move a session with a relative path", async (kind) => {
    const place = join(folder, `moving-${kind}`);
    await mkdir(join(place, "project"), { recursive: true });
    const open = (): Session & Partial<SqliteSession> =>
      kind === "file" ? fileSession("chat") : sqliteSession("chat", "a");
    const changeFolder = tool({
      name: "cd",
      input: { type: "object", properties: {} },
      execute: () => process.chdir(join(place, "project")),
    });
    const model = new FunctionModel(({ messages }) =>
      messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ toolName: "cd" }] },
    );
    process.chdir(place);
    const session = open();
    const moving = new Agent({ name: "A", tools: [changeFolder], model });
    expect(await run(moving, "Go to the project", { session })).toMatchObject({ text: "Done." });
    expect((await readSession(session)).messages).toHaveLength(4);
    // Another one that is opened here is another one.
    const other = open();
    expect((await readSession(other)).messages).toEqual([]);
    expect(other.key).not.toBe(session.key);
    for (const each of [session, other]) each.close?.();
    expect(fs.existsSync(join(place, "chat"))).toBe(true);
  });
});

describe.runIf(process.platform !== "win32")("the folder of a new session file", () => {
  const flushedFolders = async (work: () => Promise<void>): Promise<string[]> => {
    const flushed: string[] = [];
    const { open } = fs.promises;
    vi.spyOn(fs.promises, "open").mockImplementation(async (path, ...rest) => {
      const handle = await open(path, ...rest);
      const sync = handle.sync.bind(handle);
      handle.sync = () => sync().then(() => void flushed.push(relative(folder, String(path))));
      return handle;
    });
    await work();
    vi.restoreAllMocks();
    return flushed;
  };

  test("is flushed once, with each folder that is new as well", async () => {
    const session = fileSession(join(folder, "deep", "down", "chat.jsonl"));
    const flushed = await flushedFolders(async () => {
      await session.append([firstEntry]);
      await session.append([{ ...firstEntry, sequence: 2 }]);
    });
    expect(flushed).toEqual([join("deep", "down"), "deep", ""]);
    expect(await flushedFolders(() => session.clear())).toEqual([join("deep", "down")]);
  });

  test("is left to the operating system with synchronous: normal", async () => {
    const session = fileSession(join(folder, "normal.jsonl"), { synchronous: "normal" });
    expect(await flushedFolders(() => session.append([firstEntry]))).toEqual([]);
  });

  test.each(["EINVAL", "EACCES"])("that refuses with %s is left as it is", async (code) => {
    const path = join(folder, code, "chat.jsonl");
    await mkdir(dirname(path));
    vi.spyOn(fs.promises, "open").mockRejectedValue(Object.assign(new Error(code), { code }));
    const session = fileSession(path);
    await session.append([firstEntry]);
    expect((await session.load()).entries).toEqual([firstEntry]);
  });

  test("that fails with another error fails the append", async () => {
    vi.spyOn(fs.promises, "open").mockRejectedValue(Object.assign(new Error("EIO"), { code: "EIO" }));
    await expect(fileSession(join(folder, "broken.jsonl")).append([firstEntry])).rejects.toThrow("EIO");
  });
});
