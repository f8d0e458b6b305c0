/** Calls that are made again, over the data routes. */
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import type { ArgumentsView, CallAgainResult } from "../../src/studio/records.ts";
import { openData } from "./data.ts";

/** An agent that looks, pays and fails, and what was executed. */
function till(executed: unknown[] = []): Agent {
  const input = { type: "object", properties: { amount: { type: "number", maximum: 500 } } } as const;
  const act = (name: string, more: object, execute: (amount: number, context: unknown) => unknown) =>
    tool({
      name,
      input,
      ...more,
      execute: ({ amount }: { readonly amount: number }, { context }) => {
        executed.push([name, amount, context]);
        return execute(amount, context);
      },
    });
  return new Agent({
    name: "Till",
    model: new ScriptedModel([
      {
        toolCalls: [
          { toolName: "look", arguments: { amount: 1 } },
          { toolName: "change", arguments: { amount: 2 } },
          { toolName: "fail", arguments: { amount: 3 } },
        ],
      },
      "Done.",
    ]),
    tools: [
      act("look", { readOnlyHint: true }, (amount) => `Saw ${amount}.`),
      act("change", { approval: false, requires: [] }, (amount) => ({ amount })),
      act("fail", {}, () => {
        throw new Error("It is broken.");
      }),
    ],
  });
}

test("a tool that changes nothing is executed again at once, with its arguments or others, and its context", async () => {
  const executed: unknown[] = [];
  const agent = till(executed);
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "r", context: { user: "ada" } });
  executed.length = 0;
  expect(await page.read<CallAgainResult>("/studio/again/r/2", {})).toMatchObject({
    outcome: "success",
    text: "Saw 1.",
  });
  const other = { arguments: '{"amount":7}' };
  expect(await page.read<CallAgainResult>("/studio/again/r/2", other)).toMatchObject({ text: "Saw 7." });
  expect(executed).toEqual([
    ["look", 1, { user: "ada" }],
    ["look", 7, { user: "ada" }],
  ]);
});

test("any other tool is executed only once that is confirmed, and what goes wrong is its result", async () => {
  const executed: unknown[] = [];
  const agent = till(executed);
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "r" });
  executed.length = 0;
  expect((await page.ask("/studio/again/r/3", {})).status).toBe(409);
  expect(executed).toEqual([]);
  const confirmed = { confirmed: true };
  expect(await page.read("/studio/again/r/3", confirmed)).toMatchObject({ text: '{"amount":2}' });
  const failed = await page.read("/studio/again/r/4", confirmed);
  expect(failed).toMatchObject({ outcome: "error", text: expect.stringContaining("It is broken.") });
  const wrong = { confirmed: true, arguments: '{"amount":900}' };
  expect(await page.read("/studio/again/r/3", wrong)).toMatchObject({ outcome: "invalid-arguments" });
  expect(executed).toHaveLength(2);
});

test("the person who has a call made again is the one who approves it", async () => {
  const paid: object[] = [];
  const pay = tool({
    name: "pay",
    input: { type: "object" },
    approval: true,
    requires: ["look"],
    execute: (input: object) => {
      paid.push(input);
      return "Paid.";
    },
  });
  const look = tool({ name: "look", input: { type: "object" }, execute: () => "" });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "look" }] },
    { toolCalls: [{ toolName: "pay" }] },
  ]);
  const agent = new Agent({ name: "Till", model, tools: [look, pay] });
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "r" });
  expect(paid).toEqual([]);
  expect(await page.read("/studio/again/r/4", { confirmed: true })).toMatchObject({ text: "Paid." });
  expect(paid).toHaveLength(1);
});

test.each([
  ["a handoff", 2],
  ["a step that is not a call", 1],
  ["a step that is not there", 9],
])("%s is not executed again", async (_what, step) => {
  const other = new Agent({ name: "B", model: new ScriptedModel(["Hello."]) });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "transfer_to_b" }] }]);
  const agent = new Agent({ name: "A", model, handoffs: [other] });
  const page = await openData([agent]);
  await run(agent, "Go.", { runId: "r" });
  expect((await page.ask(`/studio/again/r/${step}`, { confirmed: true })).status).toBe(404);
});

test("arguments that are deeper than any tool takes are shown as written, with what is wrong", async () => {
  const deep = `{"amount":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look", arguments: deep }] }, "Done."]);
  const agent = till().with({ model });
  const page = await openData([agent]);
  await run(agent, "Look", { runId: "r" });
  const view = await page.read<ArgumentsView>("/studio/runs/r/calls/2");
  expect(view).toMatchObject({ text: deep, isMended: false });
  expect(view).not.toHaveProperty("read");
  expect(view.issues).toHaveLength(1);
  expect((await page.run("r")).steps[1]).toMatchObject({ arguments: deep, outcome: "invalid-arguments" });
});
