import { expect, test } from "vitest";
import { Agent, result, run, tool, type RunState, type Tool, type ToolResult } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";

const input = { type: "object" } as const;
const long = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");

function give(value: unknown, maxResultChars = 300): Tool {
  return tool({ name: "give", input, maxResultChars, execute: () => value });
}

function resultsOf({ messages }: RunState): ToolResult[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

const read = (args: object): ScriptedToolCall => ({
  toolName: "read_result",
  arguments: JSON.stringify({ toolCallId: "call_1", ...args }),
});

/** Calls `give`, then makes each of the further calls in a turn of its own. */
async function runWith(tools: readonly Tool[], ...calls: readonly ScriptedToolCall[]) {
  const turns = [{ toolName: "give" }, ...calls].map((call) => ({ toolCalls: [call] }));
  const model = new ScriptedModel([...turns, "done"]);
  const { state } = await run(new Agent({ name: "A", model, tools }), "go");
  return { model, state, results: resultsOf(state) };
}

test("head and tail are kept, and a line says how much was left out and how to read on", async () => {
  const { results } = await runWith([give(long)]);
  const text = textOf(results[0] ?? raise());
  expect(text.startsWith("line 0\nline 1\n")).toBe(true);
  expect(text.endsWith("line 498\nline 499")).toBe(true);
  expect(text).toContain(
    `[${long.length - 300} of ${long.length} characters left out: read on with read_result({"toolCallId":"call_1","from":200})]`,
  );
});

test("what was left out can be read to its end, piece by piece, each no longer than the limit", async () => {
  const pieces: string[] = [];
  let from = 200;
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "give" }] },
    ...Array.from({ length: 20 }, () => ({ messages }: { messages: readonly unknown[] }) => {
      const last = messages.at(-1) as { result: ToolResult };
      const [head = "", ...rest] = textOf(last.result).split("\n");
      const place = /^\[characters (\d+) to (\d+)/.exec(head);
      if (place) {
        pieces.push(rest.join("\n"));
        from = Number(place[2]);
      }
      return from < long.length ? { toolCalls: [read({ from })] } : "done";
    }),
  ]);
  await run(new Agent({ name: "A", model, tools: [give(long)] }), "go");
  expect(long.slice(0, 200) + pieces.join("")).toBe(long);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(300);
});

test("a value is cut as its JSON, and stays whole for the application", async () => {
  const value = { lines: long.split("\n") };
  const { results } = await runWith([give(value)], read({ find: '"line 250"', length: 20 }));
  expect(results[0]).toMatchObject({
    structuredContent: value,
    truncated: { length: JSON.stringify(value).length },
  });
  expect(results[0]?.truncated).not.toHaveProperty("text");
  expect(textOf(results[1] ?? raise()).split("\n")[1]).toBe('"line 250","line 251');
});

test("what was cut is still there after the state went through JSON", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "give" }] }]);
  const agent = new Agent({ name: "A", model, tools: [give(long)] });
  const first = await run(agent, "go", { maxTurns: 1 });
  const stored: RunState = JSON.parse(JSON.stringify(first.state));
  const next = new ScriptedModel([{ toolCalls: [read({ find: "line 300" })] }, "done"], {
    toolCallIdPrefix: "next_",
  });
  const { state } = await run(agent.with({ model: next }), stored);
  expect(textOf(resultsOf(state)[1] ?? raise())).toContain("line 300\nline 301");
});

test("offers the reading tool from the start, so that the model's tools stay the same", async () => {
  const { model } = await runWith([give(long)]);
  expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
    ["give", "read_result"],
    ["give", "read_result"],
  ]);
  expect(model.requests[0]?.tools).toBe(model.requests[1]?.tools);
});

test("agents whose tools are not cut have no such tool", async () => {
  const { model } = await runWith([tool({ name: "give", input, execute: () => long })]);
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["give"]);
});

test("a tool of that name in the program is a typed error; one of a toolset is renamed", async () => {
  const other = tool({ name: "read_result", input, execute: () => "mine" });
  await expect(runWith([give(long), other])).rejects.toMatchObject({ code: "name-clash" });
  const model = new ScriptedModel(["done"]);
  const server = { name: "server", tools: () => [other] };
  await run(new Agent({ name: "A", model, tools: [give(long), server] }), "go");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
    "give",
    "server_read_result",
    "read_result",
  ]);
});

