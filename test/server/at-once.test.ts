import { HttpAgent } from "@ag-ui/client";
import { Agent, tool } from "skein";
import { connect } from "skein/client";
import { memoryStore } from "skein/durable";
import type { ServeOptions } from "skein/server";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { listening } from "./serving.ts";

const input = {
  type: "object",
  properties: { to: { type: "string" }, euros: { type: "number" } },
  required: ["to"],
} as const;

/** A desk that pays two people once somebody has approved it, and its payments: the first waits until it is let go. */
async function payments(options: ServeOptions = {}) {
  const paid: string[] = [];
  const first = Promise.withResolvers<void>();
  const pay = tool({
    name: "pay",
    input,
    approval: true,
    execute: async ({ to, euros = 1 }: { readonly to: string; readonly euros?: number }) => {
      paid.push(`${euros} to ${to}`);
      if (to === "Ada") await first.promise;
      return `Paid ${to}.`;
    },
  });
  const calls = ["Ada", "Bob"].map((to) => ({ toolName: "pay", arguments: { to } }));
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { toolCalls: calls } : "Both are paid.",
  );
  const { url } = await listening({ desk: new Agent({ name: "Desk", model, tools: [pay] }) }, options);
  const post = async (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: JSON.stringify(body),
    });
  return { url, post, paid, letGo: () => first.resolve() };
}

/** The events of a stream of JSON. */
async function eventsOf(response: Response): Promise<readonly Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
}

/** What this test reads of a task. */
interface TaskJson {
  readonly id: string;
  readonly status: {
    readonly state: string;
    readonly message: {
      readonly parts: readonly [
        text: object,
        data: { readonly data: { readonly pending: readonly { readonly approvalId: string }[] } },
      ];
    };
  };
}

const chatBody = (parts: readonly object[], role = "user", id = "m1") => ({
  id: "chat",
  messages: [{ id, role, parts }],
});

test("who decides on a second call while the first is executed reads what comes of both", async () => {
  const { post, paid, letGo } = await payments();
  const pause = await eventsOf(await post("/chat/desk", chatBody([{ type: "text", text: "Pay!" }])));
  const messageId = String(pause[0]?.["messageId"]);
  const requests = pause.filter(({ type }) => type === "tool-approval-request");
  const approve = (index: number): Promise<Response> => {
    const { toolCallId, approvalId: id } = requests[index] ?? {};
    const approval = { id, approved: true };
    const part = { type: "tool-pay", toolCallId, state: "approval-responded", input: {}, approval };
    return post("/chat/desk", chatBody([part], "assistant", messageId));
  };
  const first = approve(0);
  await expect.poll(() => paid).toEqual(["1 to Ada"]);
  const second = await approve(1);
  letGo();
  for (const events of [await eventsOf(await first), await eventsOf(second)]) {
    const types = events.map(({ type }) => type);
    expect(types).not.toContain("tool-approval-request");
    expect(events).toContainEqual(expect.objectContaining({ type: "text-delta", delta: "Both are paid." }));
    expect(types.at(-1)).toBe("finish");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool-output-available", output: "Paid Bob." }),
    );
  }
  expect(paid).toEqual(["1 to Ada", "1 to Bob"]);
});

