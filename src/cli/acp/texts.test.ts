import { expect, test } from "vitest";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { codeBlock, jsonBlock } from "./markdown.ts";
import { readPrompt } from "./read-prompt.ts";
import { TextChunks } from "./text-chunks.ts";
import { ToolCards } from "./tool-cards.ts";
import { showResult } from "./tool-content.ts";

function chunksOf(pieces: readonly string[]): readonly string[] {
  const texts: string[] = [];
  const chunks = new TextChunks((update: SessionUpdate) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  });
  for (const piece of pieces) chunks.write("agent_message_chunk", piece);
  return texts;
}

test("characters in two halves are put together", () => {
  expect(chunksOf([`a${"🪿".charAt(0)}`, `${"🪿".charAt(1)}b`])).toEqual(["a", "🪿b"]);
});

test("a hidden character in two halves is left out", () => {
  const tag = String.fromCodePoint(0xe_0041);
  expect(chunksOf([`a${tag.charAt(0)}`, `${tag.charAt(1)}b`]).join("")).toBe("ab");
});

test("what is left out alone is not sent", () => {
  expect(chunksOf(["\u001B", "", "x"])).toEqual(["x"]);
});

test("no text ends its own block", () => {
  expect(codeBlock("a\n```\nb")).toBe("````\na\n```\nb\n````");
  expect(codeBlock("`````")).toBe("``````\n`````\n``````");
  expect(jsonBlock({ text: "\u202E" })).toBe('```json\n{\n  "text": "\\u202e"\n}\n```');
});

test("a result is shown to its longest, and says what is missing", () => {
  const result = {
    toolCallId: "1",
    toolName: "long",
    content: [{ type: "text", text: "x".repeat(100_005) }],
    isError: false,
    outcome: "success",
  } as const;
  expect(JSON.stringify(showResult(result, "/"))).toContain("5 more characters are not shown.");
});

test.each([
  [{ path: "a", newText: "b" }, "diff"],
  [{ path: "a", newText: "b", oldText: 1 }, "content"],
  [{ path: "", newText: "b" }, "content"],
  [{ path: "a" }, "content"],
  [["a"], "content"],
])("%j is shown as %s", (structuredContent, type) => {
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }] as const;
  const result = {
    toolCallId: "1",
    toolName: "edit",
    content,
    structuredContent,
    isError: false,
    outcome: "success",
  } as const;
  expect(showResult(result, "/p").content.map((each) => each.type)).toEqual([type]);
});

test("arguments, values and diffs of cards have nothing that drives a terminal, turns text around or hides", () => {
  const updates: SessionUpdate[] = [];
  const cards = new ToolCards((update) => updates.push(update), "/p");
  const call = {
    toolCallId: "1",
    toolName: "ed\u001Bit",
    arguments: JSON.stringify({ "a\u202E": ["\u001B[31mred\r\n", 1, null], a: { b: "x\u200By" } }),
  };
  const card = cards.begin("", "Main", call);
  cards.start(card, call);
  const value = { path: "a\u001B.ts", oldText: "\u202Eone\r\n", newText: "\u001B]52;c;aGk=\u0007two" };
  cards.end(card, {
    toolCallId: "1",
    toolName: "edit",
    content: [{ type: "text", text: "Done." }],
    structuredContent: value,
    isError: false,
    outcome: "success",
  });
  const clean = { path: "a.ts", oldText: "one\n", newText: "]52;c;aGk=two" };
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", name: "edit" },
    { rawInput: { "a\\u202e": ["[31mred\n", 1, null], a: { b: "xy" } } },
    {
      rawOutput: clean,
      content: [{ type: "diff", ...clean, path: "/p/a.ts" }],
      locations: [{ path: "/p/a.ts" }],
    },
  ]);
});

test("arguments of any depth are shown", () => {
  const updates: SessionUpdate[] = [];
  const cards = new ToolCards((update) => updates.push(update), "/p");
  const call = { toolCallId: "1", toolName: "nest", arguments: `${"[".repeat(9_000)}1${"]".repeat(9_000)}` };
  cards.start(cards.begin("", "Main", call), call);
  expect(JSON.stringify(updates)).toContain("[too deep]");
});

test("an image of a tool is an image, what is elsewhere a link", () => {
  const content = [
    { type: "image", url: "data:image/png;base64,AAAA" },
    { type: "image", url: "https://example.com/a.png" },
    { type: "file", url: "data:application/pdf;base64,AAAA", filename: "a\u001B.pdf" },
  ] as const;
  const result = { toolCallId: "1", toolName: "draw", content, isError: false, outcome: "success" } as const;
  expect(showResult(result, "/").content).toEqual([
    { type: "content", content: { type: "image", mimeType: "image/png", data: "AAAA" } },
    { type: "content", content: { type: "resource_link", name: "image", uri: "https://example.com/a.png" } },
    { type: "content", content: { type: "text", text: "[a.pdf]" } },
  ]);
});

test("a prompt of one text is that text", () => {
  expect(readPrompt([{ type: "text", text: "Hello" }])).toBe("Hello");
  const blob = { uri: "file:///a/b.png", mimeType: "image/png", blob: "AA\nAA" };
  expect(readPrompt([{ type: "resource", resource: blob }])).toEqual([
    { type: "image", url: "data:image/png;base64,AAAA" },
  ]);
});
