/** What a tool calls is known by what it passes on, not by its turn: executed again, a tool may make its calls in another order. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Agent, run, tool, type ApprovalDecision, type PendingCall, type ToolContext } from "skein";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const order = { type: "object", properties: { order: { type: "string" } }, required: ["order"] } as const;
const callOnce = (toolName: string) =>
  new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName }] },
  );
const approve = (pending: readonly PendingCall[]): readonly ApprovalDecision[] =>
  pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" }));

/** A tool that charges by its idempotency key. */
function charging() {
  const charges = new Map<string, string>();
  const charge = tool<{ order: string }>({
    name: "charge",
    input: order,
    execute: ({ order: name }, { idempotencyKey }) => {
      charges.set(idempotencyKey, name);
      return `receipt of ${name}`;
    },
  });
  return { charges, charge };
}

/** Charges two orders at once; whichever comes first in the first pass comes last in the second. */
function bothAtOnce(context: ToolContext, isFirst: boolean): Promise<unknown[]> {
  const one = async (name: string, delay: number) => {
    await sleep(delay);
    return [name, await context.call("charge", { order: name })];
  };
  return Promise.all([one("A", isFirst ? 1 : 15), one("B", isFirst ? 15 : 1)]);
}

test("after an approval each call has its own result, and none is made twice", async () => {
  const { charges, charge } = charging();
  const ship = tool({ name: "ship", input: empty, approval: true, execute: () => "shipped" });
  let passes = 0;
  let receipts: unknown;
  const sell = tool({
    name: "sell",
    input: empty,
    execute: async (_, context) => {
      receipts = await bothAtOnce(context, (passes += 1) === 1);
      return context.call("ship", {});
    },
  });
  const agent = new Agent({ name: "Shop", model: callOnce("sell"), tools: [sell, charge, ship] });
  const { state, pending } = await run(agent, "go");
  expect(await run(agent, state, { approvals: approve(pending) })).toMatchObject({ status: "completed" });
  expect(passes).toBe(2);
  expect(receipts).toEqual([
    ["A", "receipt of A"],
    ["B", "receipt of B"],
  ]);
  expect([...charges.values()].toSorted()).toEqual(["A", "B"]);
});

test("a second attempt uses the key of each call for that call", async () => {
  const { charges, charge } = charging();
  let attempts = 0;
  const sell = tool({
    name: "sell",
    input: empty,
    retries: { times: 3, delay: 1 },
    execute: async (_, context) => {
      await bothAtOnce(context, (attempts += 1) === 1);
      if (attempts === 1) throw Object.assign(new Error("busy"), { isTransient: true });
      return "sold";
    },
  });
  const agent = new Agent({ name: "Shop", model: callOnce("sell"), tools: [sell, charge] });
  await run(agent, "go");
  expect(attempts).toBe(2);
  expect([...charges.values()].toSorted()).toEqual(["A", "B"]);
});

test("an approval within an agent stays with the input that the agent had", async () => {
  const paid: string[] = [];
  const pay = tool<{ order: string }>({
    name: "pay",
    input: order,
    approval: true,
    execute: ({ order: name }) => `paid ${paid.push(name) && name}`,
  });
  const helper = new Agent({
    name: "Helper",
    tools: [pay],
    model: new FunctionModel(({ messages }) => {
      const [first] = messages;
      const name = first?.role === "user" && typeof first.content === "string" ? first.content : "";
      return messages.at(-1)?.role === "tool"
        ? `paid ${name}`
        : { toolCalls: [{ toolName: "pay", arguments: { order: name } }] };
    }),
  });
  let passes = 0;
  const answers: unknown[] = [];
  const both = tool({
    name: "both",
    input: empty,
    execute: async (_, context) => {
      const isFirst = (passes += 1) === 1;
      const ask = async (name: string, delay: number) => {
        await sleep(delay);
        return [name, await context.runAgent(helper, name)];
      };
      answers.push(...(await Promise.all([ask("Ann", isFirst ? 1 : 15), ask("Bob", isFirst ? 15 : 1)])));
      return "done";
    },
  });
  const agent = new Agent({ name: "Boss", model: callOnce("both"), tools: [both] });
  let { state, pending, status } = await run(agent, "go");
  for (let round = 0; round < 3 && status === "paused"; round++)
    ({ state, pending, status } = await run(agent, state, { approvals: approve(pending) }));
  expect(status).toBe("completed");
  expect(answers).toEqual([
    ["Ann", "paid Ann"],
    ["Bob", "paid Bob"],
  ]);
  expect(paid.toSorted()).toEqual(["Ann", "Bob"]);
});

test("arguments for an agent's call that are not an object are refused before anything is executed", async () => {
  const paid: string[] = [];
  const pay = tool({ name: "pay", input: empty, approval: true, execute: () => paid.push("paid") });
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ toolName: "pay" }] },
  );
  const sub = new Agent({ name: "Sub", model, tools: [pay] });
  const boss = new Agent({
    name: "Boss",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? "Done."
        : { toolCalls: [{ toolName: "pay" }, { toolName: "sub", arguments: { input: "go" } }] },
    ),
    tools: [pay, sub.asTool()],
  });
  const { state, pending } = await run(boss, "go");
  expect(pending).toHaveLength(2);
  const [own, within] = approve(pending);
  for (const edited of ["{broken", "5", "[]"]) {
    const approvals = [own!, { ...within!, arguments: edited }];
    await expect(run(boss, state, { approvals })).rejects.toMatchObject({ code: "invalid-input" });
  }
  expect(paid).toEqual([]);
});
