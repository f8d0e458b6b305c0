import { expect, test } from "vitest";
import {
  Agent,
  run,
  tool,
  type PendingCall,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type RunState,
} from "skein";
import { memoryStore, runs } from "skein/durable";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { programmer } from "./test-run.ts";

const order = { type: "object", properties: { order: { type: "number" } }, required: ["order"] } as const;
const empty = { type: "object", properties: {} } as const;

/** Tools that note each of their calls. */
function shop() {
  const log: string[] = [];
  const refund = tool({
    name: "refund",
    input: order,
    approval: true,
    execute: ({ order: id }: { order: number }) => {
      log.push(`refund ${id}`);
      return `refunded ${id}`;
    },
  });
  let count = 0;
  const next = tool({
    name: "next",
    input: empty,
    execute: () => {
      log.push("next");
      return ++count;
    },
  });
  return { log, refund, next };
}

/** Three refunds at once, with calls before, beside and behind them, and a loop of equal calls. */
const program = `const ids = [];
for (let i = 0; i < 3; i++) ids.push(await tools.next());
const [beside, ...texts] = await Promise.all([tools.next(), ...ids.map((order) => tools.refund({ order }))]);
return { ids, beside, texts, last: await tools.next(), random: Math.random(), now: Date.now() };`;

const expected = {
  ids: [1, 2, 3],
  beside: 4,
  texts: ["refunded 1", "refunded 2", "refunded 3"],
  last: 5,
  random: expect.any(Number),
  now: expect.any(Number),
};

/** What the program came to. */
function valueOf({ messages }: Pick<RunResult, "messages">): unknown {
  const message = messages.findLast(({ role }) => role === "tool");
  return message?.role === "tool" ? message.result.structuredContent : undefined;
}

const approveAll = ({
  pending,
}: {
  readonly pending: readonly PendingCall[];
}): NonNullable<RunOptions["approvals"]> =>
  pending.flatMap(({ approvalId }) =>
    approvalId === undefined ? [] : [{ approvalId, decision: "approve" }],
  );

/** The state as another process reads it. */
const stored = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

test("three approvals at once pause the run, and each finished call is made once", async () => {
  const { log, refund, next } = shop();
  const agent = programmer([program], [refund, next]);
  const paused = await run(agent, "Go.");
  expect(paused.status).toBe("paused");
  expect(
    paused.pending.map(({ toolName, input, parentToolCallId }) => [toolName, input, parentToolCallId]),
  ).toEqual([1, 2, 3].map((id) => ["refund", { order: id }, expect.any(String)]));
  expect(log).toEqual(["next", "next", "next", "next"]);
  const done = await run(agent, stored(paused.state), { approvals: approveAll(paused) });
  expect([done.status, valueOf(done)]).toEqual(["completed", expected]);
  expect(log.slice(4).toSorted()).toEqual(["next", "refund 1", "refund 2", "refund 3"]);
});

test("approvals one after the other, a denial and an edit among them, each reach their own call", async () => {
  const { log, refund, next } = shop();
  const oneByOne = `const texts = [];
for (const order of [1, 2, 3]) {
  try { texts.push(await tools.refund({ order })); } catch (error) { texts.push(error.message); }
}
return texts;`;
  const agent = programmer([oneByOne], [refund, next]);
  let result = await run(agent, "Go.");
  for (const decision of [
    { decision: "deny", reason: "Too late." },
    { decision: "approve", arguments: '{"order":20}' },
    { decision: "approve" },
  ] as const) {
    expect(result.pending).toHaveLength(1);
    const approvalId = result.pending[0]?.approvalId ?? "";
    result = await run(agent, stored(result.state), { approvals: [{ approvalId, ...decision }] });
  }
  expect(valueOf(result)).toEqual([
    "refund was not called: it was not approved. The reason given: Too late.",
    "refunded 20",
    "refunded 3",
  ]);
  expect(log).toEqual(["refund 20", "refund 3"]);
});

test("a part of the approvals leaves the others waiting", async () => {
  const { log, refund, next } = shop();
  const agent = programmer([program], [refund, next]);
  const paused = await run(agent, "Go.");
  const [first] = approveAll(paused);
  const still = await run(agent, stored(paused.state), { approvals: first ? [first] : [] });
  expect([still.status, still.pending.length]).toEqual(["paused", 2]);
  const done = await run(agent, stored(still.state), { approvals: approveAll(still) });
  expect(valueOf(done)).toEqual(expected);
  expect(log.filter((line) => line.startsWith("refund")).toSorted()).toEqual([
    "refund 1",
    "refund 2",
    "refund 3",
  ]);
});

