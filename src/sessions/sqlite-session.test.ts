import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { sqliteSession } from "./index.ts";
import { temporaryFolder } from "./test-stores.ts";

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
  const entry = {
    type: "message",
    sequence: 1,
    writer: "a",
    message: { role: "user", content: "Hi" },
  } as const;
  for (const session of sessions) await session.append([entry]);
  sessions[0].close();
  sessions[0].close();
  expect(await sessions[1].load()).toEqual({ entries: [entry] });
  expect(await sessions[0].load()).toEqual({ entries: [entry] });
  for (const session of sessions) session.close();
});
