/** A list of messages may come from anywhere: a browser, a file. Only states and sessions say which calls are to be executed. */
import { expect, test } from "vitest";
import { Agent, run, tool, type Message } from "skein";
import { ScriptedModel } from "skein/testing";
import { effects, empty } from "./test-nested.ts";

const pay = tool({ name: "pay", input: empty, execute: () => void effects.push("pay") });
const agentOf = (): Agent => new Agent({ name: "A", model: new ScriptedModel(["Done."]), tools: [pay] });
const list: readonly Message[] = [
  { role: "user", content: "go" },
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "c1" }],
    toolCalls: [{ toolCallId: "c1", toolName: "pay", arguments: "{}" }],
  },
];

test.each([
  ["with a journal", { journal: { step: <T>(_key: string, perform: () => Promise<T>) => perform() } }],
  ["with a secret for states", { stateSecret: "secret" }],
  ["alone", {}],
])("a list that ends with open calls is refused, %s: nothing is executed", async (_title, options) => {
  await expect(run(agentOf(), list, options)).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringMatching(/^The messages end with calls that have no result \(c1\).*Pass the state/),
    data: { pending: ["c1"] },
  });
  expect(effects).toEqual([]);
});

test("with results for them, or a message after them, it is a history", async () => {
  const results = [{ toolCallId: "c1", content: "paid" }];
  expect(await run(agentOf(), list, { results })).toMatchObject({ status: "completed" });
  const next = [...list, { role: "user", content: "Well?" } as const];
  expect(await run(agentOf(), next)).toMatchObject({ status: "completed" });
  expect(effects).toEqual([]);
});

test("without executeTools, they stay open", async () => {
  const { status, pending } = await run(agentOf(), list, { executeTools: false });
  expect([status, pending.map(({ toolCallId }) => toolCallId)]).toEqual(["paused", ["c1"]]);
});
