/** Agents that a tool runs as durable runs of their own. */
import { afterEach, expect, test, vi } from "vitest";
import { Agent, type AnyAgent, run, tool } from "skein";
import { type RunHandle, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { approve, echo, textOf } from "./agents.ts";
import { all, newFile, testRuns, until } from "./test-runs.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** An agent that asks another one for each of some things at once, and then says what it has heard. */
function boss(
  helper: AnyAgent,
  things: readonly string[],
  options: { readonly detached?: boolean } = { detached: true },
): Agent {
  return new Agent({
    name: "Boss",
    model: new FunctionModel(({ messages }) => {
      const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
      if (results.length > 0)
        return results
          .flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : [])))
          .join(", ");
      return {
        toolCalls: things.map((thing, index) => ({
          toolCallId: `call-${index}`,
          toolName: "helper",
          arguments: { input: thing },
        })),
      };
    }),
    tools: [helper.asTool({ name: "helper", ...options })],
  });
}

/** An agent that waits for what nobody has to say. */
const waiting = new Agent({
  name: "Waiting",
  model: new FunctionModel(() => ({ toolCalls: [{ toolName: "wait", arguments: {} }] })),
  tools: [
    tool({
      name: "wait",
      input: { type: "object", properties: {} },
      execute: (_, { waitFor }) => waitFor("x"),
    }),
  ],
});

test("each is a run of its own, which any worker executes, and nothing waits with the run around them", async () => {
  const agent = boss(echo, ["one", "two", "three"]);
  const file = newFile();
  const app = testRuns(file, { agents: [agent] });
  const parent = await app.start(agent, "Ask.", { id: "r", context: { user: "Ann" } });
  const workers = [app, testRuns(file, { agents: [agent] })];
  for (const worker of workers) void worker.work();
  expect(await parent.result()).toMatchObject({
    status: "completed",
    text: "You said: one, You said: two, You said: three",
    warnings: [],
  });
  const all = await app.list({ agent: "Echo" });
  expect(all.map(({ parent: id, status }) => [id, status])).toEqual([
    ["r", "completed"],
    ["r", "completed"],
    ["r", "completed"],
  ]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(3);
  for (const { id } of all) expect(id).toMatch(/^r\/turn-1\/tool\/call-[0-2]\/run\//);
});

test("without a durable run it is an agent as a tool like another", async () => {
  expect((await run(boss(echo, ["one"]), "Ask.")).text).toBe("You said: one");
});

test("while it works, the run around it is queued, whatever becomes of its worker", async () => {
  const release = Promise.withResolvers<void>();
  const slow = new Agent({
    name: "Slow",
    model: new FunctionModel(async ({ messages }) => {
      await release.promise;
      return `Slowly: ${textOf(messages.at(-1) ?? { role: "user", content: "" })}`;
    }),
  });
  const agent = boss(slow, ["one"]);
  const file = newFile();
  const first = testRuns(file, { agents: [agent] });
  void first.work();
  const parent = await first.start(agent, "Ask.", { id: "r" });
  await until(async () => {
    const { status, waitsForRuns } = await parent.state();
    return status === "queued" && waitsForRuns?.length === 1;
  });
  const { at, pending, waitsForRuns } = await parent.state();
  expect(at).toBeUndefined();
  const child = (await first.list({ agent: "Slow" }))[0]?.id ?? "";
  expect([pending, waitsForRuns]).toEqual([[], [{ id: child, toolCallId: "call-0" }]]);
  release.resolve();
  await first.close({ drain: 0 });
  const second = testRuns(file, { agents: [agent] });
  void second.work();
  expect(await second.get("r").result()).toMatchObject({ status: "completed", text: "Slowly: one" });
});

const noInput = { type: "object", properties: {} } as const;

/** An agent whose call waits for a person, and which then says what came of it. */
function careful(name = "Careful"): Agent {
  return new Agent({
    name,
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === "tool"
        ? `It is a ${last.result.outcome}.`
        : { toolCalls: [{ toolCallId: "call-0", toolName: "pay", arguments: {} }] };
    }),
    tools: [tool({ name: "pay", input: noInput, approval: true, execute: () => "paid" })],
  });
}

