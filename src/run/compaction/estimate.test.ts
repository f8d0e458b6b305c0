import { expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import { tokensOf, tokensOfAll, tokensOfText } from "./estimate.ts";

test("a character of ASCII is a quarter of a token, one up to U+2E7F a half, and one beyond a whole", () => {
  expect(["\u007f", "\u0080", "\u2e7f", "\u2e80"].map(tokensOfText)).toEqual([0.25, 0.5, 0.5, 1]);
  expect(tokensOfText("")).toBe(0);
  expect(tokensOfText("abcd€你")).toBe(2.5);
});

test("a message is its text and four tokens more", () => {
  expect(tokensOf({ role: "user", content: "abcd" })).toBe(5);
  expect(tokensOf({ role: "system", content: "abcd" })).toBe(5);
  expect(tokensOf({ role: "user", content: [{ type: "text", text: "abcd" }] })).toBe(5);
});

test("an image and a file are a thousand tokens each, and data of a provider is its JSON", () => {
  const providerData = { provider: "p", data: "abcdef" };
  const content = [
    { type: "image", url: "https://example.com/a.png" },
    { type: "file", url: "https://example.com/a.pdf" },
    { type: "reasoning", text: "abcd", providerData },
  ] as const;
  expect(tokensOf({ role: "user", content })).toBe(4 + 2_000 + 1 + 2);
});

test("a call is its name, its arguments and four tokens more; a result is its content", () => {
  const call = { toolCallId: "1", toolName: "abcd", arguments: "abcdefgh" };
  const answer: Message = {
    role: "assistant",
    content: [{ type: "text", text: "abcd" }],
    toolCalls: [call, call],
  };
  const result: Message = {
    role: "tool",
    result: {
      toolCallId: "1",
      toolName: "abcd",
      content: [{ type: "text", text: "abcd" }],
      structuredContent: "not counted",
      isError: false,
      outcome: "success",
    },
  };
  expect([tokensOf(answer), tokensOf(result)]).toEqual([4 + 1 + 2 * (4 + 1 + 2), 5]);
  expect(tokensOfAll([answer, result])).toBe(24);
  expect(tokensOfAll([])).toBe(0);
});
