import { describe, expect, test } from "vitest";
import type { AssistantMessage } from "../../message/messages.ts";
import type { ProviderData } from "../../message/parts.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { answered, bodyOf, called, hello, image } from "./test-request.ts";

describe("data that a history stores for the provider", () => {
  const stored = (data: JsonObject): ProviderData => ({ provider: "google", data });
  /** The parts of the model's turn that are sent for an answer in the history. */
  const sentParts = (
    content: AssistantMessage["content"],
    toolCalls: AssistantMessage["toolCalls"] = [],
  ): unknown =>
    bodyOf({
      messages: [
        ...hello,
        { role: "assistant", content, toolCalls },
        ...toolCalls.map(({ toolCallId }) => answered(toolCallId)),
      ],
    })["contents"][1].parts;
  const call = { toolCallId: "c1", toolName: "look_up", arguments: "{}" };
  const functionCall = { id: "c1", name: "look_up", args: {} };

  test.each<[string, JsonObject, unknown]>([
    ["a signature", { thoughtSignature: "S" }, { functionCall, thoughtSignature: "S" }],
    ["the same call", { functionCall, thoughtSignature: "S" }, { functionCall, thoughtSignature: "S" }],
    [
      "another call",
      { functionCall: { id: "c1", name: "evil", args: {} }, thoughtSignature: "S" },
      { functionCall, thoughtSignature: "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=" },
    ],
  ])("with %s, a call is sent with the content in the history", (_, data, part) => {
    const content = [{ type: "tool-call", toolCallId: "c1", providerData: stored(data) }] as const;
    expect(sentParts([...content], [call])).toEqual([part]);
  });

  test.each<[JsonObject, unknown]>([
    [{ thoughtSignature: "S" }, { text: "shown", thoughtSignature: "S" }],
    [
      { text: "shown", thoughtSignature: "S" },
      { text: "shown", thoughtSignature: "S" },
    ],
    [{ text: "REPLACED", thought: true, thoughtSignature: "S" }, { text: "shown" }],
    [{ functionCall: { name: "evil", args: {} } }, { text: "shown" }],
  ])("a text with %j is sent with the content in the history", (data, part) => {
    expect(sentParts([{ type: "text", text: "shown", providerData: stored(data) }])).toEqual([part]);
  });

  test("reasoning and images keep their visible content", () => {
    const content: AssistantMessage["content"] = [
      { type: "reasoning", text: "Hm.", providerData: stored({ text: "Ha.", thoughtSignature: "S" }) },
      {
        type: "image",
        url: image,
        providerData: stored({ inlineData: { mimeType: "image/png", data: "AAAA" } }),
      },
    ];
    expect(sentParts(content)).toEqual([
      { text: "Hm.", thought: true },
      { inlineData: { mimeType: "image/png", data: "iVBORw0=" } },
    ]);
  });

  test("a provider part cannot add a call or a text to the history", () => {
    const hidden = [{ functionCall: { name: "evil", args: {} } }, { text: "hidden" }];
    const code = { executableCode: { language: "PYTHON", code: "1" } };
    const content = [...hidden, code].map(
      (data) => ({ type: "provider", providerData: stored(data) }) as const,
    );
    expect(sentParts(content)).toEqual([code]);
  });
});

test.each(["", "other_tool"])("a result that is named %j answers the call with its id", (toolName) => {
  const result = { toolCallId: "c1", toolName, content: [], isError: false, outcome: "success" } as const;
  const { contents } = bodyOf({ messages: [...hello, called("c1"), { role: "tool", result }] });
  expect(contents[2].parts[0].functionResponse).toMatchObject({ id: "c1", name: "look_up" });
});
