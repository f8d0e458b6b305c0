/** Sessions in files: torn by crashes, and shared by processes. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { Agent, run, type Session } from "skein";
import { fileSession, memorySession, readSession, sqliteSession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { temporaryFolder } from "../../src/sessions/test-stores.ts";

const folder = temporaryFolder();
const agent = new Agent({ name: "A", model: new FunctionModel(({ messages }) => `${messages.length}`) });

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a fixture in a process of its own. */
function start(fixture: string, ...args: readonly string[]) {
  const program = join(root, "test/fixtures", fixture);
  const options = ["--import", "./test/from-source.ts", program, ...args];
  return promisify(execFile)(process.execPath, options, { cwd: root });
}

const open = (kind: string, path: string, id: string): Session =>
  kind === "file" ? fileSession(path) : sqliteSession(path, id);

test.each(["file", "sqlite"])(
  "%s: two processes in one session lose nothing and mix nothing up",
  async (kind) => {
    const path = join(folder, `shared.${kind}`);
    const times = 25;
    const names = ["one", "two"];
    await Promise.all(names.map((name) => start("session-writer.ts", kind, path, name, `${times}`)));

    const session = open(kind, path, "shared");
    const { entries } = await session.load();
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    const { messages, warnings } = await readSession(session);
    expect(warnings).toEqual([]);
    const answers = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
    const heard = answers.map((part) => (part.type === "text" ? part.text : ""));
    for (const name of names)
      for (let round = 0; round < times; round++)
        expect(heard.filter((text) => text === `heard ${name} ${round}`)).toHaveLength(1);
    expect(await run(agent, "last", { session })).toMatchObject({ status: "completed" });
  },
);

test.each(["file", "sqlite"])(
  "%s: another process resumes after a kill during a batch of calls, and repeats no finished call",
  async (kind) => {
    const path = join(folder, `killed.${kind}`);
    const effects = join(folder, `effects.${kind}`);
    await expect(start("crashing-run.ts", kind, path, effects, "crash")).rejects.toMatchObject({
      signal: "SIGKILL",
    });
    const { state } = await readSession(open(kind, path, "a"));
    expect(state).toMatchObject({ status: "running", pending: [{ toolName: "crash" }] });
    const { stdout } = await start("crashing-run.ts", kind, path, effects);
    expect(stdout.trim()).toBe("All done.");
    expect((await readFile(effects, "utf8")).trim().split("\n").toSorted()).toEqual(["pay", "ship"]);
    const { messages } = await readSession(open(kind, path, "a"));
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "assistant",
    ]);
  },
);

test.each(["file", "sqlite"])(
  "%s: killed again and again, a run makes each of its calls, and repeats none with another key",
  { timeout: 300_000 },
  async (kind) => {
    const path = join(folder, `endless.${kind}`);
    const effects = join(folder, `endless-effects.${kind}`);
    let kills = 0;
    while ((await runUntilKilled([kind, path, effects])) === undefined) kills++;
    expect(kills).toBeGreaterThan(0);
    const keys = (await readFile(effects, "utf8")).trim().split("\n");
    expect(new Set(keys).size).toBe(30);
    // Of each process at most the call that was under way, whose result was not on the disk yet.
    expect(keys.length - 30).toBeLessThanOrEqual(kills);
    const { messages, state } = await readSession(open(kind, path, "a"));
    expect(state?.status).toBe("completed");
    expect(messages.filter(({ role }) => role === "tool")).toHaveLength(30);
  },
);

/** Runs the fixture `long-run.ts` for a few of its calls. Returns what it printed, if it came to its end. */
async function runUntilKilled(args: readonly string[]): Promise<string | undefined> {
  const program = join(root, "test/fixtures/long-run.ts");
  const child = spawn(process.execPath, ["--import", "./test/from-source.ts", program, ...args], {
    cwd: root,
  });
  let printed = "";
  const lastCalls = 3 + Math.random() * 12;
  child.stdout.on("data", (data: Buffer) => {
    printed += data.toString();
    if (printed.length >= lastCalls) setTimeout(() => child.kill("SIGKILL"), Math.random() * 3);
  });
  let problems = "";
  child.stderr.on("data", (data: Buffer) => (problems += data.toString()));
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL") return undefined;
  expect({ code, problems }).toEqual({ code: 0, problems: "" });
  return printed;
}

