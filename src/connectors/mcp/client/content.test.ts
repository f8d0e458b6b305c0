import { expect, test } from "vitest";
import { toPart, toReturn } from "./content.ts";

test.each([
  ["not base64!", "image/png", { type: "text", text: "[image/png that is not base64 left out]" }],
  ["aG\nk=", "image/png", { type: "image", url: "data:image/png;base64,aGk=", mediaType: "image/png" }],
  [
    "aGk=",
    "image/png,<script>",
    { type: "file", url: "data:application/octet-stream;base64,aGk=", mediaType: "application/octet-stream" },
  ],
])("what a server calls an image is one, or is not handed on as one: %s of %s", (data, mimeType, part) => {
  expect(toPart({ type: "image", data, mimeType })).toEqual(part);
});

test("a result without content shows what is structured, or that there is nothing", () => {
  expect(toReturn({ content: [], structuredContent: { a: 1 } })).toMatchObject({
    content: [{ type: "text", text: '{"a":1}' }],
    value: { a: 1 },
  });
  expect(toReturn({ content: [] })).toMatchObject({
    content: [{ type: "text", text: "The tool is done and returned nothing." }],
  });
  for (const content of [[], [{ type: "text" as const, text: " \n" }]])
    expect(toReturn({ content, isError: true })).toMatchObject({
      content: [{ type: "text", text: "The tool failed, and did not say why." }],
      isError: true,
    });
});

test("content is bounded, however many parts it has", () => {
  const content = Array.from({ length: 10_000 }, () => ({ type: "text" as const, text: "x".repeat(100) }));
  const { content: shown } = toReturn({ content }, 1_000);
  expect(JSON.stringify(shown).length).toBeLessThan(3_000);
  expect(JSON.stringify(shown)).toMatch(/parts left out/);
});
