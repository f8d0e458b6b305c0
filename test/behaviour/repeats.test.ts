import { expect, test } from "vitest";
import { Agent, run, tool, type RunOptions } from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type ScriptedTurn } from "skein/testing";

const item = { type: "object", properties: { id: { type: "string" } } } as const;
const note =
  "Note: this call has had the same result 3 times in a row. Do something else, or answer with what you have.";

const status = (answer: (count: number) => unknown = () => "pending") => {
  let count = 0;
  return tool({ name: "status", input: item, execute: () => answer(count++) });
};

const call = (args: Readonly<Record<string, string>> = {}, toolName = "status"): ScriptedTurn => ({
  toolCalls: [{ toolName, arguments: args }],
});

const times = (count: number, turn: ScriptedTurn = call()): readonly ScriptedTurn[] =>
  Array.from({ length: count }, () => turn);

async function runOf(
  turns: readonly ScriptedTurn[],
  tools = [status()],
  options: RunOptions = { maxRepeats: 3 },
) {
  const agent = new Agent({ name: "A", model: new ScriptedModel([...turns, "done"]), tools });
  const outcome = await run(agent, "go", options);
  const notes = outcome.messages.flatMap((message) =>
    message.role === "tool"
      ? [message.result.content.filter((part) => part.type === "text" && part.note === true).length]
      : [],
  );
  return { ...outcome, notes };
}

test("the third equal result in a row has a note for the model, and the next one ends the run", async () => {
  const outcome = await runOf(times(5));
  expect(outcome).toMatchObject({ status: "repeating", turns: 4, pending: [], notes: [0, 0, 1, 0] });
  const third = outcome.messages[5];
  expect(third?.role === "tool" && third.result.content).toEqual([
    { type: "text", text: "pending" },
    { type: "text", text: note, note: true },
  ]);
});

test("a model that does something else then goes on", async () => {
  expect(await runOf(times(3))).toMatchObject({ status: "completed", notes: [0, 0, 1] });
});

test("without the option nothing is compared", async () => {
  expect(await runOf(times(12), [status()], {})).toMatchObject({ status: "completed", turns: 13 });
});

test("calls with other arguments never count, nor does a result that changes", async () => {
  const distinct = Array.from({ length: 15 }, (_, id) => call({ id: String(id) }));
  expect(await runOf(distinct)).toMatchObject({ status: "completed" });
  const polling = await runOf(times(15), [status((count) => (count % 3 === 2 ? `${count} %` : "pending"))]);
  expect(polling).toMatchObject({ status: "completed" });
  expect(polling.notes).not.toContain(1);
});

test("a model that goes in circles repeats itself, however it writes the arguments", async () => {
  const other = tool({
    name: "other",
    input: item,
    execute: (args: Readonly<Record<string, unknown>>) => args,
  });
  const one = (text: string): ScriptedTurn => ({ toolCalls: [{ toolName: "status", arguments: text }] });
  const circle = ['{"id":"a"}', '{ "id": "a" }', '{"id":"a"}', '{"id" : "a"}'].flatMap((text, index) => [
    one(text),
    call({ id: String(index) }, "other"),
  ]);
  expect(await runOf(circle, [status(), other])).toMatchObject({ status: "repeating", turns: 7 });
});

test("equal calls of one answer count as one: the model has not seen their results", async () => {
  const many: ScriptedTurn = { toolCalls: Array.from({ length: 6 }, () => ({ toolName: "status" })) };
  expect(await runOf(times(2, many))).toMatchObject({ status: "completed" });
  expect(await runOf(times(4, many))).toMatchObject({ status: "repeating", turns: 4 });
});

test("the same mistake made again counts", async () => {
  const failing = status(() => {
    throw new Error("no such order");
  });
  expect(await runOf(times(5), [failing])).toMatchObject({ status: "repeating", turns: 4 });
});

test("what the user has said starts the count over, and so does resuming the run that has ended", async () => {
  const session = memorySession();
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" && messages.length % 3 === 0
      ? "done"
      : { toolCalls: [{ toolName: "status" }] },
  );
  const agent = new Agent({ name: "A", model, tools: [status()] });
  for (let message = 0; message < 6; message++)
    expect(await run(agent, "and now?", { session, maxRepeats: 2 })).not.toMatchObject({
      status: "repeating",
    });
  const stuck = new Agent({ name: "A", model: new ScriptedModel(times(8)), tools: [status()] });
  const first = await run(stuck, "go", { maxRepeats: 3 });
  expect(first).toMatchObject({ status: "repeating", turns: 4 });
  expect(await run(stuck, first.state, { maxRepeats: 3 })).toMatchObject({ status: "repeating", turns: 4 });
});

test("agents within the run have the same limit", async () => {
  const helper = new Agent({ name: "Helper", model: new ScriptedModel(times(4)), tools: [status()] });
  const outcome = await runOf([call({ input: "go" }, "helper")], [helper.asTool()]);
  expect(outcome.status).toBe("completed");
  expect(outcome.agentRuns).toMatchObject([{ agent: "Helper", status: "repeating" }]);
});

test("a result that was cut is compared without the id by which its rest is read", async () => {
  const long = tool({ name: "status", input: item, maxResultChars: 100, execute: () => "word ".repeat(100) });
  expect(await runOf(times(6), [long])).toMatchObject({ status: "repeating", turns: 4 });
});

test("properties in another order are the same result", async () => {
  const turning = status((count) => (count % 2 === 0 ? { a: 1, b: 2 } : { b: 2, a: 1 }));
  expect(await runOf(times(6), [turning])).toMatchObject({ status: "repeating", turns: 4 });
});

test("a hidden result never counts: what it hides may have changed", async () => {
  const secret = tool({ name: "status", input: item, mask: true, execute: () => "s3cret" });
  expect(await runOf(times(6), [secret])).toMatchObject({ status: "completed", turns: 7 });
});

test("corrections of the output do not start the count over", async () => {
  const model = new FunctionModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "no JSON" : { toolCalls: [{ toolName: "status" }] },
  );
  const output = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;
  const agent = new Agent({ name: "A", model, tools: [status()], output });
  expect(await run(agent, "go", { maxRepeats: 3 })).toMatchObject({ status: "repeating" });
});
