/** What clients say again, or at the same moment as somebody else: with the official clients where they have the say in it. */
import { HttpAgent } from "@ag-ui/client";
import { Agent, tool } from "skein";
import { type DurableStore, sqliteStore } from "skein/durable";
import type { ServeOptions } from "skein/server";
import { FunctionModel } from "skein/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "./serving.ts";

type Json = Readonly<Record<string, unknown>>;

const input = { type: "object", properties: { to: { type: "string" } }, required: ["to"] } as const;

/** A desk that pays whom the user's last message names: those of one word at once, those behind "then" afterwards. */
function desk(paid: string[], approval = true): Agent {
  const pay = tool({
    name: "pay",
    approval,
    input,
    execute: ({ to }: { readonly to: string }) => {
      paid.push(to);
      return "paid";
    },
  });
  const model = new FunctionModel(({ messages }) => {
    const begin = messages.findLastIndex(({ role }) => role === "user");
    const [, names = ""] = /pay ([\w ,]+)/i.exec(JSON.stringify(messages[begin])) ?? [];
    const groups = names === "" ? [] : names.split(" then ").map((group) => group.split(" and "));
    const turns = messages.slice(begin).filter(({ role }) => role === "assistant").length;
    const users = messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
    return groups[turns]
      ? { toolCalls: groups[turns].map((to) => ({ toolName: "pay", arguments: { to } })) }
      : `I read: ${users.map(String).join(" | ")}`;
  });
  return new Agent({ name: "Desk", model, tools: [pay] });
}

async function send(url: string, body: Json, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function storeFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-repeated-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "runs.db");
}

/** Starts a task and answers it in words. @returns the states, and what the server said last. */
async function inWords(url: string, request: string, ...texts: readonly string[]) {
  const post = async (message: Json) =>
    send(`${url}/a2a/desk`, {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { role: "ROLE_USER", messageId: crypto.randomUUID(), ...message } },
    });
  const first = await post({ parts: [{ text: request }] });
  const { result } = JSON.parse(first.text);
  const answers: string[] = [];
  for (const text of texts) {
    const shortIds = [...(answers.at(-1) ?? first.text).matchAll(/pay \((\w{8})\)/g)].map(([, id]) => id);
    const words = text.replaceAll(/<(\d)>/g, (_, index: string) => shortIds[Number(index)] ?? "");
    answers.push((await post({ taskId: result.task.id, parts: [{ text: words }] })).text);
  }
  return answers;
}

test.each([
  "approve only Ann",
  "approve nothing",
  "approve Ann, deny Bob",
  "approve? no!",
  "approve: only Ann",
  "Approve it? Under no circumstances.",
  "approve\nNo, wait, deny",
  "deny only Bob, approve Ann",
  "do not approve",
  "approve 00000000",
])("over A2A, %j decides on nothing, and the answer says what to write", async (words) => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) }, { protocols: ["a2a"] });
  const [answer = ""] = await inWords(url, "Pay Ann and Bob", words);
  expect(answer).toMatch(/waits for decisions on pay \(\w{8}\), pay \(\w{8}\).*approve <id>/);
  expect(paid).toEqual([]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ["all at once", ["Approve!"], ["Ann", "Bob"]],
  ["none", [" deny: too much"], []],
  ["one by one", ["approve <1>", "deny <0>: never"], ["Bob"]],
])("over A2A, words decide on %s", async (_, words, expected) => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) }, { protocols: ["a2a"] });
  const answers = await inWords(url, "Pay Ann and Bob", ...words);
  expect(answers.at(-1)).toContain("TASK_STATE_COMPLETED");
  expect(paid).toEqual(expected);
});

test("over A2A, a word alone does not decide on what a task asks afterwards: two windows say it of the same call", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) }, { protocols: ["a2a"] });
  const [, second, third] = await inWords(url, "Pay Ann then Eve", "approve", "approve", "approve <0>");
  expect(second).toMatch(/waits for decisions on pay \(\w{8}\)/);
  expect(third).toContain("TASK_STATE_COMPLETED");
  expect(paid).toEqual(["Ann", "Eve"]);
});

test("over AG-UI, what was received is not read again with the next message, though its answer was lost", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid, false) });
  let losses = 1;
  const losing: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (losses === 0) return response;
    losses -= 1;
    await response.text();
    throw new TypeError("network error");
  };
  const agent = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t", fetch: losing });
  agent.addMessage({ id: "m1", role: "user", content: "Pay Ann" });
  await expect(agent.runAgent()).rejects.toThrow("network error");
  agent.addMessage({ id: "m2", role: "user", content: "Are you there?" });
  await agent.runAgent();
  expect(paid).toEqual(["Ann"]);
  expect(agent.messages.at(-1)?.content).toBe("I read: Pay Ann | Are you there?");
});

