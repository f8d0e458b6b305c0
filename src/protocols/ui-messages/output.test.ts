import { expect, test } from "vitest";
import { Agent, type Middleware, stream, tool } from "../../index.ts";
import { ScriptedModel, type TurnLike } from "../../testing/index.ts";
import { chunksOf, lastText, messageOf, visible } from "./test-stream.ts";
import { call, double } from "./test-tools.ts";
import { toUIMessages } from "./to-ui-messages.ts";

const output = {
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
} as const;

/** Runs an agent; the message of the stream must be that of the history. */
async function play(agent: Agent, show = {}) {
  const running = stream(agent, "Hello");
  const message = await messageOf(await chunksOf(running, { show }));
  const { state, text } = await running.result;
  expect(toUIMessages(state.messages, [], { show }).map(visible)[1]).toEqual(visible(message));
  return { message, text };
}

const texts: TurnLike[] = [{ text: '{"total": "x"}' }, { text: '{"total": 3}', chunkSize: 4 }];

test("an output that the model writes as text appears once, as it was written", async () => {
  const model = new ScriptedModel(texts, { supportsOutput: true });
  const { message, text } = await play(new Agent({ name: "A", output, model }));
  expect(lastText(message)).toBe('{"total": 3}');
  expect(text).toBe('{"total": 3}');
});

test("an output that a call takes is text of its own, and its call is not a part", async () => {
  const model = new ScriptedModel([
    { text: "Hm.", toolCalls: [call("final_answer", { total: "x" })], chunkSize: 4 },
    { toolCalls: [call("double")] },
    { toolCalls: [call("final_answer", { total: 4 })], chunkSize: 4 },
  ]);
  const { message, text } = await play(new Agent({ name: "A", output, model, tools: [double] }));
  expect(message.parts).toMatchObject([
    { type: "step-start" },
    { type: "text", text: "Hm." },
    { type: "text", text: '{"total":"x"}' },
    { type: "step-start" },
    { type: "tool-double" },
    { type: "step-start" },
    { type: "text", text: '{"total":4}' },
  ]);
  expect(text).toBe('{"total":4}');
});

test("an output's call that begins like the text before it loses nothing", async () => {
  const model = new ScriptedModel([
    { text: "{", toolCalls: [call("final_answer", { total: 4 })], chunkSize: 1 },
  ]);
  const { message } = await play(new Agent({ name: "A", output, model }));
  expect(message.parts.at(-1)).toMatchObject({ type: "text", text: '{"total":4}' });
});

const report = tool({
  name: "report",
  description: "Report.",
  input: { type: "object", properties: {} },
  final: true,
  execute: () => "The report.",
});

for (const show of [{}, { toolCalls: false }])
  test(`a result that ends the run is its text, with ${JSON.stringify(show)}`, async () => {
    const model = new ScriptedModel([{ text: "Look:", toolCalls: [call("report", {})] }]);
    const { message, text } = await play(new Agent({ name: "A", tools: [report], model }), show);
    expect(text).toBe("The report.");
    expect(lastText(message)).toBe("The report.");
  });

test("an answer whose text comes without pieces is there at the end of its turn", async () => {
  const silent: Middleware = {
    async *model(request, _info, next) {
      for await (const event of next(request)) if (event.type === "finish") yield event;
    },
  };
  const model = new ScriptedModel(["From a store."]);
  const running = stream(new Agent({ name: "A", model }), "Hi", { middleware: [silent] });
  expect(lastText(await messageOf(await chunksOf(running)))).toBe("From a store.");
});

test("what a middleware streams instead of the text is not overruled", async () => {
  const masking: Middleware = {
    async *model(request, _info, next) {
      for await (const event of next(request))
        yield event.type === "text-delta" ? { ...event, text: "***" } : event;
    },
  };
  const model = new ScriptedModel(["secret"]);
  const running = stream(new Agent({ name: "A", model }), "Hi", { middleware: [masking] });
  const message = await messageOf(await chunksOf(running, { metadata: false }));
  expect(lastText(message)).toBe("***");
  expect(message.metadata).toBeUndefined();
});
