import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, ToolMessage } from "../../message/messages.ts";
import type { AssistantPart, Part } from "../../message/parts.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { toolNames } from "./names.ts";
import { requestHistory } from "./request-messages.ts";

const warnings: string[] = [];

function history(
  messages: readonly Message[],
  options: { instructions?: string; allowsPrefill?: boolean } = {},
) {
  warnings.length = 0;
  return requestHistory(options.instructions, messages, {
    provider: "anthropic",
    modelId: "claude-opus-5-5",
    names: toolNames(["shop.refund"]),
    allowsPrefill: options.allowsPrefill ?? false,
    warn: (warning) => void warnings.push(warning),
  });
}

function sentMessages(...messages: Message[]): { role: string; content: unknown[] }[] {
  return history(messages).messages.map(({ role, content }) => ({ role, content }));
}

const user = (content: string | Part[]): Message => ({ role: "user", content });
const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });

function assistant(
  content: readonly AssistantPart[],
  ...calls: [id: string, name: string, args: string][]
): AssistantMessage {
  const toolCalls = calls.map(([toolCallId, toolName, args]) => ({ toolCallId, toolName, arguments: args }));
  return { role: "assistant", content, toolCalls };
}

function result(toolCallId: string, content: Part[], isError = false): ToolMessage {
  const outcome = isError ? "error" : "success";
  return { role: "tool", result: { toolCallId, toolName: "f", content, isError, outcome } };
}

const call = (toolCallId: string): AssistantPart => ({ type: "tool-call", toolCallId });
const own = (data: JsonObject): { provider: string; data: JsonObject } => ({ provider: "anthropic", data });
const foreign = (data: JsonObject): { provider: string; data: JsonObject } => ({ provider: "openai", data });

describe("system messages", () => {
  test("at the start follow the instructions", () => {
    const messages: Message[] = [
      { role: "system", content: "Be kind." },
      { role: "system", content: " " },
      user("Hi"),
    ];
    expect(history(messages, { instructions: "You are a goose." })).toEqual({
      system: "You are a goose.\n\nBe kind.",
      messages: [{ role: "user", content: [text("Hi")] }],
    });
    expect(history([user("Hi")]).system).toBeUndefined();
  });

  test("later on become tagged user text in the same place", () => {
    expect(
      sentMessages(
        user("Hi"),
        assistant([text("Hello")]),
        { role: "system", content: "Be brief." },
        user("Go"),
      ),
    ).toEqual([
      { role: "user", content: [text("Hi")] },
      { role: "assistant", content: [text("Hello")] },
      { role: "user", content: [text("<system>\nBe brief.\n</system>"), text("Go")] },
    ]);
  });
});

describe("turns", () => {
  test("the results of one batch are in one message, before other user content", () => {
    const calls = assistant([call("a"), call("b")], ["a", "f", "{}"], ["b", "f", "{}"]);
    expect(
      sentMessages(user("Hi"), calls, user("Hurry"), result("a", [text("1")]), result("b", [text("2")])).at(
        -1,
      ),
    ).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: [text("1")] },
        { type: "tool_result", tool_use_id: "b", content: [text("2")] },
        text("Hurry"),
      ],
    });
  });

  test("consecutive messages of one role are merged, and roles alternate, starting with the user", () => {
    const messages = sentMessages(assistant([text("a")]), assistant([text("b")]), user("c"), user("d"));
    expect(messages).toEqual([
      { role: "user", content: [text("Continue.")] },
      { role: "assistant", content: [text("a"), text("b")] },
      { role: "user", content: [text("c"), text("d")] },
    ]);
  });

  test("empty texts and messages are left out, and an empty history is still a conversation", () => {
    const empty = assistant([text(""), text(" \n")]);
    expect(sentMessages(user(""), empty, user([text(" "), text("x")]))).toEqual([
      { role: "user", content: [text("x")] },
    ]);
    expect(sentMessages()).toEqual([{ role: "user", content: [text("Continue.")] }]);
    expect(sentMessages({ role: "system", content: "only this" })).toEqual([
      { role: "user", content: [text("Continue.")] },
    ]);
  });

  test("a history that ends with the model gets a user message, unless the model supports prefill", () => {
    const messages = [user("Hi"), assistant([text("The answer is ( \n")])];
    expect(history(messages).messages.at(-1)).toEqual({ role: "user", content: [text("Continue.")] });
    expect(history(messages, { allowsPrefill: true }).messages.at(-1)).toEqual({
      role: "assistant",
      content: [text("The answer is (")],
    });
  });

  test("an answer paused during the provider's own tools is sent back unchanged", () => {
    const paused = { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} };
    const messages = sentMessages(user("Hi"), assistant([{ type: "provider", providerData: own(paused) }]));
    expect(messages.at(-1)).toEqual({ role: "assistant", content: [paused] });
  });
});

