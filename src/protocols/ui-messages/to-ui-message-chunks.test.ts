import { expect, test } from "vitest";
import { Agent, stream, tool } from "../../index.ts";
import { ScriptedModel, type TurnLike } from "../../testing/index.ts";
import type { UIMessageChunk } from "./chunks.ts";
import { chunksOf, lastText, messageOf, visible } from "./test-stream.ts";
import { askUser, call, double, failing, refund } from "./test-tools.ts";
import { toUIMessageChunks } from "./to-ui-message-chunks.ts";
import { toUIMessages } from "./to-ui-messages.ts";

function agent(turns: readonly TurnLike[]): Agent {
  return new Agent({ name: "A", tools: [double, failing, refund, askUser], model: new ScriptedModel(turns) });
}

/** Runs a script; the message of the stream must be that of the history, and its text that of the result. */
async function play(turns: readonly TurnLike[]) {
  const running = stream(agent(turns), "Hello");
  const chunks = await chunksOf(running, { messageId: "m" });
  const result = await running.result;
  const message = await messageOf(chunks);
  const [, fromHistory] = toUIMessages(result.state.messages, result.pending);
  expect(visible(message)).toEqual(fromHistory && visible(fromHistory));
  return { chunks, result, message };
}

test("text is a step with one text part, and the end tells agent, status and usage", async () => {
  const { chunks, message } = await play([
    { text: "Hello there", chunkSize: 6, usage: { inputTokens: 5, outputTokens: 2 } },
  ]);
  expect(chunks).toEqual([
    { type: "start", messageId: "m" },
    { type: "start-step" },
    { type: "text-start", id: "text-1-1" },
    { type: "text-delta", id: "text-1-1", delta: "Hello " },
    { type: "text-delta", id: "text-1-1", delta: "there" },
    { type: "text-end", id: "text-1-1" },
    { type: "finish-step" },
    {
      type: "finish",
      finishReason: "stop",
      messageMetadata: {
        agent: "A",
        status: "completed",
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
      },
    },
  ]);
  expect(lastText(message)).toBe("Hello there");
});

test("reasoning ends before text begins", async () => {
  const { message } = await play([{ reasoning: "Let me think.", text: "Yes." }]);
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "reasoning", text: "Let me think.", state: "done" },
    { type: "text", text: "Yes.", state: "done" },
  ]);
});

test("parallel calls are static tool parts with their outputs", async () => {
  const { message } = await play([
    { text: "Two.", toolCalls: [call("double", { n: 1 }), call("double", { n: 4 })], chunkSize: 3 },
    "Done.",
  ]);
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Two." },
    { type: "tool-double", state: "output-available", input: { n: 1 }, output: { result: 2 } },
    { type: "tool-double", state: "output-available", input: { n: 4 }, output: { result: 8 } },
    { type: "step-start" },
    { type: "text", text: "Done." },
  ]);
});

test("the words of a tool's error are not sent, unless they are to be shown", async () => {
  const turns = [{ toolCalls: [call("failing")] }, "Sorry."];
  const { chunks } = await play(turns);
  expect(chunks).toContainEqual({
    type: "tool-output-error",
    toolCallId: "call_1",
    errorText: "The tool failed.",
  });
  const shown = await chunksOf(stream(agent(turns), "Hello"), { show: { toolErrors: true } });
  expect(JSON.stringify(shown)).toContain("hunter2");
});

test("calls with wrong arguments, and of unknown tools, are errors that a page can show", async () => {
  const { message } = await play([
    { toolCalls: [call("double", { n: "x" }), call("double", "{broken"), call("nope")] },
    "Hm.",
  ]);
  expect(message.parts.slice(1, 4)).toMatchObject([
    { type: "tool-double", state: "output-error", input: { n: "x" } },
    { type: "tool-double", state: "output-error", input: "{broken" },
    { type: "tool-nope", state: "output-error", input: { n: 2 } },
  ]);
});

test("the calls of a truncated answer are closed as errors", async () => {
  const { chunks, message } = await play([
    { text: "Look", toolCalls: [call("double")], finishReason: "length" },
  ]);
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Look" },
    { type: "tool-double", state: "output-error", input: { n: 2 } },
    { type: "step-start" },
  ]);
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "length" });
});

test("a call without arguments that is not executed is a part, too", async () => {
  const { message } = await play([{ toolCalls: [call("double", "")], finishReason: "length" }]);
  expect(message.parts[1]).toMatchObject({ type: "tool-double", state: "output-error", input: {} });
});

