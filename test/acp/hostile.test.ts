import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { fromSources, newProject } from "../skein-command.ts";
import { allow, cardsOf, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

/** A process that is spoken to line by line. */
function startLines(): {
  send(line: string): void;
  next(): Promise<unknown>;
  leave(): Promise<number | null>;
} {
  const child = spawn(process.execPath, [...fromSources, "acp", "agent.ts"], {
    cwd,
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, "close");
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    next: async () => JSON.parse(String((await lines.next()).value)),
    leave: async () => {
      child.stdin.end();
      await exited;
      return child.exitCode;
    },
  };
}

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';

test.each([
  ["not JSON", -32_700],
  ["[]", -32_600],
  ["17", -32_600],
  ['{"id":1}', undefined],
  ['{"jsonrpc":"2.0","id":1,"method":"session/prompt"}', -32_602],
  [
    '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"__proto__","prompt":[]}}',
    -32_002,
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"relative","mcpServers":[]}}', -32_602],
  ['{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":7}}', -32_602],
  ['{"jsonrpc":"2.0","id":1,"method":"no/such/method"}', -32_601],
  [
    '{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"x","cwd":"/","mcpServers":[]}}',
    -32_002,
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"session/set_mode","params":{"sessionId":"x","modeId":"y"}}', -32_002],
] as const)(
  "a line that cannot be answered is an error, and the next one is answered: %s",
  async (line, code) => {
    const lines = startLines();
    lines.send(initialize);
    await lines.next();
    lines.send(line);
    lines.send('{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}');
    const answers = [await lines.next(), ...(code === undefined ? [] : [await lines.next()])];
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, result: expect.anything() }));
    const errors = answers.flatMap((answer) => Object(answer).error?.code ?? []);
    expect(errors).toEqual(code === undefined ? [] : [code]);
    expect(await lines.leave()).toBe(0);
  },
);

test("nothing is answered before the connection is initialized", async () => {
  const lines = startLines();
  lines.send('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}');
  expect(await lines.next()).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
});

test("a prompt and its cancelling that come in one piece are taken in their order", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession();
  const prompt = JSON.stringify({
    jsonrpc: "2.0",
    id: "own",
    method: "session/prompt",
    params: { sessionId, prompt: [{ type: "text", text: "wait" }] },
  });
  const cancel = JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
  // A cancelling that overtakes the prompt is lost, and the session is busy for ever.
  editor.child.stdin?.write(`${cancel}\n${prompt}\n${cancel}\n`);
  await expect
    .poll(() => editor.prompt(sessionId, "hello").catch(() => undefined))
    .toEqual({ stopReason: "end_turn" });
});

test(
  "a message that is too long is answered with the limit, and a running turn of another session goes on",
  { timeout: 120_000 },
  async () => {
    const editor = await startEditor(["agent.ts"], { cwd });
    const [sessionId, other] = [await editor.newSession(), await editor.newSession()];
    const running = editor.prompt(other, "wait");
    await expect.poll(() => cardsOf(editor.updates(other)).size).toBe(1);
    await expect(editor.prompt(sessionId, "x".repeat(34 * 1024 * 1024))).rejects.toMatchObject({
      code: -32_600,
      message: expect.stringMatching(/^The message has \d{8} bytes\. At most 33554432 are read\./),
      data: { code: "message-too-large" },
    });
    await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
    expect(textOf(editor.updates(sessionId))).toBe("Heard 1: hello");
    await editor.agent.notify("session/cancel", { sessionId: other });
    await expect(running).resolves.toEqual({ stopReason: "cancelled" });
    expect(editor.stderr()).toContain("At most 33554432 are read");
    expect(await editor.leave()).toBe(0);
  },
);

test("a response that is too long ends its request, and is not answered", { timeout: 120_000 }, async () => {
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onPermission: () => ({ ...allow, _meta: { note: "x".repeat(34 * 1024 * 1024) } }),
  });
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).rejects.toMatchObject({
    message: expect.stringContaining("At most 33554432 are read"),
    data: { code: "permission-failed" },
  });
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test("a folder that is not there is an error that names it", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  for (const folder of [join(cwd, "none"), join(cwd, "agent.ts")])
    for (const setup of [{ cwd: folder }, { additionalDirectories: [folder] }])
      await expect(editor.newSession(setup)).rejects.toMatchObject({
        code: -32_602,
        message: `The folder ${JSON.stringify(folder)} is not there, or is not a folder. Open one that is.`,
      });
});