describe("an answer", () => {
  const thinking = { type: "thinking", signature: "EqkE+/==" };
  const redacted = { type: "redacted_thinking", data: "EmwK==" };
  const search = {
    type: "web_search_tool_result",
    tool_use_id: "srv_1",
    content: [{ encrypted_content: "E==" }],
  };

  test("is sent back in its order, with thinking unchanged", () => {
    const message = assistant(
      [
        { type: "reasoning", text: "hm → 🦢 ", providerData: own(thinking) },
        { type: "reasoning", text: "", providerData: own(redacted) },
        { type: "provider", providerData: own(search) },
        text("Hi "),
        { type: "tool-call", toolCallId: "toolu_1", providerData: own({ caller: { type: "direct" } }) },
      ],
      ["toolu_1", "shop.refund", '{"item": 2}'],
    );
    const [, { content } = { content: [] }] = sentMessages(user("x"), message, result("toolu_1", []));
    const name = toolNames(["shop.refund"]).toWire("shop.refund");
    expect(content).toEqual([
      { type: "thinking", thinking: "hm → 🦢 ", signature: "EqkE+/==" },
      redacted,
      search,
      text("Hi "),
      { type: "tool_use", id: "toolu_1", name, input: { item: 2 }, caller: { type: "direct" } },
    ]);
    expect(JSON.stringify(content[0])).toBe(
      '{"type":"thinking","thinking":"hm → 🦢 ","signature":"EqkE+/=="}',
    );
  });

  test("of another provider loses its reasoning and server-side tools, and keeps the rest", () => {
    const message = assistant(
      [
        { type: "reasoning", text: "hm", providerData: foreign({ type: "thinking", signature: "s" }) },
        { type: "reasoning", text: "no data" },
        { type: "reasoning", text: "no signature", providerData: own({ type: "thinking" }) },
        { type: "provider", providerData: foreign({ type: "web_search_call" }) },
        { type: "text", text: "Hi", providerData: foreign({ citations: [{}] }) },
        { type: "tool-call", toolCallId: "call_1", providerData: foreign({ id: "fc_1" }) },
      ],
      ["call_1", "f", "{}"],
    );
    expect(sentMessages(user("x"), message, result("call_1", []))[1]?.content).toEqual([
      text("Hi"),
      { type: "tool_use", id: "call_1", name: "f", input: {} },
    ]);
  });

  test("keeps its citations, without the file ids that the API refuses", () => {
    const citations = [{ type: "char_location", cited_text: "V", file_id: null, document_index: 0 }];
    const message = assistant([{ type: "text", text: "V", providerData: own({ citations }) }]);
    expect(sentMessages(user("x"), message, user("y"))[1]?.content).toEqual([
      { type: "text", text: "V", citations: [{ type: "char_location", cited_text: "V", document_index: 0 }] },
    ]);
  });

  test.each([
    ['{"a": [1, null]}', { a: [1, null] }],
    ["", {}],
    [" ", {}],
    ["null", {}],
    ['{"a": "unfin', { invalid_arguments: '{"a": "unfin' }],
    ["[1]", { invalid_arguments: "[1]" }],
    ['"text"', { invalid_arguments: '"text"' }],
  ])("arguments %s are sent as an object", (args, input) => {
    const blocks = sentMessages(user("x"), assistant([call("a")], ["a", "f", args]), result("a", []))[1]
      ?.content;
    expect(blocks).toEqual([{ type: "tool_use", id: "a", name: "f", input }]);
  });

  test("puts calls that its content does not refer to last, and drops references without a call", () => {
    const message = assistant([call("nobody"), text("Hi")], ["a", "f", "{}"]);
    expect(sentMessages(user("x"), message, result("a", []))[1]?.content).toEqual([
      text("Hi"),
      { type: "tool_use", id: "a", name: "f", input: {} },
    ]);
  });

  test("loses its images, with a warning", () => {
    const picture: AssistantPart = { type: "image", url: "data:image/png;base64,AA==" };
    expect(history([user("x"), assistant([picture, text("Hi")]), user("y")]).messages[1]?.content).toEqual([
      text("Hi"),
    ]);
    expect(warnings).toEqual([expect.stringContaining("image (image/png)")]);
  });
});