test.each(["message:send", "JSON-RPC"])(
  "over A2A, a decision counts while another call is executed (%s)",
  async (binding) => {
    const store = memoryStore();
    const { post, paid, letGo } = await payments({ protocols: ["a2a"], store });
    const send = async (message: object): Promise<TaskJson> => {
      const params = { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", ...message } };
      const response = await (binding === "JSON-RPC"
        ? post("/a2a/desk", { jsonrpc: "2.0", id: 1, method: "SendMessage", params })
        : post("/a2a/desk/message:send", params));
      const body = await response.json();
      return (body.result ?? body).task;
    };
    const task = await send({ parts: [{ text: "Pay!" }] });
    const [, { data }] = task.status.message.parts;
    const approve = (index: number): Promise<TaskJson> => {
      const approvalId = data.pending[index]?.approvalId;
      const decisions = [{ approvalId, decision: "approve" }];
      return send({ taskId: task.id, parts: [{ data: { decisions } }] });
    };
    const first = approve(0);
    await expect.poll(() => paid).toEqual(["1 to Ada"]);
    const second = approve(1);
    // Both are there until the execution that carries out the first has ended.
    const received = async (): Promise<number | undefined> =>
      (await store.list({ limit: 1 }))[0]?.data.inbox.length;
    await expect.poll(received).toBe(2);
    letGo();
    for (const each of [await first, await second]) expect(each.status.state).toBe("TASK_STATE_COMPLETED");
    expect(paid).toEqual(["1 to Ada", "1 to Bob"]);
  },
);

test("an edit that does not fit leaves the call waiting, and says why", async () => {
  const { url, post, paid, letGo } = await payments();
  letGo();
  const running = connect(url).stream("desk", "Pay!", { session: "s" });
  const { pending } = await running.result;
  const [approvalId = "", other = ""] = pending.map((call) => call.approvalId);
  const wrong = { approvalId, decision: "approve", arguments: { to: [] } } as const;
  const again = await (await running.decide([wrong])).result;
  expect(again).toMatchObject({ status: "paused", error: { code: "invalid-input" } });
  expect(again.error?.message).toContain("to");
  expect(again.pending).toHaveLength(2);
  const info = await (await fetch(`${url}/runs/${again.runId}`)).json();
  expect(info).toMatchObject({ status: "paused", error: again.error });
  const parts = [approvalId, other].map((id) => ({
    type: "tool-pay",
    toolCallId: id,
    state: "approval-responded",
    input: {},
    approval: { id, approved: true },
  }));
  const streamed = await eventsOf(
    await post("/chat/desk", {
      id: "s",
      messages: [{ id: "a", role: "assistant", parts: parts.slice(0, 1) }],
      approvalArguments: { [approvalId]: { to: {} } },
    }),
  );
  expect(streamed).toContainEqual(expect.objectContaining({ type: "tool-approval-request", approvalId }));
  expect(streamed.find(({ type }) => type === "error")?.["errorText"]).toContain("to");
  const decisions = [
    { ...wrong, arguments: { to: "Eve", euros: 2 } },
    { approvalId: other, decision: "approve" },
  ] as const;
  const done = await (await connect(url).follow(again.runId).decide(decisions)).result;
  expect(done.text).toBe("Both are paid.");
  expect(paid).toEqual(["2 to Eve", "1 to Bob"]);
});

test("over AG-UI, a message that is sent again is the same run, and any id of the client's leads to it", async () => {
  const { url, post, paid, letGo } = await payments();
  const agent = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t" });
  agent.addMessage({ id: "m1", role: "user", content: "Pay!" });
  await agent.runAgent({ runId: "r1" });
  // As a client does that has not got the answer.
  const repeated = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t" });
  repeated.addMessage({ id: "m1", role: "user", content: "Pay!" });
  await repeated.runAgent({ runId: "r2" });
  expect(repeated.pendingInterrupts).toEqual(agent.pendingInterrupts);
  // What the user has written anew is another message, whatever its id.
  for (const content of ["Pay!", "Pay less!"]) {
    const edited = new HttpAgent({ url: `${url}/ag-ui/desk`, threadId: "t2" });
    edited.addMessage({ id: "m1", role: "user", content });
    await edited.runAgent();
  }
  const { messages } = await (await fetch(`${url}/ag-ui/desk/t2`)).json();
  expect(messages.filter((each: { readonly role: string }) => each.role === "user")).toHaveLength(2);
  const resume = agent.pendingInterrupts.map(
    ({ id }) => ({ interruptId: id, status: "resolved", payload: { approved: true } }) as const,
  );
  const resumed = agent.runAgent({ runId: "r3", resume });
  await expect.poll(() => paid.length).toBe(2);
  const cancelled = await post("/runs/r3/cancel", {});
  expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { cancelled: true }]);
  letGo();
  await resumed;
  expect(paid).toEqual(["1 to Ada", "1 to Bob"]);
});
