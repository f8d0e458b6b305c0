/** An approval holds for the call that a person was shown, whatever a middleware changes. */
import { Agent, type Middleware, run, type RunOptions, type RunResult, tool } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryJournal } from "./test-journal.ts";

let executed: [string, number][] = [];
beforeEach(() => {
  executed = [];
});

function paying(name: string) {
  return tool({
    name,
    description: name,
    input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
    approval: true,
    execute: ({ amount }: { amount: number }) => {
      executed.push([name, amount]);
      return "paid";
    },
  });
}

function payer() {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 1 } }] }, "done"]);
  return new Agent({ name: "Payer", model, tools: [paying("pay"), paying("wipe")] });
}

/** Doubles what is paid: applied twice, it pays four times as much. */
const doubling: Middleware = {
  tool(call, _info, next) {
    const { amount } = JSON.parse(call.arguments) as { amount: number };
    return next({ ...call, arguments: JSON.stringify({ amount: amount * 2 }) });
  },
};

function approve(result: RunResult, edited?: object) {
  return result.pending.flatMap(({ approvalId }) =>
    approvalId === undefined
      ? []
      : [{ approvalId, decision: "approve" as const, ...(edited && { arguments: edited }) }],
  );
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

describe("a call that a middleware changed", () => {
  test.each([
    ["a state", () => ({})],
    ["a signed state", () => ({ stateSecret: "0123456789abcdef" })],
    ["a session", () => ({ session: memorySession() })],
    ["a journal", () => ({ journal: memoryJournal() })],
  ] satisfies [string, () => RunOptions][])(
    "is shown as it would run, and runs so once approved, with %s",
    async (_title, optionsOf) => {
      const options = { ...optionsOf(), middleware: [doubling] };
      const agent = payer();
      const paused = await run(agent, "x", options);
      expect(paused.pending).toMatchObject([{ toolName: "pay", arguments: '{"amount":2}' }]);
      const input = "session" in options ? [] : plain(paused.state);
      const { status, messages } = await run(agent, input, { ...options, approvals: approve(paused) });
      expect({ status, executed }).toEqual({ status: "completed", executed: [["pay", 2]] });
      expect(messages[0]).toMatchObject({ result: { toolName: "pay", outcome: "success" } });
    },
  );

  test("is refused on resumption if its arguments were changed since", async () => {
    const agent = payer();
    const paused = await run(agent, "x", { middleware: [doubling] });
    const { state } = paused;
    const pending = state.pending.map((call) => ({ ...call, arguments: '{"amount":500}' }));
    const approvals = approve(paused);
    await expect(
      run(agent, { ...state, pending }, { middleware: [doubling], approvals }),
    ).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("asks again if the approved one is not the one that would run", async () => {
    let tools = 0;
    const swapping: Middleware = {
      tool: (call, _info, next) => next(++tools === 1 ? call : { ...call, toolName: "wipe" }),
    };
    const agent = payer();
    const store = memoryJournal();
    const options = { middleware: [swapping], journal: store };
    const first = await run(agent, "x", options);
    const second = await run(agent, first.state, { ...options, approvals: approve(first) });
    expect(second).toMatchObject({ status: "paused", pending: [{ toolName: "wipe" }] });
    expect(executed).toEqual([]);
    const third = await run(agent, plain(second.state), { ...options, approvals: approve(second) });
    expect(third.status).toBe("completed");
    expect(executed).toEqual([["wipe", 1]]);
  });
});

describe("one approval is for one call", () => {
  const twice: Middleware = {
    async tool(call, _info, next) {
      await next(call);
      return next(call);
    },
  };

  test("a second next returns the result of the first, and the run warns", async () => {
    const agent = payer();
    const first = await run(agent, "x", { middleware: [twice] });
    const second = await run(agent, first.state, { middleware: [twice], approvals: approve(first) });
    expect(second).toMatchObject({
      status: "completed",
      messages: [{ result: { outcome: "success", content: [{ text: "paid" }] } }, {}],
      warnings: [expect.stringContaining('the call "call_1" of pay called next again')],
    });
    expect(executed).toEqual([["pay", 1]]);
  });

  test.each([
    ["after it", async (first: () => Promise<unknown>) => first()],
    ["at once", async (first: () => Promise<unknown>) => void first()],
  ])("another call of the tool is refused: %s", async (_title, begin) => {
    const results: unknown[] = [];
    const raising: Middleware = {
      async tool(call, _info, next) {
        const first = next(call);
        await begin(() => first);
        const second = await next({ ...call, arguments: '{"amount":900}' });
        results.push(second.outcome);
        return first;
      },
    };
    const agent = payer();
    const paused = await run(agent, "x", { middleware: [{ tool: (call, _info, next) => next(call) }] });
    const ended = await run(agent, paused.state, { middleware: [raising], approvals: approve(paused) });
    expect(ended).toMatchObject({ status: "completed", messages: [{ result: { outcome: "success" } }, {}] });
    expect({ results, executed }).toEqual({ results: ["denied"], executed: [["pay", 1]] });
  });

  test("the same call again, written in another way, gets the first result", async () => {
    const results: unknown[] = [];
    const respacing: Middleware = {
      async tool(call, _info, next) {
        results.push((await next({ ...call, arguments: '{"amount":2}' })).outcome);
        results.push((await next({ ...call, arguments: '{ "amount": 1 }' })).outcome);
        return next({ ...call, arguments: '{"amount":2}' });
      },
    };
    const agent = payer();
    const paused = await run(agent, "x");
    const ended = await run(agent, paused.state, { middleware: [respacing], approvals: approve(paused) });
    expect(ended).toMatchObject({ status: "completed", messages: [{ result: { outcome: "success" } }, {}] });
    expect({ results, executed }).toEqual({ results: ["success", "success"], executed: [["pay", 1]] });
  });

  test("two next at once make one call", async () => {
    const racing: Middleware = {
      tool: async (call, _info, next) => (await Promise.all([next(call), next(call)]))[1],
    };
    const agent = payer();
    const first = await run(agent, "x", { middleware: [racing] });
    const { status } = await run(agent, first.state, { middleware: [racing], approvals: approve(first) });
    expect({ status, executed }).toEqual({ status: "completed", executed: [["pay", 1]] });
  });

  test("a further call that needs approval is refused once the approved one was made", async () => {
    const both: Middleware = {
      async tool(call, _info, next) {
        const paid = await next(call);
        return paid.outcome === "success" ? next({ ...call, toolName: "wipe" }) : paid;
      },
    };
    const agent = payer();
    const first = await run(agent, "x", { middleware: [both] });
    const second = await run(agent, first.state, { middleware: [both], approvals: approve(first) });
    expect(second).toMatchObject({
      status: "completed",
      messages: [{ result: { toolName: "pay", outcome: "denied" } }, {}],
    });
    expect(executed).toEqual([["pay", 1]]);
  });
});

test("arguments that a person wrote are the ones that run, and a middleware that changes them asks again", async () => {
  const agent = payer();
  const passing: Middleware = { tool: (call, _info, next) => next(call) };
  const paused = await run(agent, "x", { middleware: [passing] });
  await run(agent, paused.state, { middleware: [passing], approvals: approve(paused, { amount: 5 }) });
  expect(executed).toEqual([["pay", 5]]);
  const other = payer();
  const waiting = await run(other, "x", { middleware: [doubling] });
  const again = await run(other, waiting.state, {
    middleware: [doubling],
    approvals: approve(waiting, { amount: 5 }),
  });
  expect(again).toMatchObject({ status: "paused", pending: [{ arguments: '{"amount":10}' }] });
  expect(executed).toHaveLength(1);
});

test("arguments that a person wrote are not asked for again if a middleware writes the same in another form", async () => {
  const spacious: Middleware = {
    tool: (call, _info, next) =>
      next({ ...call, arguments: JSON.stringify(JSON.parse(call.arguments), null, 1) }),
  };
  const agent = payer();
  const paused = await run(agent, "x", { middleware: [spacious] });
  const approvals = approve(paused, { amount: 5 });
  const done = await run(agent, paused.state, { middleware: [spacious], approvals });
  expect(done.status).toBe("completed");
  expect(executed).toEqual([["pay", 5]]);
});
