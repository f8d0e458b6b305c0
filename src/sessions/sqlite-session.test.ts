import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { sqliteSession } from "./index.ts";
import { firstEntry, temporaryFolder } from "./test-stores.ts";

const folder = temporaryFolder();

test("a file that is not a database fails each time it is opened, until it is replaced, and is closed each time", async () => {
  const path = join(folder, "notes.db");
  writeFileSync(path, "These are notes, not a database.\n".repeat(100));
  const closing = vi.spyOn(DatabaseSync.prototype, "close");
  const session = sqliteSession(path, "chat-1");
  for (let times = 0; times < 3; times++)
    await expect(session.load()).rejects.toThrow("file is not a database");
  await expect(sqliteSession(path, "chat-2").load()).rejects.toThrow("file is not a database");
  expect(closing).toHaveBeenCalledTimes(4);
  writeFileSync(path, "");
  expect(await session.load()).toEqual({ entries: [] });
  session.close();
});

test("a database stays open until all its sessions are closed, and a closed session opens it again", async () => {
  const path = join(folder, "shared.db");
  const sessions = [sqliteSession(path, "chat-1"), sqliteSession(path, "chat-2")] as const;
  for (const session of sessions) await session.append([firstEntry]);
  sessions[0].close();
  sessions[0].close();
  expect(await sessions[1].load()).toEqual({ entries: [firstEntry] });
  expect(await sessions[0].load()).toEqual({ entries: [firstEntry] });
  for (const session of sessions) session.close();
});

test("a database that another connection writes to is waited for while everything else goes on", async () => {
  const path = join(folder, "locked.db");
  const session = sqliteSession(path, "chat-1");
  await session.append([]);
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  setTimeout(() => other.exec("COMMIT"), 300);
  const entry = (sequence: number) => ({ type: "step", key: "", value: 0, sequence, writer: "a" }) as const;
  // The second must not overtake the first.
  await Promise.all([session.append([entry(1)]), session.append([entry(2)])]);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(10);
  expect((await session.load()).entries).toEqual([entry(1), entry(2)]);
  session.close();
  other.close();
});

test("a database that is locked while it is opened is waited for, and after 5 seconds that is an error", async () => {
  const path = join(folder, "locked-at-once.db");
  const other = new DatabaseSync(path);
  other.exec("BEGIN EXCLUSIVE");
  const session = sqliteSession(path, "chat-1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const opening = session.load().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await opening).toMatchObject({ message: expect.stringContaining("locked") });
  } finally {
    vi.useRealTimers();
  }
  setTimeout(() => other.exec("COMMIT"), 50);
  expect(await session.load()).toEqual({ entries: [] });
  session.close();
  other.close();
});

test.each([
  [{}, "FULL"],
  [{ synchronous: "full" }, "FULL"],
  [{ synchronous: "normal" }, "NORMAL"],
] as const)("a database opened with %j has synchronous = %s", async (options, mode) => {
  const statements = vi.spyOn(DatabaseSync.prototype, "exec");
  const session = sqliteSession(join(folder, `${JSON.stringify(options).length}.db`), "a", options);
  await session.load();
  session.close();
  const pragmas = statements.mock.calls.flatMap(([sql]) => /synchronous = (\w+)/.exec(sql)?.[1] ?? []);
  expect(pragmas).toEqual([mode]);
});

test("a database that two sessions share is as safe as the safer one asks", async () => {
  const path = join(folder, "safer.db");
  const fast = sqliteSession(path, "a", { synchronous: "normal" });
  const safe = sqliteSession(path, "b");
  await fast.load();
  const statements = vi.spyOn(DatabaseSync.prototype, "exec");
  await safe.load();
  expect(statements).toHaveBeenCalledWith("PRAGMA synchronous = FULL");
  for (const session of [fast, safe]) session.close();
});

/** Where a text is in the files of a database. */
const filesWith = (path: string, text: string): readonly string[] =>
  ["", "-wal", "-shm"].filter((end) => existsSync(path + end) && readFileSync(path + end).includes(text));

test.each([1, 100, 100_000])(
  "what is cleared is gone from the files of the database, in entries of %d characters",
  async (length) => {
    const path = join(folder, `cleared-${length}.db`);
    const session = sqliteSession(path, "chat-1");
    const other = sqliteSession(path, "chat-2");
    const entry = (sequence: number, text: string) =>
      ({
        type: "step",
        key: "",
        value: `${text}-${sequence}-${"x".repeat(length)}`,
        sequence,
        writer: "a",
      }) as const;
    for (let sequence = 1; sequence <= 30; sequence++) {
      await session.append([entry(sequence, "secret-text")]);
      await other.append([entry(sequence, "other-text")]);
    }
    expect(filesWith(path, "secret-text")).not.toEqual([]);
    await session.clear();
    expect(filesWith(path, "secret-text")).toEqual([]);
    expect((await session.load()).entries).toMatchObject([{ type: "clear", sequence: 31 }]);
    expect((await other.load()).entries).toHaveLength(30);
    session.close();
    other.close();
    expect(filesWith(path, "secret-text")).toEqual([]);
  },
);

test("clearing waits for another process that reads, since it still needs the texts", async () => {
  const path = join(folder, "read-meanwhile.db");
  const session = sqliteSession(path, "chat-1");
  await session.append([{ type: "step", key: "", value: "secret-text", sequence: 1, writer: "a" }]);
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN; SELECT count(*) FROM skein_entries");
  setTimeout(() => reader.exec("COMMIT"), 200);
  await session.clear();
  expect(filesWith(path, "secret-text")).toEqual([]);
  expect((await session.load()).entries).toMatchObject([{ type: "clear", sequence: 2 }]);
  session.close();
  reader.close();
});
