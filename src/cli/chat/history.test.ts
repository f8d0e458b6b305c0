import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fileHistory, historyFile, memoryHistory, type History } from "./history.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-history-"));
  file = join(folder, "state", "chat-history");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

function opened(): History {
  return fileHistory(file, (error) => {
    throw error;
  });
}

test("what was typed is there the next time, the latest first, several lines in one", () => {
  const first = opened();
  for (const input of ["one", "two\nlines", "three"]) first.add(input);
  expect(opened().entries).toEqual(["three", "two\nlines", "one"]);
});

test("an input that was typed before moves to the front, and is kept once", () => {
  const first = opened();
  for (const input of ["one", "two", "one", "one"]) first.add(input);
  expect(first.entries).toEqual(["one", "two"]);
  expect(opened().entries).toEqual(["one", "two"]);
});

test("blank inputs, those behind a space and very long ones are not kept", () => {
  const history = opened();
  for (const input of ["", "  ", " secret", "x".repeat(10_001), "kept"]) history.add(input);
  expect(history.entries).toEqual(["kept"]);
});

test("a thousand inputs are kept, and the file is bounded too", async () => {
  const before = opened();
  for (let index = 0; index < 2500; index += 1) before.add(`input ${index}`);
  const { entries } = opened();
  expect(entries).toHaveLength(1000);
  expect([entries[0], entries[999]]).toEqual(["input 2499", "input 1500"]);
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(1001);
});

test.skipIf(process.platform === "win32")("creates a file that other users cannot read", async () => {
  opened().add("one");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("lines that are not inputs are left out", async () => {
  opened().add("one");
  await appendFile(file, '{"a":1}\nhalf "\n"two"\n');
  expect(opened().entries).toEqual(["two", "one"]);
});

test("reports an unusable file once, and keeps inputs until the end", async () => {
  await appendFile(join(folder, "state"), "a file, not a folder");
  const failures: unknown[] = [];
  const history = fileHistory(file, (error) => failures.push(error));
  history.add("one");
  history.add("two");
  expect(history.entries).toEqual(["two", "one"]);
  expect(failures).toHaveLength(1);
});

test("the file is where the user keeps the state of programs", () => {
  vi.stubEnv("XDG_STATE_HOME", "/somewhere");
  expect(historyFile()).toBe(join("/somewhere", "skein", "chat-history"));
  vi.stubEnv("XDG_STATE_HOME", "");
  expect(historyFile()).toContain(join("skein", "chat-history"));
});

test("a history without a file holds as much", () => {
  const history = memoryHistory();
  for (let index = 0; index < 1200; index += 1) history.add(String(index));
  expect(history.entries).toHaveLength(1000);
});
