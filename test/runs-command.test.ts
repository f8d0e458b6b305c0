import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Agent, tool } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { clerk } from "./durable/agents.ts";
import { newProject, skein } from "./skein-command.ts";

let folder: string;
const agent = clerk(() => "refunded", { approval: true });
const office = () => runs({ agents: [agent], store: sqliteStore(join(folder, "runs.db")) });

/** Lets the worker of another program execute what is due. */
async function work(): Promise<void> {
  const app = office();
  const stop = new AbortController();
  const working = app.work({ signal: stop.signal });
  await Promise.all((await app.list()).map(({ id }) => app.get(id).result()));
  stop.abort();
  await working;
  await app.close();
}

beforeAll(async () => {
  folder = await newProject();
  const app = office();
  await app.start(agent, "Refund it, please", { id: "order-7", session: "ann" });
  await app.start(agent, "Refund that", { id: "order-8" });
  await app.close();
  await work();
});

test("skein runs list, show and follow print what there is in the store", async () => {
  const list = await skein(["runs", "list", "--status", "paused"], folder);
  expect(list).toMatchObject({ code: 0, stderr: "" });
  expect(list.stdout).toMatch(/^paused {4}order-8 Clerk, .*\npaused {4}order-7 Clerk, in ann, /);
  const json: unknown = JSON.parse((await skein(["runs", "list", "--json"], folder)).stdout);
  expect(json).toMatchObject([
    { id: "order-8", status: "paused" },
    { id: "order-7", session: "ann" },
  ]);
  const show = await skein(["runs", "show", "order-7"], folder);
  expect(show.stdout).toContain(
    "user: Refund it, please\nClerk: Let me see.\nClerk calls refund(order: 7)\n",
  );
  expect(show.stdout).toMatch(/waits: refund\(order: 7\) {2}\[[0-9a-f]{64}\]\n$/);
  const follow = await skein(["runs", "follow", "order-7", "--after", "4"], folder);
  expect(follow.stdout).toMatch(/^5 Clerk: tool-start .*\n6 Clerk: approval-request /);
  const lines = (await skein(["runs", "follow", "order-7", "--json"], folder)).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ type: "run-end" }));
});

test("skein runs decide, cancel and retry change a run, and say what they did or why not", async () => {
  const before = await skein(["runs", "show", "order-7"], folder);
  const approval = /\[(?<id>[0-9a-f]{64})\]/.exec(before.stdout)?.groups?.id ?? "";
  expect(await skein(["runs", "decide", "order-7", "approve", approval.slice(0, 7)], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("or its first 8 characters and more. Waiting:\n  refund(order: 7)"),
  });
  const decided = await skein(["runs", "decide", "order-7", "approve", approval.slice(0, 8)], folder);
  expect(decided.stdout).toMatch(/^approved: refund\(order: 7\)/);
  expect(await skein(["runs", "resolve", "order-7", "parcel", '{"kg": 3'], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Expected JSON, or a text that does not begin with {, [ or ".'),
  });
  expect(await skein(["runs", "steer", "order-8", "By card."], folder)).toMatchObject({
    code: 0,
    stdout: "The run order-8 has the message.\n",
  });
  expect(await skein(["runs", "cancel", "order-8", "--reason", "No."], folder)).toMatchObject({
    code: 0,
    stdout: "The run order-8 is cancelled.\n",
  });
  await work();
  const { stdout } = await skein(["runs", "show", "order-7"], folder);
  expect(stdout).toContain("refund (success): refunded\nClerk: It is done.\n");
  expect(await skein(["runs", "decide", "order-7", "deny", approval], folder)).toMatchObject({
    code: 1,
    stderr: 'skein: No call of the run "order-7" waits for a decision.\n',
  });
  expect(await skein(["runs", "retry", "order-7"], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("only one that failed or is stuck"),
  });
  expect(await skein(["runs", "show", "order-9"], folder)).toMatchObject({
    code: 1,
    stderr: 'skein: The store does not have the run "order-9".\n',
  });
  expect(await skein(["runs", "list", "--store", "nowhere.db"], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The store "nowhere.db" does not exist.'),
  });
});

test("skein runs decide and resolve answer the calls of a detached agent one after the other", async () => {
  const ship = tool({
    name: "ship",
    input: { type: "object", properties: {} },
    execute: async (_, { waitFor }) => `shipped: ${String(await waitFor("parcel"))}`,
  });
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    approval: true,
    execute: ({ to }: { readonly to: string }) => `paid ${to}`,
  });
  const calls = [
    { toolName: "pay", arguments: { to: "Ada" } },
    { toolName: "pay", arguments: { to: "Bob" } },
    { toolName: "ship", arguments: {} },
  ];
  const once = (toolCalls: ScriptedToolCall[]): FunctionModel =>
    new FunctionModel(({ messages }) => (messages.length === 1 ? { toolCalls } : "Done."));
  const payer = new Agent({ name: "Payer", model: once(calls), tools: [pay, ship] });
  const desk = new Agent({
    name: "Desk",
    model: once([{ toolName: "payer", arguments: { input: "Pay." } }]),
    tools: [payer.asTool({ detached: true })],
  });
  const file = join(folder, "desk.db");
  const open = () => runs({ agents: [desk], store: sqliteStore(file) });
  const first = open();
  void first.work();
  const run = await first.start(desk, "Pay them.", { id: "order-1" });
  expect((await run.result()).status).toBe("paused");
  await first.close();
  const command = async (...words: string[]) => skein(["runs", ...words, "--store", "desk.db"], folder);
  const show = await command("show", "order-1");
  const approvals = [...show.stdout.matchAll(/waits: pay\(.*\[(?<id>[0-9a-f]{64})\]/g)];
  expect(approvals).toHaveLength(2);
  expect(show.stdout).toContain("for a result of parcel");
  for (const { groups } of approvals)
    expect(await command("decide", "order-1", "approve", groups?.id ?? "")).toMatchObject({ code: 0 });
  expect(await command("resolve", "order-1", "parcel", "8 kg")).toMatchObject({ code: 0 });
  expect((await command("show", "order-1")).stdout).not.toMatch(/waits: pay|parcel/);
  const second = open();
  void second.work();
  expect(await second.get("order-1").result({ until: "end" })).toMatchObject({ text: "Done." });
  await second.close();
});
