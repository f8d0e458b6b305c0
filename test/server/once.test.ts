import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, tool } from "skein";
import { sqliteStore } from "skein/durable";
import type { ServeOptions } from "skein/server";
import { FunctionModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { eventsOf, listening, outcome } from "./serving.ts";

type Headers = Readonly<Record<string, string>>;

const order = { type: "object", properties: { order: { type: "number" } }, required: ["order"] } as const;

/** A desk that pays orders one after the other, as many as the user's last message has exclamation marks. */
function desk(paid: number[], approval: boolean, work: () => Promise<void> = async () => {}): Agent {
  const pay = tool({
    name: "pay",
    approval,
    input: order,
    execute: async (call: { readonly order: number }) => {
      paid.push(call.order);
      await work();
      return "paid";
    },
  });
  const model = new FunctionModel(({ messages }) => {
    const begin = messages.findLastIndex(
      ({ role, ...rest }) => role === "user" && JSON.stringify(rest).includes("!"),
    );
    const wanted = JSON.stringify(messages[begin] ?? "").split("!").length - 1;
    const count = messages.slice(begin).filter(({ role }) => role === "tool").length;
    if (begin >= 0 && count < wanted)
      return { toolCalls: [{ toolName: "pay", arguments: { order: count + 1 } }] };
    const users = messages.flatMap((message) => (message.role === "user" ? [message.content] : []));
    return `I read: ${users.map(String).join(", ")}`;
  });
  return new Agent({ name: "Desk", model, tools: [pay] });
}

async function post(url: string, body: unknown, headers: Headers = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
    body: JSON.stringify(body),
  });
}

/** A file for a store, until the test ends. */
async function storeFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-once-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "runs.db");
}

/** Servers of one SQLite file, as of two processes. */
async function twoServers(agent: Agent, options: ServeOptions = {}): Promise<readonly string[]> {
  const file = await storeFile();
  const one = await listening({ desk: agent }, { ...options, store: sqliteStore(file) });
  const other = await listening({ desk: agent }, { ...options, store: sqliteStore(file) });
  return [one.url, other.url];
}

/** What these tests read of a task. */
interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message?: unknown };
  readonly artifacts: readonly { readonly parts: readonly { readonly text: string }[] }[];
}

/** The first call that a task asks for, and the words that approve it. */
function approvalOf({ status }: TaskJson): { readonly parts: readonly object[] } {
  const [, id] = /\((\w{8})\)/.exec(JSON.stringify(status.message)) ?? [];
  return { parts: [{ text: `approve ${id}` }] };
}

async function sendTask(url: string, message: object, configuration: object = {}): Promise<TaskJson> {
  const body = { message: { role: "ROLE_USER", ...message }, configuration };
  const { task, ...rest } = await (await post(`${url}/a2a/desk/message:send`, body)).json();
  if (!task) throw new Error(JSON.stringify(rest));
  return task;
}

const waiting = "TASK_STATE_INPUT_REQUIRED";
const a2a = { protocols: ["a2a"] } as const;

test("over A2A, a message that approves is not carried out again, also not by another server", async () => {
  const paid: number[] = [];
  const urls = await twoServers(desk(paid, true), a2a);
  const [url = "", other = ""] = urls;
  const task = await sendTask(url, { messageId: "m1", parts: [{ text: "Pay!!!" }] });
  const approve = { messageId: "m2", taskId: task.id, parts: [{ text: "approve" }] };
  const answers = await Promise.all([...urls, ...urls].map((each) => sendTask(each, approve)));
  const later = await sendTask(other, { ...approve, contextId: task.contextId });
  expect([...answers, later].map(({ status }) => status.state)).toEqual(Array(5).fill(waiting));
  expect(paid).toEqual([1]);
  // Another message is another.
  await sendTask(other, { ...approve, ...approvalOf(later), messageId: "m3" });
  expect(paid).toEqual([1, 2]);
});