test("a file cut short anywhere by a crash is a shorter session, with a warning, and goes on", async () => {
  const whole = join(folder, "whole.jsonl");
  await run(agent, "one", { session: fileSession(whole) });
  await run(agent, "two 🪿", { session: fileSession(whole) });
  const bytes = await readFile(whole);
  const { entries } = await fileSession(whole).load();
  for (let length = 0; length <= bytes.length; length += 7) {
    const path = join(folder, "torn.jsonl");
    await writeFile(path, bytes.subarray(0, length));
    const session = fileSession(path);
    const torn = await session.load();
    expect(torn.entries).toEqual(entries.slice(0, torn.entries.length));
    // A line that lacks nothing but its end is used.
    const isWhole = length === 0 || bytes[length - 1] === 10 || bytes[length] === 10;
    expect(torn.warnings ?? []).toHaveLength(isWhole ? 0 : 1);

    const { warnings, text } = await run(agent, "three", { session });
    expect(warnings).toHaveLength(isWhole ? 0 : 1);
    const after = await readSession(fileSession(path));
    expect(after.warnings).toEqual([]);
    expect(after.messages.slice(-2)).toMatchObject([{ content: "three" }, { content: [{ text }] }]);
    expect((await run(agent, "four", { session })).warnings).toEqual([]);
  }
});

test("a file whose last line has no end is read whole, without a warning, and goes on", async () => {
  const path = join(folder, "endless-line.jsonl");
  await run(agent, "one", { session: fileSession(path) });
  const before = await fileSession(path).load();
  await writeFile(path, (await readFile(path, "utf8")).trimEnd());
  expect(await fileSession(path).load()).toEqual(before);
  const { warnings } = await run(agent, "two", { session: fileSession(path) });
  expect(warnings).toEqual([]);
  expect((await fileSession(path).load()).entries.slice(0, before.entries.length)).toEqual(before.entries);
});

test("a damaged line with others after it is an error that names it, never a gap", async () => {
  const path = join(folder, "damaged.jsonl");
  await run(agent, "one", { session: fileSession(path) });
  const lines = (await readFile(path, "utf8")).split("\n");
  await writeFile(path, [lines[0]?.slice(5), ...lines.slice(1)].join("\n"));
  await expect(fileSession(path).load()).rejects.toMatchObject({ code: "session-unreadable" });
  await writeFile(path, lines.slice(1).join("\n"));
  await expect(fileSession(path).load()).rejects.toThrow(/damaged\.jsonl cannot be read: line 1 /);
});

test.each([
  ["zeros", (line: string) => "\0".repeat(line.length)],
  ["a changed character", (line: string) => `${line.slice(0, -1)}x`],
  ["a changed character amid it", (line: string) => line.replace('"', "x")],
])("a last line of %s that was not cut is an error that names it", async (_, damage) => {
  const path = join(folder, "damaged-end.jsonl");
  await writeFile(path, "");
  await run(agent, "one", { session: fileSession(path) });
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const damaged = [...lines.slice(0, -1), damage(lines.at(-1) ?? "")].join("\n");
  await writeFile(path, `${damaged}\n`);
  await expect(run(agent, "two", { session: fileSession(path) })).rejects.toMatchObject({
    code: "session-unreadable",
    data: { line: lines.length },
  });
  expect(await readFile(path, "utf8")).toBe(`${damaged}\n`);
});

test("a file cut short by two crashes one after the other goes on", async () => {
  const path = join(folder, "torn-twice.jsonl");
  await run(agent, "one", { session: fileSession(path) });
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  const cut = (length: number): string => (lines.at(-1) ?? "").slice(0, length);
  await writeFile(path, [...lines.slice(0, -1), cut(30), cut(20)].join("\n"));
  expect(await run(agent, "two", { session: fileSession(path) })).toMatchObject({ status: "completed" });
  expect((await readSession(fileSession(path))).warnings).toEqual([]);
});

const hasModes = process.platform !== "win32";

