import { expect, test } from "vitest";
import { Agent, run, stream, type RunEvent } from "skein";
import { ScriptedModel } from "skein/testing";
import { decide, failure, idsOf, look, pay, resultsOf, stored, team, textsOf } from "./test-clerk.ts";

test("a call that needs approval waits while the rest of its batch runs, and pauses the run", async () => {
  const { agent, model, done } = team([{ toolCalls: [pay(5), look] }]);
  const paused = await run(agent, "go");
  expect(done).toEqual(["look"]);
  expect(paused).toMatchObject({
    status: "paused",
    pending: [{ toolCallId: "call_1", toolName: "pay", approvalId: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    state: { status: "paused", approvals: [{ toolCallId: "call_1", approvalId: idsOf(paused)[0] }] },
  });
  expect(stored(paused.state)).toEqual(paused.state);
  expect(model.requests).toHaveLength(1);
});

test("a call that needs approval is executed once it is approved, and the run goes on", async () => {
  const { agent, done } = team([{ toolCalls: [pay(5), look] }, "Paid."]);
  const paused = await run(agent, "go");
  const resumed = await run(agent, stored(paused.state), decide(paused));
  expect(resumed).toMatchObject({ status: "completed", text: "Paid.", pending: [] });
  expect(resumed.state.approvals).toBeUndefined();
  expect(done).toEqual(["look", "pay 5"]);
});

test("a call that needs approval is not executed if it is denied, and the model sees the reason", async () => {
  const { agent, model, done } = team([{ toolCalls: [pay(5)] }, "I see."]);
  const paused = await run(agent, "go");
  const events: RunEvent[] = [];
  const resumed = await run(agent, paused.state, {
    ...decide(paused, "deny", { reason: "Too much." }),
    onEvent: (event) => events.push(event),
  });
  expect(done).toEqual([]);
  expect(resultsOf(resumed)).toMatchObject([{ toolCallId: "call_1", outcome: "denied", isError: true }]);
  expect(textsOf(resumed)).toEqual(["pay was not called: it was not approved. The reason given: Too much."]);
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["tool-start", "tool-end"]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", result: { outcome: "denied" } });
});

test("a call that needs approval stays pending without a decision: neither the model nor the policy is called", async () => {
  let policyCalls = 0;
  const { agent, model, done } = team([{ toolCalls: [pay(5)] }], { approval: () => ++policyCalls === 1 });
  const paused = await run(agent, "go");
  const events: RunEvent[] = [];
  const again = await run(agent, stored(paused.state), { onEvent: (event) => events.push(event) });
  expect(again.status).toBe("paused");
  expect(again.pending).toEqual(paused.pending);
  expect(again.state.approvals).toEqual(paused.state.approvals);
  expect(events).toMatchObject([
    { type: "approval-request", approvalId: idsOf(paused)[0], input: { amount: 5 } },
    { type: "run-end", status: "paused" },
  ]);
  expect([policyCalls, model.requests.length, done]).toEqual([1, 1, []]);
});

test("a call that needs approval can be decided on one by one", async () => {
  const { agent, model, done } = team([{ toolCalls: [pay(1), pay(2), pay(3)] }, "Done."]);
  const first = await run(agent, "go");
  const [one = "", two = "", three = ""] = idsOf(first);
  const second = await run(agent, stored(first.state), {
    approvals: [
      { approvalId: two, decision: "approve" },
      { approvalId: three, decision: "deny" },
    ],
  });
  expect(second.status).toBe("paused");
  expect(idsOf(second)).toEqual([one]);
  expect(done).toEqual(["pay 2"]);
  expect(model.requests).toHaveLength(1);
  const third = await run(agent, stored(second.state), decide(second));
  expect([third.status, done]).toEqual(["completed", ["pay 2", "pay 1"]]);
});

test("a call that needs approval by a function calls it with arguments and context, once", async () => {
  const seen: unknown[] = [];
  const { agent, done } = team([{ toolCalls: [pay("5"), pay(500)] }, "Done."], {
    approval: (args: { amount: number }, { context, agent: asking }) => {
      seen.push([args.amount, context, asking?.name]);
      return Promise.resolve(args.amount > 100);
    },
  });
  const paused = await run(agent, "go", { context: { user: "ada" } });
  expect(done).toEqual(["pay 5"]);
  const resumed = await run(agent, stored(paused.state), decide(paused));
  expect(done).toEqual(["pay 5", "pay 500"]);
  expect(resumed.status).toBe("completed");
  expect(seen).toHaveLength(2);
  for (const amount of [5, 500]) expect(seen).toContainEqual([amount, { user: "ada" }, "Clerk"]);
});

test.each([
  ["throws", () => expect.fail("the service is down")],
  ["rejects", () => Promise.reject(new Error("the service is down"))],
  ["gives nothing", () => undefined as never],
])("a call that needs approval waits if the function that decides %s", async (how, approval) => {
  const { agent, done } = team([{ toolCalls: [pay(5)] }], { approval });
  const paused = await run(agent, "go");
  expect([paused.status, done]).toEqual(["paused", []]);
  const warning =
    "A person has to decide, because the approval function of the tool pay failed: the service is down";
  expect(paused.warnings).toEqual(how === "gives nothing" ? [] : [warning]);
});

test("a call that needs approval needs another approval in a later turn, though the model gives it the same id and arguments", async () => {
  const call = { ...pay(5), toolCallId: "call" };
  const { agent, done } = team([{ toolCalls: [call] }, { toolCalls: [call] }]);
  const first = await run(agent, "go");
  const second = await run(agent, stored(first.state), decide(first));
  expect([second.status, done]).toEqual(["paused", ["pay 5"]]);
  expect(idsOf(second)).not.toEqual(idsOf(first));
  const error = await failure(run(agent, stored(second.state), decide(first)));
  expect(error.message).toContain("is not pending");
  expect(done).toEqual(["pay 5"]);
});

test("a call that needs approval emits a request event instead of an end event", async () => {
  const { agent } = team([{ toolCalls: [pay("5")] }]);
  const running = stream(agent, "go");
  const events: RunEvent[] = [];
  for await (const event of running) events.push(event);
  expect(events.map(({ type }) => type)).toEqual([
    "turn-start",
    "model-start",
    "tool-input-delta",
    "model-end",
    "tool-start",
    "approval-request",
    "turn-end",
    "run-end",
  ]);
  expect(events[5]).toMatchObject({
    agent: "Clerk",
    approvalId: idsOf(await running.result)[0],
    toolCall: { toolCallId: "call_1", arguments: '{"amount":"5"}' },
    input: { amount: 5 },
  });
});

test("a call that needs approval belongs to the agent that made it, though the lead has passed on in the meantime", async () => {
  const { agent, done } = team([]);
  const model = new ScriptedModel([
    { toolCalls: [pay(5), { toolName: "transfer_to_sales" }] },
    "Welcome to sales.",
  ]);
  const desk = agent.with({ model, handoffs: [new Agent({ name: "Sales", model })] });
  const paused = await run(desk, "go");
  expect(paused.state.agent).toBe("Sales");
  const resumed = await run(desk, stored(paused.state), decide(paused));
  expect(done).toEqual(["pay 5"]);
  expect([resumed.agent.name, resumed.text]).toEqual(["Sales", "Welcome to sales."]);
});

test("a call that needs approval is not executed if the run is cancelled during the function", async () => {
  const controller = new AbortController();
  const { agent, done } = team([{ toolCalls: [pay(5)] }], {
    approval: () => {
      controller.abort();
      return new Promise<boolean>(() => undefined);
    },
  });
  const cancelled = await run(agent, "go", { signal: controller.signal });
  expect([cancelled.status, done]).toEqual(["cancelled", []]);
  expect(resultsOf(cancelled)).toMatchObject([{ outcome: "cancelled" }]);
});
