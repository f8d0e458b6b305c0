import { expect, test } from "vitest";
import { assertEvent } from "./assert-event.ts";

const model = { provider: "acme", modelId: "m", stream: () => expect.fail("nothing is asked") };

test.each<unknown>([
  { type: "text-delta", text: "" },
  { type: "reasoning-delta", text: "hm" },
  { type: "tool-input-delta", text: "{" },
  { type: "tool-call", toolCall: {} },
  { type: "hosted-call", call: {} },
  { type: "finish" },
])("%j is an event", (event) => {
  expect(() => assertEvent(event, model)).not.toThrow();
});

test.each<[unknown, string]>([
  [undefined, "an event that is not an object"],
  ["text", "an event that is not an object"],
  [{}, "an event of the unknown type undefined"],
  [{ type: 7 }, "an event of the unknown type 7"],
  [{ type: "text" }, 'an event of the unknown type "text"'],
  [{ type: "constructor" }, 'an event of the unknown type "constructor"'],
  [{ type: "x".repeat(200) }, `an event of the unknown type "${"x".repeat(79)}`],
  [{ type: "text-delta" }, "a text-delta event without its text"],
  [{ type: "text-delta", text: {} }, "a text-delta event without its text"],
  [{ type: "reasoning-delta", text: 1 }, "a reasoning-delta event without its text"],
  [{ type: "tool-input-delta", toolCallId: "1" }, "a tool-input-delta event without its text"],
  [{ type: "tool-call" }, "a tool-call event without its toolCall"],
  [{ type: "hosted-call" }, "a hosted-call event without its call"],
  [{ type: "tool-call", toolCall: "act" }, "a tool-call event without its toolCall"],
])("%j is refused, and the error says what it is", (event, problem) => {
  expect(() => assertEvent(event, model)).toThrow(
    expect.objectContaining({
      name: "MalformedResponseError",
      provider: "acme",
      modelId: "m",
      message:
        `acme:m emitted ${problem}. Yield { type, ... } of one of these types: ` +
        "text-delta, reasoning-delta, tool-input-delta, tool-call, hosted-call, finish.",
    }),
  );
});