test("over A2A, a message that was answered before a restart is not carried out again, also once its task has ended", async () => {
  const paid: number[] = [];
  const file = await storeFile();
  const before = await listening({ desk: desk(paid, true) }, { ...a2a, store: sqliteStore(file) });
  const task = await sendTask(before.url, { messageId: "m1", parts: [{ text: "Pay!!" }] });
  const approve = { messageId: "m2", taskId: task.id, parts: [{ text: "approve" }] };
  await sendTask(before.url, approve);
  await before.server.close();
  const { url } = await listening({ desk: desk(paid, true) }, { ...a2a, store: sqliteStore(file) });
  const repeated = await sendTask(url, approve);
  expect(repeated.status.state).toBe(waiting);
  expect(paid).toEqual([1]);
  const last = await sendTask(url, { ...approve, ...approvalOf(repeated), messageId: "m3" });
  expect(await sendTask(url, approve)).toEqual(last);
  expect((await sendTask(url, { ...approve, messageId: "m1", parts: [{ text: "Pay!!" }] })).id).toBe(task.id);
  expect(paid).toEqual([1, 2]);
});

test("over A2A, the id of a message stands for what it says, and an answer needs one", async () => {
  const paid: number[] = [];
  const { url } = await listening({ desk: desk(paid, true) }, a2a);
  const task = await sendTask(url, { messageId: "m1", parts: [{ text: "Pay!!" }] });
  const answer = { messageId: "m2", taskId: task.id, parts: [{ text: "approve" }] };
  await expect(sendTask(url, { messageId: "m1", parts: [{ text: "Pay!" }] })).rejects.toThrow(/used before/);
  await sendTask(url, answer);
  await expect(sendTask(url, { ...answer, parts: [{ text: "deny" }] })).rejects.toThrow(/used before/);
  await expect(sendTask(url, { ...answer, messageId: "" })).rejects.toThrow(/messageId/);
  expect(paid).toEqual([1]);
});

test("over A2A, a message to a task that works is read once, however often it is sent", async () => {
  const paid: number[] = [];
  const work = Promise.withResolvers<void>();
  const urls = await twoServers(
    desk(paid, false, () => work.promise),
    a2a,
  );
  const [url = ""] = urls;
  const first = { messageId: "m1", parts: [{ text: "Pay!" }] };
  const task = await sendTask(url, first, { returnImmediately: true });
  await expect.poll(() => paid).toEqual([1]);
  const more = { messageId: "m2", taskId: task.id, parts: [{ text: "A lamp, too." }] };
  const immediately = [...urls, ...urls].map((each) => sendTask(each, more, { returnImmediately: true }));
  await Promise.all(immediately);
  work.resolve();
  const last = await sendTask(url, more);
  expect(last.artifacts[0]?.parts[0]?.text).toBe("I read: Pay!, A lamp, too.");
});

