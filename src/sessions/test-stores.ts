import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Session } from "../run/session/session.ts";
import { fileSession, memorySession, sqliteSession } from "./index.ts";

/** A folder that is gone after the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "skein-sessions-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The first entry of a conversation. */
export const firstEntry = {
  type: "message",
  sequence: 1,
  writer: "a",
  message: { role: "user", content: "Hi" },
} as const;

/** Every store by its name; each makes sessions that nothing is in yet. */
export function storesIn(folder: string): readonly (readonly [string, () => Session])[] {
  let made = 0;
  const next = (): string => `${(made += 1)}`;
  return [
    ["memorySession", memorySession],
    ["fileSession", () => fileSession(join(folder, "deep", "down", `${next()}.jsonl`))],
    ["sqliteSession", () => sqliteSession(join(folder, "all.db"), next())],
  ];
}
