/** A list of messages may come from anywhere: a browser, a file. Only states and sessions say which calls are to be executed. */
import { expect, test } from "vitest";
import { Agent, run, tool, type Message } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { storesIn, temporaryFolder } from "../../src/sessions/test-stores.ts";
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
  ["with a new session", { session: memorySession() }],
  ["alone", {}],
])("a list that ends with open calls is refused, %s: nothing is executed", async (_title, options) => {
  await expect(run(agentOf(), list, options)).rejects.toMatchObject({
    code: "invalid-input",
    message: expect.stringMatching(/^The messages end with calls that have no result \(c1\).*Pass the state/),
    data: { pending: ["c1"] },
  });
  expect(effects).toEqual([]);
});

test.each(storesIn(temporaryFolder()))(
  "with a session that has a conversation (%s), nothing of it is executed or stored, at any later time",
  async (_, newSession) => {
    const session = newSession();
    const model = new FunctionModel(() => "Done.");
    const agent = new Agent({ name: "A", model, tools: [pay] });
    await run(agent, "Hello", { session });
    const before = (await readSession(session)).messages;
    await expect(run(agent, list, { session })).rejects.toMatchObject({ code: "invalid-input" });
    expect((await readSession(session)).messages).toEqual(before);
    expect(await run(agent, "And now?", { session })).toMatchObject({ status: "completed" });
    expect(effects).toEqual([]);
  },
);

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
