import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import { stringifyBody } from "../../model/wire-text.ts";
import type { ModelRequest } from "../../model/types.ts";
import { buildRequest } from "./request.ts";

const hello: Message = { role: "user", content: "Hi" };
const tools = ["first", "last"].map((name) => ({ name, inputSchema: { type: "object" as const } }));
const mark = { type: "ephemeral" };
const hour = { type: "ephemeral", ttl: "1h" };

/** A body as the API reads it. */
interface Body {
  readonly cache_control?: unknown;
  readonly tools?: readonly { readonly name: string; readonly cache_control?: unknown }[];
  readonly system?: string | readonly { readonly text: string; readonly cache_control?: unknown }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly cache_control?: unknown;
}

function build(request: Partial<ModelRequest>): {
  readonly body: Body;
  readonly warnings: readonly string[];
} {
  const target = { provider: "anthropic", modelId: "claude-opus-4-5", isFirstParty: true };
  const { body, warnings } = buildRequest({ messages: [hello], ...request }, target);
  return { body: JSON.parse(JSON.stringify(body)), warnings };
}

/** The places of all breakpoints. */
function marksOf({ tools: all = [], system = [], messages }: Body): string[] {
  const blocks = messages.flatMap(({ content }, index) =>
    content.map((block, place) => [`messages ${index} ${block.type} ${place}`, block] as const),
  );
  return [
    ...all.map((tool) => [`tool ${tool.name}`, tool] as const),
    ...(typeof system === "string" ? [] : system.map((block) => ["system", block] as const)),
    ...blocks,
  ].flatMap(([place, { cache_control: control }]) => (control === undefined ? [] : [place]));
}

/** An answer with calls, and their results: 3 blocks for each call, one for each text. */
function calls(count: number, texts = 0): Message[] {
  const toolCalls = Array.from({ length: count }, (_, index) => ({
    toolCallId: `call_${count}_${index}`,
    toolName: "first",
    arguments: "{}",
  }));
  const spoken = Array.from({ length: texts }, (): AssistantPart => ({ type: "text", text: "I look." }));
  const parts = toolCalls.map(({ toolCallId }): AssistantPart => ({ type: "tool-call", toolCallId }));
  return [
    {
      role: "assistant",
      content: [...spoken, ...parts],
      toolCalls,
    },
    ...toolCalls.map(({ toolCallId, toolName }): Message => ({
      role: "tool",
      result: {
        toolCallId,
        toolName,
        content: [{ type: "text", text: "Yes." }],
        isError: false,
        outcome: "success",
      },
    })),
  ];
}

describe("breakpoints", () => {
  test("are after the tools, after the instructions and at the end", () => {
    const { body, warnings } = build({ instructions: "Be kind.", tools });
    expect(marksOf(body)).toEqual(["tool last", "system", "messages 0 text 0"]);
    expect(body.system).toEqual([{ type: "text", text: "Be kind.", cache_control: mark }]);
    expect(body.tools?.at(-1)).toEqual({
      ...tools[1],
      input_schema: { type: "object" },
      inputSchema: undefined,
      cache_control: mark,
    });
    expect(warnings).toEqual([]);
  });

  test("are left out without tools, unless a lifetime is set", () => {
    expect(marksOf(build({ instructions: "Be kind." }).body)).toEqual([]);
    expect(build({ instructions: "Be kind." }).body.system).toBe("Be kind.");
    expect(marksOf(build({ settings: { cache: "5m" } }).body)).toEqual(["messages 0 text 0"]);
  });

  test("are left out for false", () => {
    expect(marksOf(build({ instructions: "Be kind.", tools, settings: { cache: false } }).body)).toEqual([]);
  });

  test("have the lifetime of the setting", () => {
    const last = (cache: "auto" | "5m" | "1h"): unknown =>
      build({ tools, settings: { cache } }).body.messages.at(-1)?.content.at(-1)?.cache_control;
    expect([last("auto"), last("5m"), last("1h")]).toEqual([mark, mark, hour]);
  });

  test("stand at the end of the request before, too, if that is out of reach", () => {
    const reached = build({ tools, messages: [hello, ...calls(6, 1)] });
    expect(marksOf(reached.body)).toEqual(["tool last", "messages 2 tool_result 5"]);
    for (const [count, texts] of [
      [6, 2],
      [30, 0],
    ] as const) {
      const messages = [hello, ...calls(count, texts)];
      const { body } = build({ instructions: "Be kind.", tools, messages });
      const end = `messages 2 tool_result ${count - 1}`;
      expect(marksOf(body)).toEqual(["tool last", "system", "messages 0 text 0", end]);
    }
  });

  test("are not placed at thinking", () => {
    const thinking: AssistantPart = {
      type: "reasoning",
      text: "Hm",
      providerData: { provider: "anthropic", data: { type: "thinking", signature: "s" } },
    };
    const search: AssistantPart = {
      type: "provider",
      providerData: {
        provider: "anthropic",
        data: { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      },
    };
    const paused: Message = { role: "assistant", content: [thinking, search], toolCalls: [] };
    expect(marksOf(build({ tools, messages: [hello, paused] }).body)).toEqual([
      "tool last",
      "messages 0 text 0",
    ]);
  });
});

describe("the caller's own breakpoints are the only ones", () => {
  const own = { cache_control: mark };

  test.each([
    ["of the request", own],
    ["at a tool", { tools: [{ type: "web_search_20260209", name: "web_search", ...own }] }],
    ["at the instructions", { system: [{ type: "text", text: "Be kind.", ...own }] }],
    ["at a message", { messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...own }] }] }],
    ["of a thread, which must not have any", { thread: { id: "t" } }],
  ])("%s", (_, providerOptions) => {
    const automatic = build({ tools, settings: { providerOptions } });
    const without = build({ tools, settings: { providerOptions, cache: false } });
    expect(automatic).toEqual(without);
    expect(automatic.warnings).toEqual([]);
    expect(build({ tools, settings: { providerOptions, cache: "1h" } })).toEqual({
      body: without.body,
      warnings: ["settings.cache is left out: providerOptions have a cache_control of their own."],
    });
  });

  test("in a message that is sent back", () => {
    const part: AssistantPart = {
      type: "provider",
      providerData: { provider: "anthropic", data: { type: "search_result", ...own } },
    };
    const messages: Message[] = [hello, { role: "assistant", content: [part], toolCalls: [] }, hello];
    expect(marksOf(build({ tools, messages }).body)).toEqual(["messages 1 search_result 0"]);
  });

  test("but not a property of that name in a schema, or none", () => {
    const schema = { type: "object", properties: { cache_control: { type: "string" } } };
    const providerOptions = { tools: [{ name: "own", input_schema: schema }], cache_control: null };
    expect(marksOf(build({ tools, settings: { providerOptions } }).body)).toEqual([
      "tool last",
      "messages 0 text 0",
    ]);
  });
});

