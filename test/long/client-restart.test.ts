/** A server is killed while its runs work, and started again: the client goes on, and its reader has the same in the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type RemoteEvent, type RemoteRun } from "skein/client";
import { afterAll, afterEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "skein-client-"));
const children = new Set<ChildProcess>();
let files = 0;

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server in a process of its own, over a file of its own. */
async function startServer(): Promise<{
  readonly url: string;
  /** Kills the process, and starts another one at the same address. */
  restart(word?: string): Promise<void>;
}> {
  const file = join(folder, `${(files += 1)}.db`);
  const start = async (port: string, word = "word"): Promise<readonly [ChildProcess, string]> => {
    const script = join(import.meta.dirname, "../client/server-process.ts");
    const source = join(import.meta.dirname, "../from-source.ts");
    const child = spawn(process.execPath, ["--import", source, script, port, file, word], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    children.add(child);
    const [address] = await once(child.stdout, "data");
    return [child, String(address)];
  };
  let [child, url] = await start("0");
  return {
    url,
    restart: async (word) => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      children.delete(child);
      [child] = await start(new URL(url).port, word);
    },
  };
}

/** What a reader has that forgets what a restarted turn says to forget. */
async function remaining(running: RemoteRun): Promise<readonly RemoteEvent[]> {
  let events: RemoteEvent[] = [];
  for await (const event of running) {
    if (event.type === "turn-restart") events = events.filter(({ index }) => index < event.from);
    events.push(event);
  }
  return events;
}

function textOf(events: readonly RemoteEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

const words = "word ".repeat(40);
const whole = `I look. I look. ${words}`;

test("killed in every stage of a run, the client's events, text and result are those of a run without kills", async () => {
  const { url, restart } = await startServer();
  const client = connect(url);
  const calm = client.stream("Reader", "Read!");
  expect(textOf(await Array.fromAsync(calm))).toBe(whole);
  let restarts = 0;
  for (const at of [0, 1, 4, 6, 9, 12, 14, 20, 30, 45]) {
    const running = client.stream("Reader", "Read!", { session: `session-${at}` });
    const [events, text] = [remaining(running), Array.fromAsync(running.text())];
    if (at > 0) {
      let count = 0;
      for await (const _ of running) if (++count >= at) break;
    }
    await restart();
    expect(textOf(await events)).toBe(whole);
    expect((await text).join("")).toBe(whole);
    expect(await running.result).toMatchObject({ status: "completed", text: words });
    restarts += (await Array.fromAsync(running)).filter(({ type }) => type === "turn-restart").length;
    const { messages } = await client.session(`session-${at}`);
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ]);
  }
  expect(restarts).toBeGreaterThan(0);
}, 600_000);

test("where the answer has other words after the restart, text() throws, and the result has them", async () => {
  const { url, restart } = await startServer();
  const running = connect(url).stream("Reader", "Read!");
  const events = remaining(running);
  const text = Array.fromAsync(running.text()).catch((error: unknown) => error);
  let pieces = 0;
  for await (const { type } of running) if (type === "text-delta" && ++pieces >= 10) break;
  await restart("other");
  const others = "other ".repeat(40);
  expect(await text).toMatchObject({ code: "turn-restart" });
  expect((await running.result).text).toBe(others);
  expect(textOf(await events)).toBe(`I look. I look. ${others}`);
  // Who comes now reads the words that count.
  expect((await Array.fromAsync(running.text())).join("")).toBe(`I look. I look. ${others}`);
}, 120_000);

test("a decision is made after a restart, and the run goes on over another one", async () => {
  const { url, restart } = await startServer();
  const running = connect(url).stream("Eraser", "Delete page 1!");
  const [call] = (await running.result).pending;
  await restart();
  const next = await running.decide([{ approvalId: call?.approvalId ?? "", decision: "approve" }]);
  for await (const { type } of next) if (type === "text-delta") break;
  await restart();
  expect(await next.result).toMatchObject({ status: "completed", text: "It is done." });
  const ends = (await Array.fromAsync(connect(url).follow(running.id))).filter(
    ({ type }) => type === "tool-end",
  );
  expect(ends).toHaveLength(1);
}, 120_000);
