import { expect, test } from "vitest";
import { Agent, executeToolCalls, run, tool, type RunEvent, type Tool, type ToolResult } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

const open = { type: "object" } as const;

/** Gives back what it is given. */
const echo = tool({ name: "echo", input: open, execute: (input) => input });
const find = tool({
  name: "find",
  input: open,
  execute: () => ({ user: { id: 7, "a/b": "slash" }, tags: ["x", "y"], none: null }),
});
const say = tool({ name: "say", input: open, execute: () => "a word" });
const fail = tool({
  name: "fail",
  input: open,
  execute: () => {
    throw new Error("no");
  },
});

const ref = (text: string) => ({ $result: text });
const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

/** Makes the calls in one answer; their ids are `call_1`, `call_2` and so on. */
async function batch(calls: readonly ScriptedToolCall[], tools: readonly Tool[] = [echo, find, say, fail]) {
  const model = new ScriptedModel([{ toolCalls: calls }, "done"]);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  const { messages, status } = await run(new Agent({ name: "A", model, tools }), "go", { onEvent });
  expect(status).toBe("completed");
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  return { results, values: results.map(({ structuredContent }) => structuredContent), events };
}

test("a reference is replaced by the part of the result that it names, wherever the calls stand", async () => {
  const { values } = await batch([
    { toolName: "echo", arguments: { id: ref("call_2/user/id"), all: [ref("call_2/tags/1")] } },
    { toolName: "find" },
    { toolName: "echo", arguments: { text: ref("call_4"), escaped: ref("call_2/user/a~1b") } },
    { toolName: "say" },
  ]);
  expect(values[0]).toEqual({ id: 7, all: ["y"] });
  expect(values[2]).toEqual({ text: "a word", escaped: "slash" });
});

test("a call can be named by its place in the answer, and by its tool where that is called once", async () => {
  const { values } = await batch([
    { toolName: "find" },
    { toolName: "echo", arguments: { place: ref("1/user/id"), name: ref("find/user/id") } },
  ]);
  expect(values[1]).toEqual({ place: 7, name: 7 });
});

test("validates the filled-in arguments, and calls the tool with them", async () => {
  const strict = tool({
    name: "strict",
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    execute: ({ id }) => `id ${String(id)}`,
  });
  const { results, events } = await batch(
    [
      { toolName: "find" },
      { toolName: "strict", arguments: { id: ref("call_1/user/id") } },
      { toolName: "strict", arguments: { id: ref("call_1/tags") } },
    ],
    [find, strict],
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "success", "invalid-arguments"]);
  expect(textOf(results[1] ?? raise())).toBe("id 7");
  expect(events.filter(({ type }) => type === "tool-start")).toMatchObject([
    {},
    { toolCall: { arguments: '{"id":7}' } },
    {},
  ]);
});

test("calls that need no other run side by side, and a chain runs in its order", async () => {
  const order: string[] = [];
  const beside = Promise.withResolvers<void>();
  const step = tool<{ name: string }>({
    name: "step",
    input: { type: "object", properties: { name: { type: "string" } } },
    execute: async ({ name }) => {
      order.push(`+${name}`);
      if (name === "x") beside.resolve();
      await beside.promise;
      order.push(`-${name}`);
      return { name };
    },
  });
  const named = (name: string, needs?: string) => ({
    toolName: "step",
    arguments: { name, ...(needs !== undefined && { needs: ref(needs) }) },
  });
  await batch([named("c", "call_2"), named("b", "call_3"), named("a"), named("x")], [step]);
  expect(order.slice(0, 2)).toEqual(["+a", "+x"]);
  const chain = order.filter((entry) => !entry.endsWith("x"));
  expect(chain).toEqual(["+a", "-a", "+b", "-b", "+c", "-c"]);
});

test("calls that wait for others take no place from those that can run", async () => {
  const model = new ScriptedModel([
    {
      toolCalls: [
        { toolName: "echo", arguments: { a: ref("call_3") } },
        { toolName: "echo", arguments: { a: ref("call_3") } },
        { toolName: "say" },
      ],
    },
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [echo, say] });
  const { status } = await run(agent, "go", { concurrency: 1 });
  expect(status).toBe("completed");
});

