import { expect, test } from "vitest";
import { InvalidInputError } from "../errors.ts";
import type { Message, UserMessage } from "../message/messages.ts";
import type { AssistantPart, Part } from "../message/parts.ts";
import { assertAssistantParts, assertParts } from "./assert-parts.ts";
import { withSoundParts } from "./sound-parts.ts";

const good: readonly Part[] = [
  { type: "text", text: "" },
  { type: "reasoning", text: "hm" },
  { type: "image", url: "data:image/png;base64,AA==" },
  { type: "file", url: "https://acme.test/a.pdf" },
  { type: "text", text: "Cut.", note: true, providerData: { provider: "openai", data: {} } },
  { type: "file", url: "https://acme.test/a", mediaType: "application/pdf", filename: "a.pdf" },
];

test("parts as their types say pass", () => {
  expect(() => assertParts(good, "a user's message")).not.toThrow();
  const said: readonly AssistantPart[] = [
    ...good,
    { type: "tool-call", toolCallId: "1" },
    { type: "provider", providerData: { provider: "openai", data: {} } },
  ];
  expect(() => assertAssistantParts(said)).not.toThrow();
});

test.each<[unknown, string | RegExp]>([
  [
    { type: "image_url", image_url: { url: "x" } },
    'content[1] of a user\'s message has the type "image_url"',
  ],
  [{ type: "tool-call", toolCallId: "1" }, 'has the type "tool-call"'],
  [{ type: "constructor" }, 'has the type "constructor"'],
  [{ text: "no type" }, "content[1] of a user's message is not a part"],
  ["plain", "is not a part"],
  [null, "is not a part"],
  [{ type: "text" }, 'is a part of the type "text" whose text is not a text'],
  [{ type: "image", image: "x" }, 'is a part of the type "image" whose url is not a text'],
  [{ type: "image", image: "x" }, 'It has no field "image". Did you mean "url"?'],
  [{ type: "file", data: "AA==", mediaType: "application/pdf" }, 'no field "data". Did you mean "url"?'],
  [{ type: "image", URL: "https://acme.test/a.png" }, 'no field "URL". Did you mean "url"?'],
  [
    { type: "text", content: "Hi" },
    'whose text is not a text. It has no field "content". Did you mean "text"?',
  ],
  [{ type: "file", filename: "a.pdf", size: 7 }, /whose url is not a text\.$/],
  [
    { type: "file", url: new URL("https://acme.test") },
    'is a part of the type "file" whose url is not a text',
  ],
  [
    { type: "file", url: "https://acme.test/a", mediaType: 5 },
    'is a part of the type "file" whose mediaType is not a text.',
  ],
  [{ type: "image", url: "https://acme.test/a", mediaType: null }, "whose mediaType is not a text."],
  [{ type: "file", url: "https://acme.test/a", filename: ["a"] }, "whose filename is not a text."],
  [{ type: "text", text: "Hi", note: "yes" }, "whose note is not true."],
  [{ type: "text", text: "Hi", providerData: "id" }, "whose providerData is not { provider, data }."],
  [
    { type: "image", url: "https://acme.test/a", providerData: { data: 1 } },
    "whose providerData is not { provider, data }.",
  ],
])("%j is refused by its place", (part, words) => {
  const parts = [{ type: "text", text: "Hi" }, part] as Part[];
  expect(() => assertParts(parts, "a user's message")).toThrow(InvalidInputError);
  expect(() => assertParts(parts, "a user's message")).toThrow(words);
});

test("what a model said is named as such", () => {
  const parts = [{ type: "output_text", text: "Hi" }] as unknown as AssistantPart[];
  expect(() => assertAssistantParts(parts)).toThrow(
    'content[0] of an assistant\'s message has the type "output_text"',
  );
});

test.each<[unknown, string]>([
  [{ type: "tool-call", toolCallId: 7 }, "whose toolCallId is not a text."],
  [{ type: "provider", providerData: { provider: 5 } }, "whose providerData is not { provider, data }."],
])("%j of a model is refused, too", (part, words) => {
  expect(() => assertAssistantParts([part] as AssistantPart[])).toThrow(words);
});

const stored: UserMessage = {
  role: "user",
  content: [
    { type: "text", text: "Look." },
    { type: "file", url: "https://acme.test/a", mediaType: 5 as never },
    null as never,
    { type: "nope" } as never,
  ],
};

test("in what is stored, a note stands for each part that is none", () => {
  expect(withSoundParts(stored)).toEqual({
    role: "user",
    content: [
      { type: "text", text: "Look." },
      {
        type: "text",
        text: '[a part of the type "file" whose mediaType is not a text, which cannot be shown]',
      },
      { type: "text", text: "[something that is not a part, which cannot be shown]" },
      { type: "text", text: "[something that is not a part, which cannot be shown]" },
    ],
  });
  const result = {
    toolCallId: "1",
    toolName: "look",
    content: stored.content.slice(1, 2) as Part[],
    isError: false,
    outcome: "success" as const,
  };
  expect(withSoundParts({ role: "tool", result })).toMatchObject({
    result: {
      toolCallId: "1",
      content: [{ text: '[a part of the type "file" whose mediaType is not a text, which cannot be shown]' }],
    },
  });
});

test("a stored message whose parts are sound stays the same object", () => {
  const messages: readonly Message[] = [
    { role: "user", content: good },
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "1" }], toolCalls: [] },
  ];
  for (const message of messages) expect(withSoundParts(message)).toBe(message);
});
