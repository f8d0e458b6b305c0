/** A thousand readers of one run, a hundred of which read nothing: the others get all of it, and memory stays where it was. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TalkerMessage } from "../server/talker-program.ts";

const readers = 1_000;
const stalled = 100;

/** A program that sends messages, the next of which is waited for. */
function startTalker(): {
  readonly child: ChildProcess;
  readonly next: <K extends string>(key: K) => Promise<Record<K, number>>;
} {
  const root = join(import.meta.dirname, "../..");
  const child = fork(join(root, "test/server/talker-program.ts"), {
    execArgv: ["--expose-gc", "--import", join(root, "test/from-source.ts")],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const next = async <K extends string>(key: K): Promise<Record<K, number>> => {
    for (;;) {
      const [message] = await once(child, "message");
      if (Object.hasOwn(message, key)) return message;
    }
  };
  return { child, next };
}

async function follow(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write("GET /runs/talk/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return socket;
}

/** How much a reader gets, and whether it is all. */
async function drain(socket: Socket): Promise<string> {
  let bytes = 0;
  let end = "";
  const chunks: AsyncIterable<Buffer> = socket;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    end = (end + chunk.subarray(-1_000).toString()).slice(-1_000);
    if (end.endsWith("\r\n0\r\n\r\n")) break;
  }
  return `${bytes} ${/"type":"run-end".*"status":"completed"/.test(end)}`;
}

test("stalled readers hold up neither the run nor the others, nor memory", { timeout: 600_000 }, async () => {
  const { child, next } = startTalker();
  const { port } = await next("port");
  const halfway = next("isHalfway");
  await fetch(`http://127.0.0.1:${port}/runs/Talker`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: "Talk.", id: "talk" }),
  });
  await halfway;
  const sleepers: Socket[] = [];
  while (sleepers.length < stalled) sleepers.push((await follow(port)).pause());
  const others: Promise<string>[] = [];
  while (others.length < readers - stalled) others.push(drain(await follow(port)));
  const memory = async (message: string): Promise<Record<"megabytes", number> & Partial<TalkerMessage>> => {
    const answer = next("megabytes");
    child.send(message);
    return answer;
  };
  const before = await memory("memory");
  await memory("go on");
  const outcomes = new Set(await Promise.all(others));
  const after = await memory("memory");
  process.stdout.write(`${JSON.stringify({ before, after, outcomes: [...outcomes] })}\n`);
  expect([...outcomes]).toEqual([expect.stringMatching(/^[4-9]\d{6} true$/)]);
  // What the stalled have not read comes to 400 MB. What is kept for each of them is a buffer or two.
  expect(after.megabytes - before.megabytes).toBeLessThan(30);
  expect(new Set(await Promise.all(sleepers.map((socket) => drain(socket.resume()))))).toEqual(outcomes);
});