test.runIf(hasModes)("the file is readable by its owner alone, and nothing is left beside it", async () => {
  const path = join(folder, "private", "a.jsonl");
  const session = fileSession(path);
  await run(agent, "secret", { session });
  expect((await stat(path)).mode & 0o077).toBe(0);
  await session.clear();
  expect(await readFile(path, "utf8")).not.toContain("secret");
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readdir(join(folder, "private"))).toEqual(["a.jsonl"]);
});

test("a database and the files beside it are readable by their owner alone", async () => {
  const path = join(folder, "private.db");
  const session = sqliteSession(path, "a");
  await run(agent, "secret", { session });
  for (const ending of ["", "-wal", "-shm"]) expect((await stat(path + ending)).mode & 0o077).toBe(0);
  session.close();
});

test.each([
  [{}, true],
  [{ synchronous: "full" }, true],
  [{ synchronous: "normal" }, false],
] as const)("what is written to a file with %j waits for the disk: %s", async (options, flush) => {
  const append = vi.spyOn(fs.promises, "appendFile");
  const write = vi.spyOn(fs.promises, "writeFile");
  const session = fileSession(join(folder, `flush-${flush}.jsonl`), options);
  await run(agent, "Hi", { session });
  await session.clear();
  expect(append).toHaveBeenCalled();
  expect(write).toHaveBeenCalledOnce();
  for (const [, , given] of [...append.mock.calls, ...write.mock.calls])
    expect(given).toMatchObject({ flush });
});

test("options of sessions that are unknown or wrong are typed errors", () => {
  const invalid = expect.objectContaining({ code: "invalid-option" });
  // @ts-expect-error -- there is no such option
  expect(() => fileSession("a", { wait: true })).toThrow(invalid);
  // @ts-expect-error -- neither of the two
  expect(() => sqliteSession("a", "b", { synchronous: "off" })).toThrow(/must be "full" or "normal"/);
  // @ts-expect-error -- neither of the two
  expect(() => memorySession({ busy: "queue" })).toThrow(/must be "reject" or "wait", not "queue"/);
});

test("a file that another process emptied is noticed", async () => {
  const path = join(folder, "emptied.jsonl");
  const session = fileSession(path);
  await run(agent, "one", { session });
  const { entries } = await session.load();
  await truncate(path);
  const next = entries.length + 1;
  const entry = { type: "step", key: "", value: 0, sequence: next, writer: "a" } as const;
  await expect(session.append([entry])).rejects.toMatchObject({ code: "session-conflict" });
  expect(await session.load()).toEqual({ entries: [] });
});

test.each(["file", "sqlite"])("%s: a history of 200,000 messages goes in and comes out", async (kind) => {
  const session = open(kind, join(folder, `large.${kind}`), "a");
  const history = Array.from({ length: 200_000 }, () => ({ role: "user", content: "hm" }) as const);
  await run(agent, history, { session });
  expect(await run(agent, "And?", { session })).toMatchObject({ text: "200002" });
});

test("many sessions share a database, and closing one leaves the others open", async () => {
  const path = join(folder, "many.db");
  const [ann, bob] = [sqliteSession(path, "ann"), sqliteSession(path, "bob")];
  await run(agent, "I am Ann", { session: ann });
  await run(agent, "I am Bob", { session: bob });
  await ann.clear();
  ann.close();
  ann.close();
  expect((await readSession(bob)).messages).toHaveLength(2);
  expect((await readSession(ann)).messages).toEqual([]);
  ann.close();
  bob.close();
  const again = sqliteSession(path, "bob");
  expect((await readSession(again)).messages).toHaveLength(2);
  again.close();
});

test("a store that cannot be used is a typed error that says why", async () => {
  const missing = sqliteSession(join(folder, "no", "such", "folder.db"), "a");
  await expect(run(agent, "x", { session: missing })).rejects.toMatchObject({
    code: "session-failed",
    message: expect.stringContaining("ENOENT"),
  });
  await expect(run(agent, "x", { session: fileSession(folder) })).rejects.toMatchObject({
    code: "session-failed",
    message: expect.stringContaining("EISDIR"),
  });
});
