/** The keys, the requests and the calls that middlewares get. */
import { Agent, type Middleware, run, type StepKey, tool } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";

const input = { type: "object", properties: { amount: { type: "number" } } };

function payer(approval: boolean) {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input,
    approval,
    execute: ({ amount }: { amount?: number }) => paid.push(amount),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "pay", arguments: { amount: 1 } }] }, "done"]);
  return { paid, model, agent: new Agent({ name: "Payer", model, tools: [pay] }) };
}

test("info.key.decided tells a call that a person has decided on from the one that asked, in tool and in step", async () => {
  const keys: [string, StepKey][] = [];
  const noting: Middleware = {
    tool(call, { key }, next) {
      keys.push(["tool", key]);
      return next(call);
    },
    step(key, next) {
      if (key.kind === "tool") keys.push(["step", key]);
      return next();
    },
  };
  const { agent, paid } = payer(true);
  const paused = await run(agent, "x", { middleware: [noting] });
  const approvals = paused.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  await run(agent, paused.state, { middleware: [noting], approvals });
  expect(keys.map(([name, { id, decided }]) => [name, id, decided])).toEqual([
    ["step", "call_1", undefined],
    ["tool", "call_1", undefined],
    ["step", "call_1", true],
    ["tool", "call_1", true],
  ]);
  expect(paid).toEqual([1]);
});

test("a step function that fails on a summary fails the run, which does not continue without the summary", async () => {
  const summarize = new FunctionModel(() => "Notes.");
  const failing: Middleware = {
    async step(key, next) {
      const value = await next();
      if (key.kind === "summary") throw new Error("the disk is full");
      return value;
    },
  };
  const history = Array.from({ length: 10 }, (_, index) => ({
    role: "user" as const,
    content: `${index} ${"word ".repeat(500)}`,
  }));
  const model = new ScriptedModel(["never"]);
  await expect(
    run(new Agent({ name: "A", model }), history, {
      middleware: [failing],
      compaction: { maxTokens: 3_000, summarize },
    }),
  ).rejects.toMatchObject({
    message: expect.stringContaining("the disk is full"),
    state: { status: "running" },
  });
  expect(model.requests).toHaveLength(0);
});

test("requests and calls are copies: what a middleware writes into one has no effect on the others", async () => {
  const { agent, model, paid } = payer(false);
  const writing: Middleware = {
    async *model(request, _info, next) {
      const copy = {
        ...request,
        messages: [...request.messages],
        tools: request.tools?.map((each) => ({ ...each })),
      };
      Object.assign(request.messages[0] ?? {}, { content: "changed" });
      Object.assign(request.tools?.[0] ?? {}, { name: "changed" });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program in JavaScript may write into it
      (request.messages as unknown[]).length = 0;
      yield* next({ ...request, messages: copy.messages, ...(copy.tools && { tools: copy.tools }) });
    },
    tool(call, _info, next) {
      const copy = { ...call };
      Object.assign(call, { arguments: '{"amount":500}', toolName: "changed", toolCallId: "changed" });
      return next(copy);
    },
  };
  const { state, messages } = await run(agent, "x", { middleware: [writing] });
  expect(paid).toEqual([1]);
  expect(state.messages[0]).toMatchObject({ content: "x" });
  expect(messages[0]).toMatchObject({ toolCalls: [{ toolName: "pay", arguments: '{"amount":1}' }] });
  expect(messages[1]).toMatchObject({
    result: { toolCallId: "call_1", toolName: "pay", outcome: "success" },
  });
  expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([["pay"], ["pay"]]);
});