const agUiBody = (threadId: string, runId: string, more: object = {}) => ({
  threadId,
  runId,
  messages: [{ id: "m1", role: "user", content: "Pay!" }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...more,
});

test.each(["reject", "wait", "steer"] as const)(
  "over AG-UI, a message that two servers get at once is one run, whatever its runId (busy: %s)",
  async (busy) => {
    const paid: number[] = [];
    const [url = "", other = ""] = await twoServers(desk(paid, false), { busy });
    for (const thread of ["t1", "t2", "t3"]) {
      const sent = [url, other, url, other].map((each, index) =>
        post(`${each}/ag-ui/desk`, agUiBody(thread, `${thread}-${index}`)),
      );
      const ends = (await Promise.all(sent)).map(async (each) => (await eventsOf(each)).at(-1)?.["type"]);
      expect(await Promise.all(ends)).toEqual(Array(4).fill("RUN_FINISHED"));
      const { messages } = await (await fetch(`${other}/ag-ui/desk/${thread}`)).json();
      expect(messages.filter((each: { readonly role: string }) => each.role === "user")).toHaveLength(1);
    }
    expect(paid).toEqual([1, 1, 1]);
  },
);

test("over AG-UI, the runId of a client leads to its run on another server, and a message tried again is another run", async () => {
  const paid: number[] = [];
  const work = Promise.withResolvers<void>();
  const [url = "", other = ""] = await twoServers(desk(paid, false, () => work.promise));
  const answered = post(`${url}/ag-ui/desk`, agUiBody("t", "r1"));
  await expect.poll(() => paid).toEqual([1]);
  const cancelled = await post(`${other}/runs/r1/cancel`, {});
  expect(await cancelled.json()).toMatchObject({ cancelled: true });
  work.resolve();
  await (await answered).text();
  const again = await Promise.all(
    [url, other].map(async (each) => eventsOf(await post(`${each}/ag-ui/desk`, agUiBody("t", "r2")))),
  );
  expect(again.map((events) => events.at(-1)?.["type"])).toEqual(["RUN_FINISHED", "RUN_FINISHED"]);
  expect(paid).toEqual([1, 1]);
});

test("over AG-UI, a decision counts though the message before it comes once more", async () => {
  const paid: number[] = [];
  const { url } = await listening({ desk: desk(paid, true) });
  await (await post(`${url}/ag-ui/desk`, agUiBody("t", "r1"))).text();
  const { pending } = await (await fetch(`${url}/ag-ui/desk/t`)).json();
  const resumeOf = (interruptId: string) => [
    { interruptId, status: "resolved", payload: { approved: true } },
  ];
  const unknown = agUiBody("t", "r2", { resume: resumeOf("nonsense") });
  expect(await outcome(await post(`${url}/ag-ui/desk`, unknown))).toBe("409 nothing-waits");
  const anew = { messages: [{ id: "m9", role: "user", content: "Hello" }] };
  expect(await outcome(await post(`${url}/ag-ui/desk`, { ...unknown, ...anew }))).toBe("409 nothing-waits");
  expect(paid).toEqual([]);
  const resume = agUiBody("t", "r3", { resume: resumeOf(pending[0].approvalId) });
  const first = await eventsOf(await post(`${url}/ag-ui/desk`, resume));
  expect([paid, first.at(-1)?.["outcome"]]).toEqual([[1], { type: "success" }]);
  // The same request again is answered as it was; the message alone has its run.
  const textIn = (events: readonly object[]) => JSON.stringify(events).match(/I read: Pay!/g)?.length;
  expect(textIn(await eventsOf(await post(`${url}/ag-ui/desk`, resume)))).toBe(textIn(first));
  expect(await outcome(await post(`${url}/ag-ui/desk`, agUiBody("t", "r4")))).toBe("200");
  expect(paid).toEqual([1]);
});

const responses = (url: string, key: string, body: object) =>
  post(`${url}/v1/responses`, { model: "desk", ...body }, { "idempotency-key": key });

test("an answer to a response that is sent again with its key gets what the first got", async () => {
  const paid: number[] = [];
  const urls = await twoServers(desk(paid, true));
  const [url = ""] = urls;
  const first = await (await responses(url, "k0", { input: "Pay!!" })).json();
  const [item] = first.output;
  const input = [{ type: "mcp_approval_response", approval_request_id: item.id, approve: true }];
  const body = { previous_response_id: first.id, input };
  const sent = [...urls, ...urls].map(async (each) => (await responses(each, "k1", body)).json());
  const [answer, ...others] = await Promise.all(sent);
  expect(answer.output[0].type).toBe("mcp_approval_request");
  for (const other of others) expect([other.id, other.output]).toEqual([answer.id, answer.output]);
  expect(paid).toEqual([1]);
  const [again] = input;
  const denied = { ...body, input: [{ ...again, approve: false }] };
  expect(await outcome(await responses(url, "k1", denied))).toBe("422 id-reused");
  expect(await outcome(await responses(url, "k2", body))).toBe("200");
});

test("an output of a function that is sent again with its key gets what the first got", async () => {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "It is done." : { toolCalls: [{ toolName: "pick", arguments: {} }] },
  );
  const { url } = await listening({ desk: new Agent({ name: "Desk", model }) });
  const tools = [{ type: "function", name: "pick", parameters: { type: "object", properties: {} } }];
  const first = await (await responses(url, "k0", { input: "Pick", tools })).json();
  const input = [{ type: "function_call_output", call_id: first.output[0].call_id, output: "7" }];
  const body = { previous_response_id: first.id, input, tools };
  const { id, output } = await (await responses(url, "k1", body)).json();
  const again = await (await responses(url, "k1", body)).json();
  expect([again.id, again.output, output[0].content[0].text]).toEqual([id, output, "It is done."]);
  // How an answer is sent does not make it another.
  const streamed = await responses(url, "k1", { ...body, stream: true });
  expect(await streamed.text()).toContain(`"response":{"id":"${id}"`);
});

