import { expect, test } from "vitest";
import { Agent, stream, tool } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import type { SourceEvent } from "../kit/source.ts";
import { chunksOf, lastText, messageOf } from "./test-stream.ts";
import { askUser, call, double, failing, refund } from "./test-tools.ts";
import { toUIMessageChunks } from "./to-ui-message-chunks.ts";

/** The events of a run, as a store has them. */
async function storedEvents(source: AsyncIterable<SourceEvent>): Promise<SourceEvent[]> {
  const events: SourceEvent[] = [];
  for await (const event of source) events.push(JSON.parse(JSON.stringify(event)));
  return events;
}

async function* from(events: readonly SourceEvent[]): AsyncGenerator<SourceEvent> {
  yield* events;
}

const agent = "A";
const usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };

test("a turn that is done again takes back what there was of it, and the step stays one", async () => {
  const running = stream(
    new Agent({
      name: agent,
      tools: [double],
      model: new ScriptedModel([{ text: "Two.", toolCalls: [call("double")] }, "Four."]),
    }),
    "Hi",
  );
  const events = await storedEvents(running);
  const cut = events.findIndex(({ type }) => type === "model-end");
  const restart: SourceEvent = { type: "turn-restart", index: cut, agent, turn: 1, from: 0 };
  const chunks = await chunksOf(from([...events.slice(0, cut), restart, ...events]));
  expect(chunks.filter(({ type }) => type === "reset-step")).toHaveLength(1);
  const message = await messageOf(chunks);
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Two." },
    { type: "tool-double", toolCallId: "call_1", state: "output-available" },
    { type: "step-start" },
    { type: "text", text: "Four." },
  ]);
});

test("a whole run is read over its pause: the decision that was made is a part of the stream", async () => {
  const model = new ScriptedModel([
    { toolCalls: [call("refund", { n: 1 }), call("refund", { n: 2 })] },
    "Done.",
  ]);
  const first = stream(new Agent({ name: agent, tools: [refund], model }), "Hi");
  const before = await storedEvents(first);
  const { state, pending } = await first.result;
  const approvals = pending.map(({ approvalId = "" }, index) => {
    const decision = index === 0 ? ("approve" as const) : ("deny" as const);
    return { approvalId, decision };
  });
  const second = stream(new Agent({ name: agent, tools: [refund], model }), state, { approvals });
  const message = await messageOf(await chunksOf(from([...before, ...(await storedEvents(second))])));
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { state: "output-available", output: "Refunded 1.", approval: { approved: true } },
    { state: "output-denied", approval: { approved: false } },
    { type: "step-start" },
    { type: "text", text: "Done." },
  ]);
});

test("a stream over a pause says of a client's own result where it is", async () => {
  const model = new ScriptedModel([{ text: "Well,", toolCalls: [call("askUser", {})] }, "Blue, then."]);
  const asking = new Agent({ name: agent, tools: [askUser], model });
  const first = stream(asking, "Hi");
  const before = await storedEvents(first);
  const { state } = await first.result;
  const results = [{ toolCallId: "call_1", content: "blue" }];
  const after = await storedEvents(stream(asking, state, { results }));
  for (const events of [before, before.slice(0, -1)]) {
    const message = await messageOf(await chunksOf(from([...events, ...after])));
    expect(message.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Well," },
      { type: "tool-askUser", state: "output-error", errorText: expect.stringContaining("from a client") },
      { type: "step-start" },
      { type: "text", text: "Blue, then." },
    ]);
  }
});

test("what the user sent to a run that worked is a part between two steps", async () => {
  const model = new ScriptedModel([
    { text: "Working.", toolCalls: [call("double")] },
    "As you wish.",
    "Bye.",
  ]);
  const running = stream(new Agent({ name: agent, tools: [double], model }), "Hi");
  running.steer({
    role: "user",
    content: [
      { type: "text", text: "Faster." },
      { type: "image", url: "https://example.com/a.png" },
    ],
  });
  running.queue("And then?");
  const message = await messageOf(await chunksOf(running, { messageId: "m" }));
  expect(message.parts).toMatchObject([
    {
      type: "steering-message",
      id: "m-0-1",
      parts: [
        { type: "text", text: "Faster." },
        { type: "file", mediaType: "image", url: "https://example.com/a.png" },
      ],
    },
    { type: "step-start" },
    { type: "text", text: "Working." },
    { type: "tool-double" },
    { type: "step-start" },
    { type: "text", text: "As you wish." },
    { type: "steering-message", id: "m-2-2", parts: [{ type: "text", text: "And then?" }] },
    { type: "step-start" },
    { type: "text", text: "Bye." },
  ]);
});

test("images of a model are file parts, and other addresses are not passed on", async () => {
  const message = {
    role: "assistant" as const,
    content: [
      { type: "text" as const, text: "Look:" },
      { type: "image" as const, url: "data:image/png;base64,AA==" },
      { type: "file" as const, url: "file:///etc/passwd" },
    ],
    toolCalls: [],
  };
  const chunks = await chunksOf(
    from([
      { type: "turn-start", turn: 1, agent, index: 0 },
      { type: "turn-end", turn: 1, agent, index: 1, message, results: [], finishReason: "stop", usage },
    ]),
  );
  expect(chunks.filter(({ type }) => type === "file")).toEqual([
    { type: "file", url: "data:image/png;base64,AA==", mediaType: "image/png" },
  ]);
});

test("results of calls from before the stream start their calls, unless the message goes on", async () => {
  const model = new ScriptedModel([{ toolCalls: [call("refund", { n: 1 })] }, "Done."]);
  const made = new Agent({ name: agent, tools: [refund], model });
  const { state, pending } = await stream(made, "Hi").result;
  const approvals = [{ approvalId: pending[0]?.approvalId ?? "", decision: "approve" as const }];
  const message = await messageOf(await chunksOf(stream(made, state, { approvals })));
  expect(message.parts[1]).toMatchObject({ type: "tool-refund", output: "Refunded 1.", input: { n: 1 } });
  expect(lastText(message)).toBe("Done.");
});

test("a run that is stuck, and a call without a result, end as errors", async () => {
  const toolCall = { toolCallId: "c", toolName: "double", arguments: "{}" };
  const chunks = await chunksOf(
    from([
      { type: "turn-start", turn: 1, agent, index: 0 },
      { type: "tool-start", agent, index: 1, toolCall },
      { type: "run-end", agent, index: 2, status: "stuck" },
    ]),
  );
  expect(chunks.slice(3).map(({ type }) => type)).toEqual([
    "tool-output-error",
    "finish-step",
    "error",
    "finish",
  ]);
});

test("leaving the chunks releases the source while it waits", async () => {
  let isReleased = false;
  const waiting: AsyncIterable<SourceEvent> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isReleased = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const chunks = toUIMessageChunks(waiting);
  void chunks.next();
  await chunks.return?.();
  expect(isReleased).toBe(true);
});

test("values that tools report are JSON, whatever they are", async () => {
  const odd = tool({
    name: "odd",
    description: "Report.",
    input: { type: "object", properties: {} },
    async *execute() {
      yield { at: new Date(0), size: 10n };
      return "x";
    },
  });
  const model = new ScriptedModel([{ toolCalls: [call("odd", {}), call("failing")] }, "Done."]);
  const chunks = await chunksOf(stream(new Agent({ name: agent, tools: [odd, failing], model }), "Hi"));
  expect(chunks).toContainEqual({
    type: "tool-output-available",
    toolCallId: "call_1",
    output: { at: "1970-01-01T00:00:00.000Z", size: "10" },
    preliminary: true,
  });
});