test("over A2A, a text of a million spaces is read at once", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) }, { protocols: ["a2a"] });
  const spaces = " ".repeat(1_000_000);
  const answers = await inWords(url, "Pay Ann", `approve${spaces}x`, `deny${spaces}x`, `deny:${spaces}`);
  for (const answer of answers) expect(answer).toMatch(/waits for decisions|TASK_STATE/);
  expect(paid).toEqual([]);
}, 20_000);

test("over AG-UI, more messages without an answer than anyone writes are refused", async () => {
  const { url } = await listening({ desk: desk([]) });
  const messages = Array.from({ length: 201 }, (_, id) => ({ id: `m${id}`, role: "user", content: "Hi" }));
  const body = { threadId: "t", runId: "r", messages, tools: [], context: [] };
  expect(await send(`${url}/ag-ui/desk`, body)).toMatchObject({
    status: 400,
    text: expect.stringContaining("at most 200"),
  });
});

test("over AG-UI, messages that were written together are all read, once", async () => {
  const { url } = await listening({ desk: desk([]) });
  const agent = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t" });
  agent.addMessage({ id: "m1", role: "user", content: "One" });
  agent.addMessage({ id: "m2", role: "user", content: "Two" });
  await agent.runAgent();
  expect(agent.messages.at(-1)?.content).toBe("I read: One | Two");
});

test("over AG-UI, a page that was loaded again does not send what it has read from the server", async () => {
  const { url } = await listening({ desk: desk([]) });
  const stopped = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t" });
  stopped.addMessage({ id: "m1", role: "user", content: "Pay Ann" });
  await stopped.runAgent({ runId: "r1" });
  expect((await send(`${url}/runs/r1/cancel`, {})).status).toBe(200);
  const { messages } = await (await fetch(`${url}/ag-ui/desk/t`)).json();
  // As where it was stopped before the first word.
  const initialMessages = messages.filter((each: { readonly role: string }) => each.role === "user");
  expect(initialMessages).toHaveLength(1);
  const page = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t", initialMessages });
  page.addMessage({ id: "m2", role: "user", content: "Never mind." });
  await page.runAgent();
  expect(page.messages.at(-1)?.content).toBe("I read: Pay Ann | Never mind.");
});

/** A store in which something happens just before a run is written that was cancelled. */
function beforeCancelling(store: DurableStore, happen: () => Promise<void>): DurableStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "update")
        return async (...args: Parameters<DurableStore["update"]>) => {
          if (args[2].status === "cancelled") await happen();
          return target.update(...args);
        };
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test.each<[NonNullable<ServeOptions["busy"]>, number]>([
  ["reject", 409],
  ["wait", 202],
  ["steer", 202],
])(
  "an approval that comes just before the run is given up for a message is carried out (busy: %j)",
  async (busy, expected) => {
    const paid: string[] = [];
    const decision = Promise.withResolvers<{ readonly status: number }>();
    let isDecided = false;
    const store = beforeCancelling(sqliteStore(await storeFile()), async () => {
      if (isDecided) return;
      isDecided = true;
      const { pending } = await (await fetch(`${url}/runs/r`)).json();
      const decisions = [{ approvalId: pending[0].approvalId, decision: "approve" }];
      decision.resolve(await send(`${url}/runs/r/decide`, { decisions }));
    });
    const { url } = await listening({ desk: desk(paid) }, { store, busy });
    await send(
      `${url}/runs/desk`,
      { id: "r", session: "s", input: "Pay Ann" },
      { accept: "text/event-stream" },
    );
    const message = await send(`${url}/runs/desk`, { session: "s", input: "Are you there?" });
    expect((await decision.promise).status).toBe(202);
    expect(message.status).toBe(expected);
    await expect.poll(async () => (await (await fetch(`${url}/runs/r`)).json()).status).toBe("completed");
    expect(paid).toEqual(["Ann"]);
  },
);

const user = { id: "u1", role: "user", parts: [{ type: "text", text: "Pay Ann" }] };

test("useChat's id stands for one text, unless it is edited, and its decisions are one however often they come", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) });
  const chat = `${url}/chat/desk`;
  await send(chat, { id: "c", messages: [user] });
  const other = { ...user, parts: [{ type: "text", text: "Pay Bob" }] };
  expect(await send(chat, { id: "c", messages: [other] })).toMatchObject({
    status: 422,
    text: expect.stringContaining("id-reused"),
  });
  const { messages } = await (await fetch(`${chat}/c`)).json();
  const answered = structuredClone(messages[1]);
  const part = answered.parts.find((each: Json) => each["approval"]);
  Object.assign(part, { state: "approval-responded", approval: { id: part.approval.id, approved: true } });
  const approve = { id: "c", messages: [user, answered] };
  const first = await send(chat, approve);
  const again = await Promise.all([send(chat, approve), send(chat, approve)]);
  expect(first.text).toContain("I read: Pay Ann");
  expect(again).toEqual([first, first]);
  expect(paid).toEqual(["Ann"]);
  const edited = await send(chat, { id: "c", messages: [other], messageId: "u1" });
  expect(edited.text).toContain("approval");
});