test("what it asks a person is asked by the run around it, and decided there", async () => {
  const agent = boss(careful(), ["one", "two"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  await until(async () => (await parent.state()).pending.filter(isApproval).length === 2);
  const { status, pending } = await parent.result();
  expect(status).toBe("paused");
  const approvals = pending.filter(isApproval);
  expect(approvals).toMatchObject([
    { toolName: "pay", agent: "Careful", parentToolCallId: "call-0", toolCallId: "call-0/Careful/call-0" },
    { toolName: "pay", agent: "Careful", parentToolCallId: "call-1", toolCallId: "call-1/Careful/call-0" },
  ]);
  const [first, second] = approvals.map(({ approvalId = "" }) => approvalId);
  await parent.decide([
    { approvalId: first ?? "", decision: "approve" },
    { approvalId: second ?? "", decision: "deny" },
  ]);
  expect(await parent.result()).toMatchObject({
    status: "completed",
    text: "It is a success., It is a denied.",
  });
  await expect(parent.decide([{ approvalId: first ?? "", decision: "approve" }])).rejects.toThrow(
    "no call of it waits",
  );
});

test("what is pending is for a person to answer: neither state nor result has the wait for the run itself there", async () => {
  const agent = boss(careful(), ["one"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  const result = await parent.result();
  const state = await parent.state();
  const child = (await app.list({ agent: "Careful" }))[0]?.id;
  for (const { pending, waitsForRuns } of [result, state]) {
    expect(pending.map(({ toolName, approvalId }) => [toolName, typeof approvalId])).toEqual([
      ["pay", "string"],
    ]);
    expect(waitsForRuns).toEqual([{ id: child, toolCallId: "call-0" }]);
  }
});

test("what it asks is an event of the run around it, and so is what became of it", async () => {
  const agent = boss(careful(), ["one"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  const before = await all(parent.events());
  const ends = before.filter(({ type }) => type === "run-end");
  expect(ends).toMatchObject([
    { status: "paused", result: { pending: [{ toolName: "context.runAgent" }, { toolName: "pay" }] } },
  ]);
  const request = before.find(({ type }) => type === "approval-request");
  expect(request).toMatchObject({
    agent: "Careful",
    toolCall: { toolName: "pay" },
    parentToolCallId: "call-0",
  });
  await approvePending(parent);
  const rest = await all(parent.events({ after: before.at(-1)?.index ?? -1 }));
  const inner = rest.flatMap((event) => (event.type === "agent-event" ? [event.event] : []));
  expect(inner).toMatchObject([
    { type: "tool-start", toolCall: { toolName: "pay" } },
    { type: "tool-end", result: { toolCallId: "call-0/Careful/call-0", outcome: "success" } },
    { type: "run-end", status: "completed" },
  ]);
  expect(rest.at(-1)).toMatchObject({ type: "run-end", status: "completed" });
});

test("it may be decided on its own handle too, and at any depth", async () => {
  const middle = new Agent({
    name: "Middle",
    model: new FunctionModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== "tool")
        return { toolCalls: [{ toolCallId: "call-0", toolName: "inner", arguments: { input: "x" } }] };
      return last.result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
    }),
    tools: [careful().asTool({ name: "inner", detached: true })],
  });
  const agent = boss(middle, ["one"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const first = await app.start(agent, "Ask.");
  await first.result();
  await approvePending(first);
  expect(await first.result()).toMatchObject({ status: "completed", text: "It is a success." });
  const second = await app.start(agent, "Ask.");
  expect((await second.result()).status).toBe("paused");
  const own = (await app.list({ agent: "Careful", status: "paused" }))[0]?.id ?? "";
  await approve(app.get(own), "deny");
  expect(await second.result()).toMatchObject({ status: "completed", text: "It is a denied." });
});

test("a decision that does not fit its call is refused where it was made", async () => {
  const agent = boss(careful(), ["one"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  const { pending } = await parent.result();
  const approvalId = pending.find(isApproval)?.approvalId ?? "";
  await parent.decide([{ approvalId, decision: "approve", arguments: "[]" }]);
  const refused = await parent.result();
  expect(refused).toMatchObject({ status: "paused", error: { code: "invalid-input" } });
  expect(refused.pending.filter(isApproval)).toHaveLength(1);
  await parent.decide([{ approvalId, decision: "approve" }]);
  expect((await parent.state()).error).toBeUndefined();
  expect(await parent.result()).toMatchObject({ status: "completed" });
});

function isApproval({ approvalId }: { readonly approvalId?: string }): boolean {
  return approvalId !== undefined;
}

/** Approves all calls of a run that wait for a person. */
async function approvePending(run: RunHandle): Promise<void> {
  const { pending } = await run.state();
  const ids = pending.flatMap(({ approvalId }) => approvalId ?? []);
  await run.decide(ids.map((approvalId) => ({ approvalId, decision: "approve" })));
}

test("the model reads why one has no answer: it failed, or was cancelled", async () => {
  const failing = new Agent({
    name: "Failing",
    model: new FunctionModel(() => {
      throw new Error("no such model");
    }),
  });
  const agent = boss(failing, ["one"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  expect((await parent.result()).text).toBe(
    "helper failed: Failing ended without an answer (failed: a model call failed (model-failed)).",
  );
  const other = boss(waiting, ["one"]);
  const second = testRuns(newFile(), { agents: [other] });
  void second.work();
  const asking = await second.start(other, "Ask.");
  await until(async () => (await second.list({ agent: "Waiting", status: "paused" })).length === 1);
  const child = second.get((await second.list({ agent: "Waiting" }))[0]?.id ?? "");
  expect((await asking.result()).status).toBe("paused");
  expect(await child.cancel("Too slow.")).toBe(true);
  expect((await asking.result({ until: "end" })).text).toContain(
    "Waiting ended without an answer (cancelled: Too slow.)",
  );
});

test("a run that is cancelled while it is executed ends those that it has waited for", async () => {
  const isAnswered = Promise.withResolvers<void>();
  const agent = new Agent({
    name: "Boss",
    model: new FunctionModel(() => ({
      toolCalls: ["ask", "wait"].map((toolName) => ({ toolName, arguments: { input: "x" } })),
    })),
    tools: [
      tool({
        name: "ask",
        input: { type: "object", properties: {} },
        execute: async (_, { runAgent, signal }) => {
          await runAgent(echo, "x", { detached: true });
          isAnswered.resolve();
          await new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("over")));
          });
        },
      }),
      waiting.asTool({ name: "wait", detached: true }),
    ],
  });
  const app = testRuns(newFile(), { agents: [agent, echo] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  await isAnswered.promise;
  await parent.cancel();
  await until(async () => (await app.list({ status: "cancelled" })).length === 2);
  expect(await app.list({ status: ["queued", "running", "paused"] })).toEqual([]);
});

test("a run that is cancelled ends those that it waits for", async () => {
  const middle = new Agent({
    name: "Middle",
    model: new FunctionModel(() => ({ toolCalls: [{ toolName: "ask", arguments: { input: "x" } }] })),
    tools: [waiting.asTool({ name: "ask", detached: true })],
  });
  const agent = boss(middle, ["one", "two"]);
  const app = testRuns(newFile(), { agents: [agent] });
  void app.work();
  const parent = await app.start(agent, "Ask.");
  await until(async () => (await app.list({ status: "paused" })).length === 5);
  await parent.cancel();
  await until(async () => (await app.list({ status: "cancelled" })).length === 5);
  expect(await app.list({ status: ["queued", "running", "paused"] })).toEqual([]);
});

test("a process dies between the end of one and the news of it: the run around it looks by itself", async () => {
  const agent = boss(echo, ["one"]);
  const file = newFile();
  const first = testRuns(file, { agents: [agent] });
  const parent = await first.start(agent, "Ask.", { id: "r" });
  // As if the process of the agent had died once its end was stored.
  const deaf = sqliteStore(file);
  const worker = testRuns(
    {
      ...deaf,
      update: async (id, revision, change) => {
        if (id === "r" && change.status === "queued") throw new Error("dead");
        return deaf.update(id, revision, change);
      },
    },
    { agents: [agent] },
  );
  void worker.work();
  await until(async () => (await first.list({ agent: "Echo", status: "completed" })).length === 1);
  await until(async () => (await parent.state()).status === "queued");
  await worker.close({ drain: 0 });
  void first.work();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
  expect(await parent.result()).toMatchObject({ status: "completed", text: "You said: one" });
});

test("what cannot be is refused at once: limits of a run of its own, two agents of one name", () => {
  expect(() => echo.asTool({ detached: true, maxTurns: 3 })).toThrow("both detached and maxTurns");
  const other = new Agent({ name: "Echo", model: new FunctionModel(() => "Other.") });
  expect(() => testRuns(newFile(), { agents: [boss(echo, []), other] })).toThrow(
    'Two agents of runs() are called "Echo"',
  );
});

test("a run that waits for many is woken for several of them at once", async () => {
  const things = Array.from({ length: 100 }, (_, number) => `${number}`);
  const agent = boss(echo, things);
  const app = testRuns(newFile(), { agents: [agent] });
  const startedAt = performance.now();
  const parent = await app.start(agent, "Ask.");
  void app.work({ concurrency: 5 });
  const { status, text, attempts } = await parent.result();
  const wakes = (performance.now() - startedAt) / 500;
  expect(status).toBe("completed");
  expect(text.split(", ")).toHaveLength(100);
  expect(attempts).toBeLessThanOrEqual(3 + wakes);
});