test("a short result is left as it is, an error is cut like any other", async () => {
  const { results } = await runWith([give("short")]);
  expect(results[0]).not.toHaveProperty("cut");
  const failing = await runWith([give(result({ value: long, isError: true }))]);
  expect(failing.results[0]).toMatchObject({ isError: true, truncated: { text: long } });
});

test("images stay, and no character is cut in half", async () => {
  const image = { type: "image", url: "https://example.com/a.png" } as const;
  const text = "😀".repeat(400);
  const { results } = await runWith([give(result({ content: [{ type: "text", text }, image] }), 301)]);
  expect(results[0]?.content[1]).toEqual(image);
  expect(textOf(results[0] ?? raise()).isWellFormed()).toBe(true);
});

test("each piece says what follows it, up to the end", async () => {
  const { results } = await runWith(
    [give(long)],
    read({ from: 10, length: 20 }),
    read({ from: long.length - 5 }),
  );
  const [, first, last] = results.map(textOf);
  expect(first).toBe(`[characters 10 to 30, ${long.length - 30} more follow]\n${long.slice(10, 30)}`);
  expect(last).toBe(`[characters ${long.length - 5} to ${long.length}, the end]\n${long.slice(-5)}`);
});

test("where nothing was cut, there are no ids to name, and an id must be a text", async () => {
  const { results } = await runWith([give("short")], read({}), read({ toolCallId: ["call_1"] }));
  expect(textOf(results[1] ?? raise())).toBe('read_result failed: no result of "call_1" was truncated.');
  expect(results[2]).toMatchObject({ outcome: "invalid-arguments" });
});

test("a result that does not fit takes no room from those after it", async () => {
  const model = new ScriptedModel([
    // A megabyte of each is stored, and ten megabytes of all.
    { toolCalls: Array.from({ length: 10 }, () => ({ toolName: "huge" })) },
    { toolCalls: [{ toolName: "give" }] },
    { toolCalls: [read({ toolCallId: "call_11", from: 250, length: 10 })] },
    "done",
  ]);
  const huge = tool({ name: "huge", input, maxResultChars: 300, execute: () => "x".repeat(1_100_000) });
  const { state } = await run(new Agent({ name: "A", model, tools: [huge, give(long)] }), "go");
  const results = resultsOf(state);
  expect(results.map(({ truncated }) => truncated !== undefined)).toEqual([
    ...Array.from({ length: 9 }, () => true),
    false,
    true,
    false,
  ]);
  expect(textOf(results[11] ?? raise())).toContain(long.slice(250, 260));
});

test("a request for something unknown is an error for the model", async () => {
  const { results } = await runWith(
    [give(long)],
    read({ toolCallId: "call_9" }),
    read({ find: "nowhere" }),
    read({ from: 1_000_000 }),
  );
  expect(results.slice(1).map(textOf)).toEqual([
    'read_result failed: no result of "call_9" was truncated: there are "call_1".',
    `"nowhere" does not come after character 0 of ${long.length}.`,
    `[characters ${long.length} to ${long.length}, the end]\n`,
  ]);
});

test("a history keeps ten million characters for reading on; the rest of what comes after is gone", async () => {
  const huge = "x".repeat(1_000_000);
  const calls = Array.from({ length: 11 }, () => ({ toolName: "give" }));
  const { state, results } = await runWith([give(huge)], ...calls);
  expect(results.filter(({ truncated }) => truncated)).toHaveLength(10);
  expect(textOf(results[11] ?? raise())).toMatch(/\n\[999700 of 1000000 characters left out\]\n/);
  expect(JSON.stringify(state).length).toBeLessThan(10_100_000);
});

test("what the model must not see is hidden before it is kept", async () => {
  const secret = tool({
    name: "give",
    input,
    maxResultChars: 300,
    mask: ["password"],
    execute: () => ({ lines: long, password: "s3cret" }),
  });
  const { state, results } = await runWith([secret], read({ find: "[hidden]", length: 10 }));
  expect(JSON.stringify(state)).not.toContain("s3cret");
  expect(textOf(results[1] ?? raise())).toContain("[hidden]");
});

test("a tool that calls another receives its whole result", async () => {
  const outer = tool({
    name: "outer",
    input,
    execute: async (_, { call }) => String(await call("give", {})).length,
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "done"]);
  const { state } = await run(new Agent({ name: "A", model, tools: [give(long), outer] }), "go");
  expect(resultsOf(state)[0]?.structuredContent).toBe(long.length);
});

function raise(): never {
  throw new Error("there is no such result");
}