describe("tool results", () => {
  const calls = assistant([call("a")], ["a", "f", "{}"]);

  test("have text and images, and are marked as errors", () => {
    const image: Part = { type: "image", url: "data:image/png;base64,AA==" };
    expect(sentMessages(user("x"), calls, result("a", [text("No."), image], true)).at(-1)?.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "a",
        content: [
          text("No."),
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
        ],
        is_error: true,
      },
    ]);
  });

  test("may be empty, but an error always has text", () => {
    expect(sentMessages(user("x"), calls, result("a", [text("")])).at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a" },
    ]);
    expect(sentMessages(user("x"), calls, result("a", [], true)).at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: [text("The tool failed.")], is_error: true },
    ]);
  });

  test("belong to the last call with their id, if a server numbers calls from 1 in each answer", () => {
    const messages = sentMessages(
      user("x"),
      calls,
      result("a", [text("1")]),
      calls,
      result("a", [text("2")]),
    );
    expect(messages.slice(1).map(({ content }) => content[0])).toEqual([
      { type: "tool_use", id: "a", name: "f", input: {} },
      { type: "tool_result", tool_use_id: "a", content: [text("1")] },
      { type: "tool_use", id: "a_2", name: "f", input: {} },
      { type: "tool_result", tool_use_id: "a_2", content: [text("2")] },
    ]);
  });
});

test("thinking at the end of an answer is left out", () => {
  const providerData = own({ type: "thinking", signature: "sig" });
  const message = assistant([text("Hi"), { type: "reasoning", text: "hm", providerData }]);
  expect(sentMessages(user("x"), message, user("y"))[1]?.content).toEqual([text("Hi")]);
});

describe("calls without results and results without calls", () => {
  const calls = assistant([call("a"), call("b")], ["a", "f", "{}"], ["b", "f", "{}"]);
  const missing = (id: string): unknown => ({
    type: "tool_result",
    tool_use_id: id,
    content: [text("The conversation went on before f finished. It may or may not have taken effect.")],
    is_error: true,
  });
  const present = { type: "tool_result", tool_use_id: "b", content: [text("2")] };

  test("a call without a result gets one, wherever it is", () => {
    expect(sentMessages(user("x"), calls, result("b", [text("2")]), user("y")).at(-1)?.content).toEqual([
      present,
      missing("a"),
      text("y"),
    ]);
    expect(sentMessages(user("x"), calls, user("y")).at(-1)?.content).toEqual([
      missing("a"),
      missing("b"),
      text("y"),
    ]);
    expect(sentMessages(user("x"), calls).at(-1)).toEqual({
      role: "user",
      content: [missing("a"), missing("b")],
    });
  });

  test("a result without a call becomes user content, and a second result is left out", () => {
    const picture: Part = { type: "image", url: "https://a.example/x.png" };
    expect(sentMessages(user("x"), result("z", [text("lost"), picture])).at(-1)?.content).toEqual([
      text("x"),
      text("A result of f, whose call is not in this conversation:"),
      text("lost"),
      { type: "image", source: { type: "url", url: "https://a.example/x.png" } },
    ]);
    const one = assistant([call("b")], ["b", "f", "{}"]);
    expect(
      sentMessages(user("x"), one, result("b", [text("2")]), result("b", [text("3")])).at(-1)?.content,
    ).toEqual([present]);
  });
});

describe("a growing history", () => {
  test("starts with the same bytes as before", () => {
    const whole: Message[] = [
      user("Hi"),
      assistant([call("a|1")], ["a|1", "shop.refund", "{}"]),
      result("a|1", [text("done")]),
      { role: "system", content: "Be brief." },
      assistant([text("Bye")]),
      user("Wait"),
    ];
    const before = JSON.stringify(history(whole.slice(0, 4)).messages);
    expect(JSON.stringify(history(whole).messages).startsWith(before.slice(0, -1))).toBe(true);
  });
});
