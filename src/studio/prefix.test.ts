import { describe, expect, test } from "vitest";
import { comparePrefix } from "./prefix.ts";

const tool = (name: string) => ({ name, description: `Does ${name}.`, input_schema: { type: "object" } });
const user = (content: unknown) => ({ role: "user", content });
const anthropic = {
  model: "claude-x",
  max_tokens: 100,
  system: [{ type: "text", text: "Be kind. The time is 12:41:13. Be short." }],
  messages: [user("Hello")],
  tools: [tool("find"), tool("pay")],
};

function states(before: unknown, current: unknown): readonly string[] {
  return comparePrefix(before, current).segments.map(({ path, state }) => `${path} ${state}`);
}

test("a request that goes on with the one before has no break", () => {
  const next = {
    ...anthropic,
    messages: [...anthropic.messages, { role: "assistant", content: "Hi" }, user("More")],
  };
  expect(comparePrefix(anthropic, next).difference).toBeUndefined();
  expect(states(anthropic, next)).toEqual([
    "model same",
    "tools[0] same",
    "tools[1] same",
    "system[0] same",
    "messages[0] same",
    "messages[1] new",
    "messages[2] new",
  ]);
});

test("a time in the instructions is named by its path and character, and all behind it was paid again", () => {
  const next = {
    ...anthropic,
    system: [{ type: "text", text: "Be kind. The time is 12:41:16. Be short." }],
    messages: [...anthropic.messages, user("More")],
  };
  const { segments, difference } = comparePrefix(anthropic, next);
  expect(difference).toEqual({ path: "system[0].text", character: 28 });
  expect(segments.map(({ state }) => state)).toEqual(["same", "same", "same", "cut", "lost", "new"]);
  expect(segments[3]).toMatchObject({
    before: { start: "Be kind. The time is 12:41:1", differs: "3", end: ". Be short." },
    after: { start: "Be kind. The time is 12:41:1", differs: "6", end: ". Be short." },
  });
});

test("tools come before everything but the model: a changed order is named where it begins", () => {
  const next = { ...anthropic, tools: anthropic.tools.toReversed() };
  expect(comparePrefix(anthropic, next).difference).toEqual({ path: "tools[0].name", character: 0 });
  expect(states(anthropic, next)).toEqual([
    "model same",
    "tools[0] cut",
    "tools[1] new",
    "system[0] lost",
    "messages[0] lost",
  ]);
});

test("another tool moves what is behind the tools, as one does that is missing", () => {
  const more = { ...anthropic, tools: [...anthropic.tools, tool("track")] };
  expect(comparePrefix(anthropic, more).difference).toEqual({ path: "tools[2]" });
  expect(states(anthropic, more)).toContain("system[0] lost");
  expect(comparePrefix(more, anthropic).difference).toEqual({ path: "tools[2]" });
  expect(states(more, anthropic)).toContain("tools[2] gone");
});

test("an edited message is named, and those behind it count as new where they differ", () => {
  const before = { ...anthropic, messages: [user("One"), user("Two"), user("Three")] };
  const next = { ...anthropic, messages: [user("One"), user("Tw0"), user("Three")] };
  const { difference, segments } = comparePrefix(before, next);
  expect(difference).toEqual({ path: "messages[1].content", character: 2 });
  expect(segments.at(-1)).toMatchObject({ path: "messages[2]", state: "lost" });
});

test("marks of the cache, which move with each request, do not count", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const before = { ...anthropic, messages: [user([{ type: "text", text: "Hello", ...mark }])] };
  const next = { ...anthropic, messages: [user("Hello"), user([{ type: "text", text: "More", ...mark }])] };
  expect(comparePrefix(before, next).difference).toBeUndefined();
  expect(comparePrefix(next, before).difference).toBeUndefined();
  const edited = { ...anthropic, messages: [user([{ type: "text", text: "Hallo", ...mark }])] };
  expect(comparePrefix(anthropic, edited).difference).toEqual({
    path: "messages[0].content[0].text",
    character: 1,
  });
});

describe("the order of other protocols", () => {
  test("Responses: tools, instructions, input", () => {
    const before = {
      input: [{ role: "user", content: "Hi" }],
      instructions: "A",
      tools: [{ name: "t" }],
      model: "m",
    };
    const next = { ...before, instructions: "B" };
    expect(states(before, next)).toEqual([
      "model same",
      "tools[0] same",
      "instructions cut",
      "input[0] lost",
    ]);
  });

  test("Gemini: tools, systemInstruction, contents", () => {
    const before = { contents: [{ parts: [{ text: "Hi" }] }], systemInstruction: { parts: [{ text: "A" }] } };
    const next = { ...before, systemInstruction: { parts: [{ text: "B" }] } };
    expect(comparePrefix(before, next).difference).toEqual({
      path: "systemInstruction.parts[0].text",
      character: 0,
    });
  });
});

test("the order of the keys counts, since the bytes do", () => {
  const before = { ...anthropic, messages: [{ role: "user", content: "Hello" }] };
  const next = { ...anthropic, messages: [{ content: "Hello", role: "user" }] };
  expect(comparePrefix(before, next).difference).toEqual({ path: "messages[0].content" });
});

test.each([
  ["no body", undefined],
  ["a text", "not JSON"],
  ["a list", []],
])("%s has no parts", (_, body) => {
  expect(comparePrefix(body, body)).toEqual({ segments: [] });
});

test("keys of the prototype are looked for as own ones", () => {
  const body: unknown = JSON.parse('{"messages":[{"role":"user","content":"a","__proto__":{"x":1}}]}');
  const other: unknown = JSON.parse('{"messages":[{"role":"user","content":"a","__proto__":{"x":2}}]}');
  expect(comparePrefix(body, other).difference).toMatchObject({ path: "messages[0].__proto__.x" });
});
