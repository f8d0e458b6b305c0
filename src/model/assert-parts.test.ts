import { expect, test } from "vitest";
import { InvalidInputError } from "../errors.ts";
import type { AssistantPart, Part } from "../message/parts.ts";
import { assertAssistantParts, assertParts } from "./assert-parts.ts";

const good: readonly Part[] = [
  { type: "text", text: "" },
  { type: "reasoning", text: "hm" },
  { type: "image", url: "data:image/png;base64,AA==" },
  { type: "file", url: "https://acme.test/a.pdf" },
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
  [{ type: "text" }, 'is a part of the type "text" whose text is not text'],
  [{ type: "image", image: "x" }, 'is a part of the type "image" whose url is not text'],
  [{ type: "image", image: "x" }, 'It has no field "image". Did you mean "url"?'],
  [{ type: "file", data: "AA==", mediaType: "application/pdf" }, 'no field "data". Did you mean "url"?'],
  [{ type: "image", URL: "https://acme.test/a.png" }, 'no field "URL". Did you mean "url"?'],
  [
    { type: "text", content: "Hi" },
    'whose text is not text. It has no field "content". Did you mean "text"?',
  ],
  [{ type: "file", filename: "a.pdf", size: 7 }, /whose url is not text\.$/],
  [{ type: "file", url: new URL("https://acme.test") }, 'is a part of the type "file" whose url is not text'],
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
