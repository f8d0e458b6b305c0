/** A run that waits for approval outlives its process: the state is a file, and another process goes on with it. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** `program.ts start` or `program.ts decide <decision>`: the state is in `state.json`, payments are lines of `paid.txt`. */
const program = `
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, InvalidInputError, run, tool } from "skein";
import { FunctionModel } from "skein/testing";

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }) => {
    appendFileSync("paid.txt", amount + "\\n");
    return "paid " + amount;
  },
});
const model = new FunctionModel(({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "user") return { toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] };
  return last?.role === "tool" ? "The tool said: " + last.result.content[0].text : "?";
});
const agent = new Agent({ name: "Clerk", model, tools: [pay] });
const stateSecret = process.env.STATE_SECRET;
const options = stateSecret === undefined ? {} : { stateSecret };
const [, , command, decision] = process.argv;

if (command === "start") {
  const { status, state } = await run(agent, "Pay Ada", options);
  writeFileSync("state.json", JSON.stringify(state));
  console.log(process.pid, status);
} else {
  const state = JSON.parse(readFileSync("state.json", "utf8"));
  const approvals = state.approvals.map(({ approvalId }) => ({ approvalId, decision }));
  try {
    const { status, text } = await run(agent, state, { ...options, approvals });
    console.log(process.pid, status, text);
  } catch (error) {
    console.log(process.pid, error instanceof InvalidInputError, error.message);
  }
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-approval-"));
  await writeFile(join(folder, "program.ts"), program);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the program to its end in a process of its own. */
async function inProcess(secret: string | undefined, ...args: readonly string[]) {
  const { stdout } = await execute(
    process.execPath,
    ["--import", join(root, "test/from-source.ts"), "program.ts", ...args],
    {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", ...(secret !== undefined && { STATE_SECRET: secret }) },
    },
  );
  const [, pid, said] = /^(\d+) (.*)$/m.exec(stdout) ?? [];
  return { pid, said };
}

const paid = (): Promise<string> => readFile(join(folder, "paid.txt"), "utf8").catch(() => "");
const tamper = async (from: string, to: string): Promise<void> => {
  const file = join(folder, "state.json");
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replaceAll(from, to));
};

describe.each([
  ["without a secret", undefined],
  ["with a secret", "the secret of both processes"],
])("%s", { timeout: 60_000 }, (_, secret) => {
  beforeAll(() => rm(join(folder, "paid.txt"), { force: true }));

  test("another process finishes the run with the decision", async () => {
    const first = await inProcess(secret, "start");
    expect([first.said, await paid()]).toEqual(["paused", ""]);
    const second = await inProcess(secret, "decide", "approve");
    expect(second.pid).not.toBe(first.pid);
    expect([second.said, await paid()]).toEqual(["completed The tool said: paid 5", "5\n"]);
  });

  test("another process passes a denial to the model", async () => {
    const before = await paid();
    await inProcess(secret, "start");
    const { said } = await inProcess(secret, "decide", "deny");
    expect(said).toContain("completed The tool said: pay was not called");
    expect(await paid()).toBe(before);
  });

  test("a file in which an argument was changed is refused", async () => {
    const before = await paid();
    await inProcess(secret, "start");
    await tamper(String.raw`{\"amount\":5}`, String.raw`{\"amount\":5000}`);
    const { said } = await inProcess(secret, "decide", "approve");
    expect(said).toMatch(/^true The (state was changed|call ".*" of pay has changed)/);
    expect(await paid()).toBe(before);
  });
});

test(
  "a file that was signed is refused by a process with another secret or none",
  { timeout: 60_000 },
  async () => {
    const before = await paid();
    await inProcess("one secret", "start");
    expect((await inProcess("another", "decide", "approve")).said).toMatch(/^true .*another stateSecret/);
    expect((await inProcess(undefined, "decide", "approve")).said).toMatch(/^true The state is signed/);
    expect(await paid()).toBe(before);
  },
);