test.each([
  ["an unknown call", ref("call_9"), "an unknown call"],
  ["nothing", ref(""), "an unknown call"],
  [
    "an unknown part",
    ref("call_1/user/name"),
    'the result of call_1/user has no "name": it is an object with "id", "a/b"',
  ],
  ["a part of a text", ref("call_2/x"), 'has no "x": it is a text'],
  ["a part of a number", ref("call_1/user/id/x"), 'has no "x": it is 7'],
  ["a part of nothing", ref("call_1/none/x"), 'the result of call_1/none has no "x": it is null'],
  ["an item whose number is not one", ref("call_1/tags/1x"), 'has no "1x"'],
  ["an item beyond the end", ref("call_1/tags/2"), 'has no "2": it is a list of 2'],
  ["what every object inherits", ref("call_1/constructor"), 'has no "constructor"'],
  ["the length of a list", ref("call_1/tags/length"), 'has no "length"'],
  ["a very long text", ref("x/".repeat(10_000)), "an unknown call"],
])("a reference to %s is a correction", async (_, argument, words) => {
  const { results } = await batch([
    { toolName: "find" },
    { toolName: "say" },
    { toolName: "echo", arguments: { deep: [argument] } },
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "success", "invalid-arguments"]);
  expect(textOf(results[2] ?? raise())).toContain("$.deep[0]");
  expect(textOf(results[2] ?? raise())).toContain(words);
});

test("of an object with many properties a correction names ten", async () => {
  const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]));
  const { results } = await batch([
    { toolName: "echo", arguments: wide(10) },
    { toolName: "echo", arguments: wide(11) },
    { toolName: "echo", arguments: { a: ref("call_1/x"), b: ref("call_2/x") } },
  ]);
  const text = textOf(results[2] ?? raise());
  expect(text).toMatch(/\$\.a: .* it is an object with "p0", .*"p9": /);
  expect(text).toMatch(/\$\.b: .* it is an object with "p0", .*"p9" and more: /);
});

