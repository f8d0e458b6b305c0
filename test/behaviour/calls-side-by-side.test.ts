/** A tool may make calls side by side and await one after the other: the failure of one that nobody awaits yet ends nothing. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent, run, tool, type RunOptions, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";

const rejections: unknown[] = [];
const listen = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => {
  rejections.length = 0;
  process.on("unhandledRejection", listen);
});
afterEach(() => {
  process.off("unhandledRejection", listen);
});

const empty = { type: "object", properties: {} } as const;
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An agent with one tool that pays by another. */
function payer(
  payBoth: (context: ToolContext) => unknown,
  pay: { readonly approval?: boolean; readonly execute: () => unknown },
) {
  const input = { type: "object", properties: { amount: { type: "number" } } } as const;
  const outer = tool({ name: "payBoth", input: empty, execute: (_, context) => payBoth(context) });
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "payBoth" }] },
  );
  return new Agent({ name: "A", model, tools: [outer, tool({ name: "pay", input, ...pay })] });
}

const both = async (context: ToolContext) => {
  const first = context.call("pay", { amount: 1 });
  const second = context.call("pay", { amount: 2 });
  return [await first, await second];
};
const bothAgents = async (context: ToolContext) => {
  const clerk = new Agent({ name: "Clerk", model: new FunctionModel(() => sleep(5).then(fails)) });
  const first = context.runAgent(clerk, "1");
  const second = context.runAgent(clerk, "2");
  return [await first, await second];
};
const fails = () => {
  throw new Error("no");
};

describe("two calls side by side", () => {
  test.each<[string, Parameters<typeof payer>[0], Parameters<typeof payer>[1], RunOptions, object]>([
    ["wait for approval", both, { approval: true, execute: () => "paid" }, {}, { status: "paused" }],
    ["fail", both, { execute: () => sleep(5).then(fails) }, {}, { status: "completed" }],
    ["of agents fail", bothAgents, { execute: () => "paid" }, {}, { status: "completed" }],
    ["are cancelled", both, { execute: () => sleep(200) }, { timeout: 20 }, { status: "cancelled" }],
  ])("that %s do not end the process", async (_, payBoth, pay, options, expected) => {
    expect(await run(payer(payBoth, pay), "Pay both", options)).toMatchObject(expected);
    await sleep(50);
    expect(rejections).toEqual([]);
  });
});

test.each([false, true])(
  "a call that its tool does not await is a warning (approval: %s)",
  async (approval) => {
    const forget = ({ call }: ToolContext) => {
      void call("pay", { amount: 3 });
      return "started";
    };
    const agent = payer(forget, { approval, execute: () => sleep(5) });
    const { status, warnings } = await run(agent, "Pay");
    expect(status).toBe("completed");
    expect(warnings).toEqual([
      "payBoth returned before pay, which it had called, was done. Await the call: its outcome is lost.",
    ]);
    await sleep(20);
    expect(rejections).toEqual([]);
  },
);

test("calls that were awaited leave no warning", async () => {
  const agent = payer(both, { execute: () => sleep(1).then(() => "paid") });
  expect((await run(agent, "Pay")).warnings).toEqual([]);
});

test("of two calls side by side one fails: the other is done before the run goes on, and the model sees it", async () => {
  const done: string[] = [];
  const input = { type: "object", properties: { currency: { type: "string" } } } as const;
  const rate = tool({ name: "rate", input, execute: () => sleep(5).then(fails) });
  const pay = tool({
    name: "pay",
    input: empty,
    approval: true,
    execute: () => sleep(30).then(() => done.push("paid")),
  });
  const settle = tool({
    name: "settle",
    input: empty,
    execute: (_, { call }) => Promise.all([call("rate", { currency: "USD" }), call("pay", {})]),
  });
  const model = new FunctionModel(({ messages }) => {
    if (messages.length === 1) return { toolCalls: [{ toolName: "settle" }] };
    done.push("answered");
    return "I could not settle it.";
  });
  const agent = new Agent({ name: "A", model, tools: [rate, pay, settle] });
  const { pending, state } = await run(agent, "Settle it");
  const approvals = pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }) as const);
  const { messages, warnings } = await run(agent, state, { approvals });
  expect(done).toEqual(["paid", "answered"]);
  expect(warnings).toEqual([]);
  expect(messages[0]).toMatchObject({
    result: {
      isError: true,
      content: [
        { type: "text", text: "settle failed: rate failed: no" },
        { type: "text", text: "Calls that settle made were carried out all the same: pay.", note: true },
      ],
    },
  });
});

test.each([
  ["after", 5, 10],
  ["before", 10, 5],
])("a call that succeeded %s another one failed is shown to the model", async (_, failure, success) => {
  const outer = tool({
    name: "payBoth",
    input: empty,
    execute: (_input: unknown, { call }) => Promise.all([call("mail", {}), call("pay", {})]),
  });
  const mail = tool({ name: "mail", input: empty, execute: () => sleep(failure).then(fails) });
  const pay = tool({ name: "pay", input: empty, execute: () => sleep(success).then(() => "paid") });
  const model = new FunctionModel(({ messages }) =>
    messages.length > 1 ? "Done." : { toolCalls: [{ toolName: "payBoth" }] },
  );
  const { messages } = await run(new Agent({ name: "A", model, tools: [outer, mail, pay] }), "Pay");
  expect(JSON.stringify(messages)).toContain("Calls that payBoth made were carried out all the same: pay.");
});
