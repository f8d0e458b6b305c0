import { describe, expect, test } from "vitest";
import type { JsonValue } from "../base/util/json.ts";
import { GenerationBuilder } from "./generation-builder.ts";

const piece = "A".repeat(2 ** 20);
const providerData = { provider: "acme", data: { bytes: piece } };

/** What adds a mebibyte to an answer, and nothing that a limit on text would count. */
const additions: Readonly<Record<string, (builder: GenerationBuilder) => unknown>> = {
  images: (builder) => builder.part({ type: "image", url: piece }),
  "parts of the provider's": (builder) => builder.part({ type: "provider", providerData }),
  "signed empty texts": (builder) => builder.part({ type: "text", text: "", providerData }),
  "signatures of text": (builder) => [builder.text("a"), builder.endPart(providerData)],
  "data of calls": (builder) => builder.startToolCall(0, "c1", "f", providerData),
  "log probabilities": (builder) => builder.count([{ token: piece, logprob: -1 }]),
  text: (builder) => builder.text(piece),
};

describe("an answer may have 33,554,432 characters", () => {
  test.each(Object.keys(additions))("%s count", (name) => {
    const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
    const add = additions[name];
    for (let count = 0; count < 31; count++) add?.(builder);
    expect(() => [add?.(builder), add?.(builder)]).toThrow(
      expect.objectContaining({
        name: "MalformedResponseError",
        isRetryable: false,
        message:
          "acme:m1 answered with more than 33554432 characters, each call counted as 4096, and was not read to the end.",
      }),
    );
  });
});

test("data that is nested too deep to be written again is a typed error", () => {
  const data: JsonValue = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  expect(() => builder.part({ type: "provider", providerData: { provider: "acme", data } })).toThrow(
    expect.objectContaining({
      name: "MalformedResponseError",
      message: expect.stringContaining("nested too deep"),
    }),
  );
});

test("data that a provider sends with the end counts like what came before", () => {
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  const end = (parts: number): unknown =>
    builder.finish({
      content: Array.from({ length: parts }, () => ({ type: "text", text: "", providerData })),
      finishReason: "stop",
      response: { id: "r1", modelId: "m1", headers: {} },
    });
  expect(() => end(33)).toThrow("answered with more than 33554432 characters");
});

/** A builder of an answer in which calls with these ids have begun, the tool of each named by its place. */
function builderOfCalls(...ids: readonly string[]): GenerationBuilder {
  const builder = new GenerationBuilder({ provider: "acme", modelId: "m1" });
  for (const [key, id] of ids.entries()) builder.startToolCall(key, id, `tool_${key}`);
  return builder;
}

function finishCalls(builder: GenerationBuilder): ReturnType<GenerationBuilder["finish"]> {
  return builder.finish({
    finishReason: "tool-calls",
    response: { id: "r1", modelId: "m1", headers: {} },
  });
}

test("calls keep their places in an answer when they end in another order", () => {
  const builder = builderOfCalls("a", "b", "c");
  builder.startToolCall(3, "open", "tool_3");
  for (const key of [2, 1, 0]) builder.endToolCall(key, `{"n":${key}}`);
  expect(finishCalls(builder)).toMatchObject({
    generation: {
      message: {
        content: ["a", "b", "c"].map((toolCallId) => ({ type: "tool-call", toolCallId })),
        toolCalls: ["a", "b", "c"].map((toolCallId, n) => ({ toolCallId, arguments: `{"n":${n}}` })),
      },
    },
  });
});

test("a call that is dropped is not in the answer, whether it had ended or not", () => {
  const builder = builderOfCalls("a", "b", "c");
  for (const key of [0, 1]) builder.endToolCall(key, "{}");
  for (const key of [0, 2, 9]) builder.dropToolCall(key);
  expect(finishCalls(builder)).toMatchObject({
    generation: {
      message: {
        content: [{ type: "tool-call", toolCallId: "b" }],
        toolCalls: [{ toolCallId: "b", toolName: "tool_1", arguments: "{}" }],
      },
    },
  });
});