test("a decision that could not be carried out is delivered again, though it is the same", async () => {
  const paid: string[] = [];
  const file = await storeFile();
  const agent = desk(paid);
  const before = await listening({ desk: agent }, { store: sqliteStore(file) });
  await send(`${before.url}/chat/desk`, { id: "c", messages: [user] });
  const { messages } = await (await fetch(`${before.url}/chat/desk/c`)).json();
  const answered = structuredClone(messages[1]);
  const part = answered.parts.find((each: Json) => each["approval"]);
  Object.assign(part, { state: "approval-responded", approval: { id: part.approval.id, approved: true } });
  const approve = { id: "c", messages: [user, answered] };
  await before.server.close();
  // A build without the tool.
  const without = new Agent({ name: "Desk", model: new FunctionModel(() => "Nothing.") });
  const broken = await listening({ desk: without }, { store: sqliteStore(file) });
  const stuck = send(`${broken.url}/chat/desk`, approve);
  await expect
    .poll(async () => (await (await fetch(`${broken.url}/chat/desk/c`)).json()).isWorking)
    .toBe(false);
  await broken.server.close();
  await stuck;
  const { url } = await listening({ desk: agent }, { store: sqliteStore(file) });
  await send(`${url}/chat/desk`, approve);
  await expect.poll(() => paid).toEqual(["Ann"]);
});

test("AG-UI's decisions are one, whatever the run ids that they come with", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) });
  const agUi = `${url}/ag-ui/desk`;
  const body = { threadId: "t", state: {}, tools: [], context: [], forwardedProps: {} };
  const messages = [{ id: "m1", role: "user", content: "Pay Ann" }];
  const paused = await send(agUi, { ...body, messages, runId: "r1" });
  const [, interruptId] = /"interrupts":\[\{"id":"(\w+)"/.exec(paused.text) ?? [];
  const resume = [{ interruptId, status: "resolved", payload: { approved: true } }];
  const answers = [];
  for (const runId of ["r2", "r3", "r3"])
    answers.push(await send(agUi, { ...body, messages, runId, resume }));
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).toContain("I read: Pay Ann");
  }
  expect(paid).toEqual(["Ann"]);
});

test("an idempotency-key stands for one message of useChat and AG-UI, whatever its own id", async () => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid, false) });
  const bodies = {
    chat: (id: string, text: string) => ({
      id: "c",
      messages: [{ id, role: "user", parts: [{ type: "text", text }] }],
    }),
    "ag-ui": (id: string, text: string) => ({
      threadId: "t",
      runId: crypto.randomUUID(),
      messages: [{ id, role: "user", content: text }],
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
    }),
  };
  for (const [path, body] of Object.entries(bodies)) {
    const key = { "idempotency-key": `key of ${path}` };
    const one = await send(`${url}/${path}/desk`, body("m1", "Pay Ann"), key);
    const same = await send(`${url}/${path}/desk`, body("m2", "Pay Ann"), key);
    const other = await send(`${url}/${path}/desk`, body("m3", "Pay Bob"), key);
    expect([one.status, same.status, other.status]).toEqual([200, 200, 422]);
    expect(paid.splice(0)).toEqual(["Ann"]);
  }
});

test.each<[string, Json]>([
  ["decide", { arguments: { to: "Bob" } }],
  ["resolve", { decision: "approve" }],
  ["cancel", { why: "too much" }],
  ["steer", { text: "Wait" }],
])("POST /runs/<id>/%s refuses a field that it does not have", async (path, more) => {
  const paid: string[] = [];
  const { url } = await listening({ desk: desk(paid) });
  await send(`${url}/runs/desk`, { id: "r", input: "Pay Ann" }, { accept: "text/event-stream" });
  const { pending } = await (await fetch(`${url}/runs/r`)).json();
  const [{ approvalId }] = pending;
  const bodies: Readonly<Record<string, Json>> = {
    decide: { decisions: [{ approvalId, decision: "approve" }] },
    resolve: { toolCallId: "1", content: "" },
    steer: { message: "Hi" },
  };
  const refused = await send(`${url}/runs/r/${path}`, { ...bodies[path], ...more });
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("is unknown: the fields are") });
  expect(paid).toEqual([]);
});