test("a call that refers to one which failed is not made, nor what refers to that one", async () => {
  const { results, events } = await batch([
    { toolName: "fail" },
    { toolName: "echo", arguments: { a: ref("call_1") } },
    { toolName: "echo", arguments: { a: ref("call_2") } },
    { toolName: "say" },
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["error", "not-executed", "not-executed", "success"]);
  expect(textOf(results[1] ?? raise())).toBe(
    "echo was not called: its arguments refer to call_1, which failed.",
  );
  expect(events.filter(({ type }) => type === "tool-start")).toHaveLength(4);
  expect(events.filter(({ type }) => type === "tool-end")).toHaveLength(4);
});

test("calls that refer to each other are corrections, and so is one that refers to itself", async () => {
  const { results } = await batch([
    { toolName: "echo", arguments: { a: ref("call_2") } },
    { toolName: "echo", arguments: { a: ref("call_1") } },
    { toolName: "echo", arguments: { a: ref("call_3") } },
    { toolName: "echo", arguments: { a: ref("call_2") } },
    { toolName: "say" },
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual([
    ...Array.from({ length: 4 }, () => "invalid-arguments"),
    "success",
  ]);
});

test("a call of an unknown tool with a reference in it leaves the others as they are", async () => {
  const { results } = await batch([
    { toolName: "say" },
    { toolName: "sya", arguments: { a: ref("call_1") } },
    { toolName: "echo", arguments: { a: ref("call_1") } },
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["success", "unknown-tool", "success"]);
});

test("a tool that has the property itself gets it as it was written", async () => {
  const own = tool({
    name: "own",
    input: { type: "object", properties: { $result: { type: "string" } } },
    execute: (input) => input,
  });
  const { values } = await batch([{ toolName: "own", arguments: { $result: "call_9" } }], [own]);
  expect(values).toEqual([{ $result: "call_9" }]);
});

test("an object that has more than the reference in it is none, and neither is a text", async () => {
  const args = { a: { $result: "x", more: 1 }, b: "$result", c: { $result: 1 } };
  const { values } = await batch([{ toolName: "echo", arguments: args }]);
  expect(values).toEqual([args]);
});

test("what is hidden from the model cannot be passed on by it", async () => {
  const secret = tool({
    name: "secret",
    input: open,
    mask: ["key"],
    execute: () => ({ key: "s3cret", id: 1 }),
  });
  const { results, values } = await batch(
    [
      { toolName: "secret" },
      { toolName: "echo", arguments: { key: ref("call_1/key") } },
      { toolName: "echo", arguments: { id: ref("call_1/id") } },
    ],
    [secret, echo],
  );
  expect(textOf(results[1] ?? raise())).toContain("hidden from you");
  expect(values[2]).toEqual({ id: 1 });
});

test("a text that has the word for what is hidden, of a tool that hides nothing, can be passed on", async () => {
  const page = tool({ name: "page", input: open, execute: () => "the [hidden] attribute" });
  const { values } = await batch(
    [{ toolName: "page" }, { toolName: "echo", arguments: { a: ref("page") } }],
    [page, echo],
  );
  expect(values[1]).toEqual({ a: "the [hidden] attribute" });
});

test("of a result that was cut the whole is passed on", async () => {
  const long = tool({ name: "long", input: open, maxResultChars: 10, execute: () => "x".repeat(5_000) });
  const size = tool({ name: "size", input: open, execute: ({ text }) => String(text).length });
  const { values } = await batch(
    [{ toolName: "long" }, { toolName: "size", arguments: { text: ref("call_1") } }],
    [long, size],
  );
  expect(values[1]).toBe(5_000);
});

test("results of earlier answers can be referred to by the id of the call", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "find" }] },
    { toolCalls: [{ toolName: "echo", arguments: { id: ref("call_1/user/id") } }] },
    "done",
  ]);
  const { messages } = await run(new Agent({ name: "A", model, tools: [find, echo] }), "go");
  expect(messages[3]).toMatchObject({ result: { structuredContent: { id: 7 } } });
});

test("results that are too long together are a correction, for any number of references", async () => {
  const long = tool({ name: "long", input: open, execute: () => "x".repeat(1_000_000) });
  const { results } = await batch(
    [
      { toolName: "long" },
      { toolName: "echo", arguments: { all: Array.from({ length: 2_000 }, () => ref("call_1")) } },
    ],
    [long, echo],
  );
  expect(results[1]?.outcome).toBe("invalid-arguments");
});

test("a call that refers to one which waits for a person is held, and made once there is a result", async () => {
  const pay = tool({ name: "pay", input: open, approval: true, execute: () => ({ receipt: "R1" }) });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "pay" }, { toolName: "echo", arguments: { r: ref("1/receipt") } }] },
    "done",
  ]);
  const agent = new Agent({ name: "A", model, tools: [pay, echo] });
  const paused = await run(agent, "go");
  expect(paused.status).toBe("paused");
  expect(paused.pending.map(({ toolName, approvalId }) => [toolName, approvalId !== undefined])).toEqual([
    ["pay", true],
    ["echo", false],
  ]);
  const approvalId = paused.pending[0]?.approvalId ?? "";
  const done = await run(agent, paused.state, { approvals: [{ approvalId, decision: "approve" }] });
  expect(done.status).toBe("completed");
  expect(done.messages[1]).toMatchObject({ result: { structuredContent: { r: "R1" } } });
});

test("references work in calls that are executed outside a run", async () => {
  const results = await executeToolCalls(
    [
      { toolCallId: "a/b", toolName: "find", arguments: "{}" },
      { toolCallId: "c", toolName: "echo", arguments: JSON.stringify({ id: ref("a/b/user/id") }) },
      { toolCallId: "c", toolName: "echo", arguments: '{"same": "id"}' },
    ],
    [find, echo],
  );
  expect(results.map(({ structuredContent }) => structuredContent).slice(1)).toEqual([
    { id: 7 },
    { same: "id" },
  ]);
});

function raise(): never {
  throw new Error("there is no such result");
}