test.each([
  ["/v1/chat/completions", (content: string) => ({ model: "desk", messages: [{ role: "user", content }] })],
  ["/v1/responses", (input: string) => ({ model: "desk", input, conversation: input })],
  ["/v1/responses", (input: string) => ({ model: "desk", input, store: false })],
  ["/runs/desk", (input: string) => ({ input })],
  ["/runs/desk", (input: string) => ({ input, session: "s" })],
])("a key stands for one request (%s)", async (path, bodyOf) => {
  const { url } = await listening({ desk: desk([], false) });
  const send = (text: string) => post(url + path, bodyOf(text), { "idempotency-key": "k1" });
  const first = await send("One");
  expect(await outcome(await send("Two"))).toBe("422 id-reused");
  expect([(await send("One")).status, first.status < 300]).toEqual([first.status, true]);
});

test("what is sent to a run with a key is received once", async () => {
  const paid: number[] = [];
  const work = Promise.withResolvers<void>();
  const { url, server } = await listening({ desk: desk(paid, true, () => work.promise) });
  await post(`${url}/runs/desk`, { input: "Pay!", id: "a" });
  const handle = server.runs.get("local/a");
  const { pending } = await handle.result();
  const send = async (action: string, body: object, key: string): Promise<string> =>
    outcome(await post(`${url}/runs/a/${action}`, body, { "idempotency-key": key }));
  const decisions = [{ approvalId: pending[0]?.approvalId, decision: "approve" }];
  expect(await send("decide", { decisions }, "k1")).toBe("202");
  await expect.poll(() => paid).toEqual([1]);
  expect(await send("decide", { decisions }, "k1")).toBe("202");
  expect(await send("decide", { decisions }, "k2")).toBe("202");
  for (const key of ["k3", "k3", "k4"]) expect(await send("steer", { message: "More." }, key)).toBe("202");
  expect(await send("steer", { message: "Less." }, "k4")).toBe("422 id-reused");
  work.resolve();
  expect((await handle.result()).text).toBe("I read: Pay!, More., More.");
});

test("a message that was refused because another server was first is answered when it is sent again", async () => {
  const paid: number[] = [];
  const work = Promise.withResolvers<void>();
  const agent = desk(paid, false, () => work.promise);
  const file = await storeFile();
  const store = sqliteStore(file);
  const { url } = await listening({ desk: agent }, { store });
  const other = await listening({ desk: agent }, { store: sqliteStore(file) });
  const send = (place: string, input: string, id: string) =>
    post(`${place}/runs/desk`, { input, id, session: "s" });
  const { create } = store;
  store.create = async (runs) => {
    store.create = create;
    await send(other.url, "Pay!", "one");
    return create(runs);
  };
  expect(await outcome(await send(url, "Hello", "two"))).toBe("409 conversation-busy");
  await expect.poll(() => paid).toEqual([1]);
  expect(await outcome(await send(url, "Hello", "two"))).toBe("409 conversation-busy");
  work.resolve();
  await expect.poll(async () => outcome(await send(url, "Hello", "two"))).toBe("202");
  const { id } = await (await send(other.url, "Hello", "two")).json();
  await expect.poll(async () => (await (await fetch(`${url}/runs/${id}`)).json()).status).toBe("completed");
});