test("a provider's failure in the middle of an answer closes all parts, and has no words of the provider", async () => {
  const error = new Error("401 for key sk-live-12345678");
  const running = stream(agent([{ text: "Hello", toolCalls: [call("double")], error, errorAfter: 2 }]), "Hi");
  const chunks = await chunksOf(running);
  await expect(running.result).rejects.toThrow("401");
  expect(chunks.slice(-4)).toEqual([
    expect.objectContaining({ type: "tool-input-error", toolCallId: "call_1", input: { n: 2 } }),
    { type: "finish-step" },
    { type: "error", errorText: expect.stringContaining("The run failed.") },
    { type: "finish", finishReason: "error" },
  ]);
  expect(JSON.stringify(chunks)).not.toContain("sk-live");
  await messageOf(chunks);
});

test("a cancelled run ends with abort, after its usage", async () => {
  const running = stream(agent([{ text: "Hello there", chunkSize: 5, delay: 20 }]), "Hi");
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of toUIMessageChunks(running)) {
    chunks.push(chunk);
    if (chunk.type === "text-delta") running.cancel();
  }
  expect(chunks.slice(-4)).toMatchObject([
    { type: "text-end" },
    { type: "finish-step" },
    { type: "message-metadata", messageMetadata: { status: "cancelled" } },
    { type: "abort" },
  ]);
  expect(lastText(await messageOf(chunks))).toBe((await running.result).text);
});

test("what a tool reports before its result is preliminary output", async () => {
  const count = tool({
    name: "count",
    description: "Count.",
    input: { type: "object", properties: {} },
    async *execute() {
      yield { at: 1 };
      return { at: 2 };
    },
  });
  const model = new ScriptedModel([{ toolCalls: [call("count", {})] }, "Counted."]);
  const chunks = await chunksOf(stream(new Agent({ name: "A", tools: [count], model }), "Hi"));
  expect(chunks.filter(({ type }) => type === "tool-output-available")).toEqual([
    { type: "tool-output-available", toolCallId: "call_1", output: { at: 1 }, preliminary: true },
    { type: "tool-output-available", toolCallId: "call_1", output: { at: 2 } },
  ]);
});

test("a call of the client's own tool is available when the stream ends", async () => {
  const { chunks, message } = await play([{ toolCalls: [call("askUser", {}), call("double")] }]);
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "tool-askUser", state: "input-available" },
    { type: "tool-double", state: "output-available" },
  ]);
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
});

test("a call that waits for a person is a part with the approval's id", async () => {
  const { message, result } = await play([{ text: "May I?", toolCalls: [call("refund", {})] }]);
  expect(message.parts.at(-1)).toMatchObject({
    type: "tool-refund",
    state: "approval-requested",
    input: {},
    approval: { id: result.pending[0]?.approvalId },
  });
});

test("the turns' limit and other ends leave a last step without calls, so that pages do not send by themselves", async () => {
  const running = stream(agent([{ toolCalls: [call("double")] }]), "Hi", { maxTurns: 1 });
  const chunks = await chunksOf(running);
  expect(chunks.slice(-3)).toMatchObject([
    { type: "start-step" },
    { type: "finish-step" },
    { type: "finish", finishReason: "other", messageMetadata: { status: "max-turns" } },
  ]);
});

test("a source that stops without an end, or fails, is an error that asks to load the conversation again", async () => {
  async function* cut() {
    yield { type: "turn-start", turn: 1, agent: "A", index: 0 } as const;
    yield { type: "text-delta", text: "He", agent: "A", index: 1 } as const;
  }
  const chunks = await chunksOf(cut());
  expect(chunks.slice(-4).map(({ type }) => type)).toEqual(["text-end", "finish-step", "error", "finish"]);
  async function* broken() {
    yield { type: "turn-start", turn: 1, agent: "A", index: 0 } as const;
    throw new Error("database password hunter2");
  }
  const failed = await chunksOf(broken());
  expect(failed.at(-2)).toEqual({ type: "error", errorText: "The run failed." });
});

test("a reader that has missed events stops reading", async () => {
  let isReleased = false;
  async function* slow() {
    try {
      yield { type: "events-dropped", count: 7, agent: "A", index: 0 } as const;
      yield { type: "text-delta", text: "lost", agent: "A", index: 8 } as const;
    } finally {
      isReleased = true;
    }
  }
  const chunks = await chunksOf(slow());
  expect(chunks.map(({ type }) => type)).toEqual(["start", "error", "finish"]);
  expect(isReleased).toBe(true);
});

test("options that are misspelled are refused", () => {
  const running = stream(agent(["Hi"]), "Hi");
  expect(() => toUIMessageChunks(running, JSON.parse('{"mesageId":"x"}'))).toThrow(/messageId/);
  expect(() => toUIMessageChunks(running, { messageId: "" })).toThrow(/messageId/);
});
