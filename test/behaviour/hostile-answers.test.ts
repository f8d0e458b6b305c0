/** What a model may write, by mistake or on purpose: each has a bounded outcome, and the other calls of the batch go on. */
import { expect, test } from "vitest";
import { Agent, run, tool, type RunResult, type ToolCall, type ToolResult } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";

const received: unknown[] = [];
const echo = tool({
  name: "echo",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }) => {
    received.push(text);
    return `echo ${String(text)}`;
  },
});
const good: ToolCall = { toolCallId: "good", toolName: "echo", arguments: '{"text":"hi"}' };

/** A run in which the model makes these calls at once, and then answers. */
async function make(calls: readonly ToolCall[]): Promise<RunResult> {
  received.length = 0;
  const model = new ScriptedModel([{ toolCalls: [...calls] }, "done"]);
  const result = await run(new Agent({ name: "A", model, tools: [echo] }), "go");
  expect(result).toMatchObject({ status: "completed", text: "done", pending: [] });
  // Whatever came, the messages go through JSON and the conversation goes on.
  const again = new FunctionModel(() => "still here");
  const { messages } = JSON.parse(JSON.stringify(result.state));
  const next = [...messages, { role: "user", content: "Are you there?" }];
  expect(await run(new Agent({ name: "A", model: again, tools: [echo] }), next)).toMatchObject({
    text: "still here",
  });
  return result;
}

function results({ messages }: RunResult): readonly ToolResult[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
}

test("1,000 calls in one answer are all answered, in their order", async () => {
  const calls = Array.from({ length: 1_000 }, (_, index) => ({
    toolCallId: `call_${index}`,
    toolName: "echo",
    arguments: `{"text":"${index}"}`,
  }));
  const answered = results(await make(calls));
  expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ toolCallId }) => toolCallId));
  expect(answered.every(({ outcome }) => outcome === "success")).toBe(true);
});

test("1,000 wrong calls in one answer are one mistake, each with its correction", async () => {
  const calls = Array.from({ length: 1_000 }, (_, index) => ({
    toolCallId: `call_${index}`,
    toolName: index % 2 === 0 ? "echo" : `made_up_${index}`,
    arguments: `{"text":${index}`,
  }));
  const answered = results(await make(calls));
  expect(new Set(answered.map(({ outcome }) => outcome))).toEqual(
    new Set(["invalid-arguments", "unknown-tool"]),
  );
  expect(answered).toHaveLength(1_000);
});

test("one id for two calls: both are executed, and told apart", async () => {
  const result = await make([good, { ...good, arguments: '{"text":"ho"}' }]);
  const [first, second] = results(result);
  expect(received).toEqual(["hi", "ho"]);
  expect(first?.toolCallId).not.toBe(second?.toolCallId);
  const answer = result.messages.find((message) => message.role === "assistant");
  expect(answer?.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual([
    first?.toolCallId,
    second?.toolCallId,
  ]);
});

test("calls without an id get one", async () => {
  const nameless = (text: string): ToolCall => ({
    ...good,
    toolCallId: "",
    arguments: JSON.stringify({ text }),
  });
  const answered = results(await make([nameless("a"), nameless("b"), good]));
  expect(answered.map(textOf)).toEqual(["echo a", "echo b", "echo hi"]);
  const ids = answered.map(({ toolCallId }) => toolCallId);
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain("");
});

test("lone surrogates and NUL bytes in a name: an unknown tool", async () => {
  for (const toolName of ["\ud800", "echo\0", "\0", "ec\udfffho"]) {
    const [wrong, right] = results(await make([{ ...good, toolCallId: "bad", toolName }, good]));
    expect(wrong).toMatchObject({ outcome: "unknown-tool", toolName });
    expect(textOf(wrong!)).not.toMatch(/[\0\ud800-\udfff]/);
    expect(right?.outcome).toBe("success");
  }
});

test("lone surrogates and NUL bytes in arguments reach the tool, escaped or not", async () => {
  const texts = ["\ud800", "\udc00\ud800", "a\0b"];
  const escaped = texts.map((text) => JSON.stringify({ text }));
  const raw = texts.map((text) => `{"text":"${text}"}`);
  const calls = [...escaped, ...raw].map((args, index) => ({
    ...good,
    toolCallId: `${index}`,
    arguments: args,
  }));
  const answered = results(await make([...calls, good]));
  expect(answered.map(({ outcome }) => outcome)).toEqual(Array(7).fill("success"));
  expect(answered.map(textOf)).toEqual([...texts, ...texts, "hi"].map((text) => `echo ${text}`));
});

const huge = "a".repeat(10 * 1024 * 1024);
const nested = (depth: number): string => `{"text":${"[".repeat(depth)}${"]".repeat(depth)}}`;

test.each([
  ["10 MB in one string", `{"text":"${huge}"}`],
  ["10 MB of brackets", "[".repeat(huge.length)],
  ["10 MB of quotes", '"'.repeat(huge.length)],
  ["10 MB that are no JSON", huge],
  ["objects 10,000 deep", `${'{"text":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["arrays 10,000 deep", nested(10_000)],
  ["arrays 10,000 deep, never closed", nested(10_000).slice(0, 10_010)],
  ["a number that no double holds", '{"text":1e999}'],
  ["a key twice", '{"text":"a","text":"b"}'],
])("%s: a correction of bounded size, and the other call is executed", async (_, args) => {
  const [wrong, right] = results(await make([{ ...good, toolCallId: "bad", arguments: args }, good]));
  expect(wrong?.outcome).toBe("invalid-arguments");
  expect(textOf(wrong!).length).toBeLessThan(4_100);
  expect(textOf(wrong!)).toContain("Call the tool again with corrected arguments.");
  expect(right).toMatchObject({ outcome: "success", content: [{ text: "echo hi" }] });
  expect(received).toEqual(["hi"]);
});
