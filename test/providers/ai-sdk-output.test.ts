/** Typed output through the AI SDK's packages: by the provider's own means where the model has them, else by a final tool. */
import { createGoogle } from "@ai-sdk/google";
import { describe, expect, test } from "vitest";
import { Agent, run, tool, type JsonObject } from "skein";
import { fromAiSdk } from "skein/ai-sdk";
import { piecesOf } from "./ai-sdk-answers.ts";
import type { Answer } from "./answers.ts";
import { elders, lineup, type Contender } from "./lineup.ts";
import { serve } from "./local-server.ts";

const gemini3: Contender = {
  name: "ai-sdk google, gemini-3",
  wire: "google",
  model: (url) =>
    fromAiSdk(createGoogle({ apiKey: "a-key-for-tests", baseURL: `${url}/v1beta` })("gemini-3-pro-preview")),
};

/** Those whose models are known to be held to a schema beside tools. */
const native = new Set([
  "ai-sdk openai",
  "ai-sdk anthropic",
  "ai-sdk google, gemini-3",
  "ai-sdk openai (v3)",
]);

const guests = [...lineup, ...elders, gemini3].filter(({ name }) => name.startsWith("ai-sdk"));

const output = {
  type: "object",
  properties: { total: { type: "number" }, note: { type: "string" } },
  required: ["total"],
} as const satisfies JsonObject;

const lookUp = tool({
  name: "look_up",
  input: { type: "object", properties: {} },
  execute: () => "It is 7.",
});

const call = { id: "call00001", name: "look_up", arguments: "{}" };
const invoice = '{"total":7}';

describe.each(guests)("$name", ({ name, wire, model, settings = {} }) => {
  const isNative = native.has(name);
  const last: Answer = isNative
    ? { id: "2", text: invoice }
    : { id: "2", calls: [{ id: "call00002", name: "final_answer", arguments: invoice }] };

  test.each([
    ["alone", []],
    ["beside tools", [lookUp]],
  ])(`gives it ${isNative ? "by its own means" : "through a final tool"}, %s`, async (_, tools) => {
    const answers = tools.length > 0 ? [{ id: "1", reasoning: "Seven?", calls: [call] }, last] : [last];
    await using server = await serve((index) => ({ pieces: piecesOf(wire, answers[index] ?? last) }));
    const agent = new Agent({
      name: "Clerk",
      model: model(server.url),
      tools,
      output,
      settings: { maxRetries: 0, ...settings },
    });
    const outcome = await run(agent, "What is the total?");
    expect(outcome).toMatchObject({ status: "completed", output: { total: 7 }, turns: answers.length });
    expect(outcome.warnings).toEqual([]);
    for (const { text, body } of server.received) {
      const offered = JSON.stringify(body["tools"] ?? []);
      expect(offered.includes("final_answer")).toBe(!isNative);
      expect(offered.includes("look_up")).toBe(tools.length > 0);
      expect(/json_schema|responseJsonSchema/.test(text)).toBe(isNative);
    }
  });
});
