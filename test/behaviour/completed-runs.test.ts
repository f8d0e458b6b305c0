/** A run that has completed and is resumed returns its answer again: nothing is asked and nothing is done. */
import { describe, expect, test } from "vitest";
import { Agent, result, run, tool, type AgentOptions } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { FunctionModel, type TurnLike } from "skein/testing";

const empty = { type: "object", properties: {} } as const;
const call = (...names: string[]) => ({ toolCalls: names.map((toolName) => ({ toolName })) });
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

/** An agent whose model counts its answers. */
function counted(reply: TurnLike, options: Partial<AgentOptions> = {}) {
  const answers: number[] = [];
  const model = new FunctionModel(() => {
    answers.push(1);
    return reply;
  });
  return { answers, agent: new Agent({ name: "A", model, ...options }) };
}

const finish = tool({
  name: "finish",
  input: empty,
  execute: () => result({ value: { city: "Nice" }, final: true }),
});
const note = tool({ name: "note", input: empty, execute: () => "noted" });

describe.each([
  ["a text", "Paris", {}, "Paris", undefined],
  ["the result of a final tool", call("finish"), { tools: [finish] }, '{"city":"Nice"}', undefined],
  [
    "the result of one final tool among others",
    call("finish", "note"),
    { tools: [finish, note] },
    '{"city":"Nice"}',
    undefined,
  ],
  [
    "an output",
    { toolCalls: [{ toolName: "final_answer", arguments: { city: "Rome" } }] },
    { output: city },
    '{"city":"Rome"}',
    { city: "Rome" },
  ],
  [
    "an output of a final tool",
    call("finish"),
    { tools: [finish], output: city },
    '{"city":"Nice"}',
    { city: "Nice" },
  ],
] as const)("%s", (_, reply, options, text, output) => {
  test("is returned again for the state", async () => {
    const { agent, answers } = counted(reply, options);
    const first = await run(agent, "Where?");
    expect(first).toMatchObject({ status: "completed", text });
    const again = await run(agent, JSON.parse(JSON.stringify(first.state)));
    expect(again).toMatchObject({ status: "completed", text, turns: 0, messages: [] });
    expect(again.output).toEqual(output);
    expect(again.state.messages).toEqual(first.state.messages);
    expect(again.state.usage).toEqual(first.state.usage);
    expect(answers).toHaveLength(1);
  });

  test("is returned again for the session", async () => {
    const { agent, answers } = counted(reply, options);
    const session = memorySession();
    await run(agent, "Where?", { session });
    expect(await run(agent, [], { session })).toMatchObject({ status: "completed", text, output });
    expect(answers).toHaveLength(1);
    expect(await run(agent, "And then?", { session })).toMatchObject({ status: "completed" });
    expect(answers).toHaveLength(2);
  });
});

test("a run that ended for another reason goes on", async () => {
  const { agent, answers } = counted(call("note"), { tools: [note] });
  const { state } = await run(agent, "go", { maxTurns: 1 });
  expect(await run(agent, state, { maxTurns: 1 })).toMatchObject({ status: "max-turns" });
  expect(answers).toHaveLength(2);
});

describe("a completed run whose resumption", () => {
  const decisions = [{ approvalId: "unknown", decision: "approve" }] as const;

  test.each([
    ["is refused", { approvals: decisions }],
    ["is cancelled at once", { signal: AbortSignal.abort() }],
  ])("%s stays completed", async (_, options) => {
    const { agent, answers } = counted("Paris");
    const session = memorySession();
    const { state } = await run(agent, "Where?", { session });
    await run(agent, [], { session, ...options }).catch((error: unknown) => error);
    const ofState = await run(agent, state, options).catch((error: unknown) => error);
    expect((await readSession(session)).state).toMatchObject({ status: "completed" });
    expect(ofState).toMatchObject({ state: { status: "completed" } });
    expect(await run(agent, [], { session })).toMatchObject({ status: "completed", text: "Paris" });
    expect((await readSession(session)).messages).toHaveLength(2);
    expect(answers).toHaveLength(1);
  });

  test("ends with its process stays completed", async () => {
    const { agent, answers } = counted("Paris");
    const session = memorySession();
    await run(agent, "Where?", { session });
    const { entries } = await session.load();
    await run(agent, [], { session });
    const openEntries = (await session.load()).entries.slice(entries.length, entries.length + 1);
    const left = memorySession();
    await left.append([
      ...entries,
      ...openEntries.map((entry) => (entry.type === "claim" ? { ...entry, until: 1 } : entry)),
    ]);
    expect(await run(agent, [], { session: left })).toMatchObject({ status: "completed", text: "Paris" });
    expect(answers).toHaveLength(1);
  });
});