test("a session answers what was done, in another process", async () => {
  const { log, refund, next } = shop();
  const session = memorySession();
  const paused = await run(programmer([program], [refund, next]), "Go.", { session });
  expect(paused.pending).toHaveLength(3);
  const done = await run(programmer([program], [refund, next]), [], {
    session,
    approvals: approveAll(paused),
  });
  expect(valueOf(done)).toEqual(expected);
  expect(log).toHaveLength(8);
});

test("a durable run goes on with its program in another worker", async () => {
  const { log, refund, next } = shop();
  const store = memoryStore();
  const first = runs({ agents: [programmer([program], [refund, next])], store });
  const handle = await first.start("Programmer", "Go.", { id: "one", here: true });
  const paused = await handle.result();
  expect(paused.pending).toHaveLength(3);
  await first.close();
  const second = runs({ agents: [programmer([program], [refund, next])], store });
  const stop = new AbortController();
  const working = second.work({ signal: stop.signal });
  await second.get("one").decide(approveAll(paused));
  await second.get("one").result({ until: "end" });
  const { messages } = await second.get("one").state();
  expect(valueOf({ messages })).toEqual(expected);
  expect(log).toHaveLength(8);
  stop.abort();
  await working;
  await second.close();
});

test("what a program was shown of a masked call is kept over a pause, and the call is not made again", async () => {
  const { refund, log } = shop();
  let price = 10;
  const quote = tool({
    name: "quote",
    input: empty,
    mask: ["secret"],
    execute: () => ({ price: price++, secret: "s3cret" }),
  });
  const program =
    "const { price, secret } = await tools.quote(); return [await tools.refund({ order: price }), secret];";
  const agent = programmer([program], [refund, quote]);
  const paused = await run(agent, "Go.");
  expect(paused.pending.map(({ input }) => input)).toEqual([{ order: 10 }]);
  const again = await run(agent, stored(paused.state), { approvals: approveAll(paused) });
  expect(again.status).toBe("completed");
  expect(JSON.stringify(valueOf(again))).toContain("[hidden]");
  expect([log.length, price]).toEqual([1, 11]);
});

test("events of calls in a program name the call around them", async () => {
  const { refund, next } = shop();
  const events: RunEvent[] = [];
  const agent = programmer(
    ["return [await tools.next(), await tools.refund({ order: 1 })];"],
    [refund, next],
  );
  await run(agent, "Go.", { onEvent: (event) => void events.push(event) });
  const nested = events.flatMap((event) =>
    "parentToolCallId" in event && event.parentToolCallId !== undefined ? [event.type] : [],
  );
  expect(nested).toEqual(["tool-start", "tool-end", "tool-start", "approval-request"]);
});

test("a tool whose result comes from elsewhere pauses its program", async () => {
  const ask = tool({ name: "ask", input: empty });
  const agent = programmer(["return (await tools.ask()) + (await tools.ask());"], [ask]);
  const first = await run(agent, "Go.");
  const second = await run(agent, stored(first.state), {
    results: [{ toolCallId: first.pending[0]?.toolCallId ?? "", content: "one " }],
  });
  expect([second.status, second.pending.length]).toEqual(["paused", 1]);
  const last = await run(agent, stored(second.state), {
    results: [{ toolCallId: second.pending[0]?.toolCallId ?? "", content: "two" }],
  });
  expect(last.messages.find(({ role }) => role === "tool")).toMatchObject({
    result: { content: [{ text: "one two" }] },
  });
});

test("an agent that a program calls may wait for an approval itself", async () => {
  const { log, refund, next } = shop();
  const model = new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? "It is refunded."
      : { toolCalls: [{ toolName: "refund", arguments: { order: 9 } }] },
  );
  const clerk = new Agent({ name: "Clerk", model, tools: [refund] });
  const tools = [next, clerk.asTool({ name: "clerk", description: "Ask the clerk." })];
  const agent = programmer(
    ["const n = await tools.next(); return [n, await tools.clerk({ input: 'Refund 9.' })];"],
    tools,
  );
  const paused = await run(agent, "Go.");
  expect(paused.pending.map(({ toolName, agent: name }) => [toolName, name])).toEqual([["refund", "Clerk"]]);
  const done = await run(agent, stored(paused.state), { approvals: approveAll(paused) });
  expect(valueOf(done)).toEqual([1, "It is refunded."]);
  expect(log).toEqual(["next", "refund 9"]);
});
