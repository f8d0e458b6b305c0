import { expect, test } from "vitest";
import { Agent, result, stream, tool } from "../../index.ts";
import { ScriptedModel } from "../../testing/index.ts";
import { chunksOf } from "./test-stream.ts";
import { call, double, failing } from "./test-tools.ts";
import { toUIMessages } from "./to-ui-messages.ts";
import { toUIMessageResponse } from "./to-ui-message-chunks.ts";

const masked = tool({
  name: "masked",
  description: "Look up.",
  input: { type: "object", properties: {} },
  mask: ["card"],
  execute: () => ({ name: "Ada", card: "planted-masked" }),
});

const changing = tool({
  name: "changing",
  description: "Change the context.",
  input: { type: "object", properties: {} },
  execute: () => result({ value: "ok", context: { key: "planted-context" } }),
});

function secretAgent(): Agent {
  const innerModel = new ScriptedModel([{ toolCalls: [call("failing")] }, "Done."]);
  const inner = new Agent({
    name: "Inner",
    instructions: "planted-instructions",
    tools: [failing],
    model: innerModel,
  });
  const calls = ["masked", "changing", "failing"].map((name) => call(name, {}));
  const model = new ScriptedModel([
    { toolCalls: [...calls, call("inner", { input: "x" })] },
    { text: "Hello", error: new Error("planted-provider"), errorAfter: 1 },
  ]);
  const tools = [masked, changing, failing, inner.asTool({ name: "inner" })];
  return new Agent({ name: "A", instructions: () => "planted-instructions", tools, model });
}

test("context, masked values, instructions, errors of tools and of providers do not go out", async () => {
  const running = stream(secretAgent(), "Hi", {
    context: { key: "planted-context" },
    onEvent: () => {
      throw new Error("planted-warning");
    },
  });
  const text = await toUIMessageResponse(running).text();
  await expect(running.result).rejects.toThrow("planted-provider");
  expect(text).toContain("The run failed.");
  expect(text).toContain("Ada");
  expect(text).not.toMatch(/planted|hunter2|signature|stack/);
});

test("without results, calls have an empty output; without reasoning, none is sent", async () => {
  const model = new ScriptedModel([{ reasoning: "Hm.", toolCalls: [call("double")] }, "Four."]);
  const running = stream(new Agent({ name: "A", tools: [double], model }), "Hi");
  const show = { reasoning: false, toolResults: false };
  const chunks = await chunksOf(running, { show });
  expect(chunks).toContainEqual({ type: "tool-output-available", toolCallId: "call_1", output: null });
  const text = JSON.stringify([chunks, toUIMessages((await running.result).state.messages, [], { show })]);
  expect(text).not.toMatch(/Hm\.|"result"/);
});

test("without calls, a step has the text alone", async () => {
  const model = new ScriptedModel([{ text: "Let me see.", toolCalls: [call("double")] }, "Four."]);
  const running = stream(new Agent({ name: "A", tools: [double], model }), "Hi");
  const chunks = await chunksOf(running, { show: { toolCalls: false } });
  expect(chunks.filter(({ type }) => type.startsWith("tool-"))).toEqual([]);
});

test("a response is an event stream of version 1 that ends with [DONE]", async () => {
  const response = toUIMessageResponse(
    stream(new Agent({ name: "A", model: new ScriptedModel(["Hi"]) }), "Hi"),
  );
  expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const frames = (await response.text()).split("\n\n");
  expect(frames.at(-2)).toBe("data: [DONE]");
  expect(JSON.parse(frames[1]?.slice("data: ".length) ?? "")).toEqual({ type: "start-step" });
});