test("what is before the breakpoints is written once", () => {
  const target = { provider: "anthropic", modelId: "claude-opus-4-5", isFirstParty: true };
  const history = [hello, ...calls(1), ...calls(2), ...calls(9), ...calls(3)];
  const bodyOf = (count: number): object =>
    buildRequest({ messages: history.slice(0, count), tools }, target).body;
  const first = bodyOf(3);
  stringifyBody(first);
  // To write this message again would give another text.
  Reflect.set(Object(first).messages[0].content[0], "text", "Changed");
  for (const count of [6, 16, 20]) {
    const text = stringifyBody(bodyOf(count));
    expect(text).toContain('"text":"Hi"');
    expect(text).not.toContain("Changed");
  }
});

const words = fc.constantFrom("", " ", "\n", "a", "some words");
const thinkingData = fc.constantFrom(
  { type: "thinking", signature: "s" },
  { type: "redacted_thinking", data: "d" },
  { type: "server_tool_use", id: "s", name: "web_search", input: {} },
);
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  words.map((text): AssistantPart => ({ type: "text", text })),
  thinkingData.map((data): AssistantPart => ({
    type: data.type === "server_tool_use" ? "provider" : "reasoning",
    text: "Hm",
    providerData: { provider: "anthropic", data },
  })),
);
const histories = fc.array(
  fc.oneof(
    words.map((content): Message[] => [{ role: "user", content }]),
    words.map((content): Message[] => [{ role: "system", content }]),
    fc
      .array(assistantPart, { maxLength: 4 })
      .map((content): Message[] => [{ role: "assistant", content, toolCalls: [] }]),
    fc.integer({ min: 1, max: 25 }).map(calls),
  ),
  { maxLength: 8 },
);

test("there are never more than four, and never one at thinking or at blank text", () => {
  fc.assert(
    fc.property(
      histories,
      words,
      fc.constantFrom("auto" as const, "5m" as const, "1h" as const),
      fc.constantFrom("claude-opus-4-5", "claude-sonnet-5-5", "glm-5"),
      (groups, instructions, cache, modelId) => {
        const target = { provider: "anthropic", modelId, isFirstParty: true };
        const messages = groups.flat();
        const encoded = buildRequest({ messages, instructions, tools, settings: { cache } }, target).body;
        const body: Body = JSON.parse(stringifyBody(encoded));
        expect(body).toEqual(JSON.parse(JSON.stringify(encoded)));
        expect(marksOf(body).length).toBeLessThanOrEqual(4);
        const marked = body.messages
          .flatMap(({ content }) => content)
          .filter(({ cache_control: control }) => control !== undefined);
        for (const { type, text = "x" } of marked) {
          expect(type).not.toMatch(/thinking/);
          expect(text.trim()).not.toBe("");
        }
        const plain: unknown = JSON.parse(
          JSON.stringify(
            buildRequest({ messages, instructions, tools, settings: { cache: false } }, target).body,
          ),
        );
        // But for the breakpoints, the request is that without them.
        expect(JSON.parse(withoutMarks(body))).toEqual(JSON.parse(withoutMarks(plain)));
      },
    ),
  );
});

/** A body without breakpoints, and with the instructions as a text. */
function withoutMarks(body: unknown): string {
  return JSON.stringify(body, (name, value: unknown) =>
    name === "cache_control" ? undefined : name === "system" && Array.isArray(value) ? value[0].text : value,
  );
}
