import { describe, expect, test } from "vitest";
import { MalformedResponseError, OverloadedError } from "../../errors.ts";
import { GenerationBuilder } from "../../model/generation-builder.ts";
import type { Generation, ModelEvent } from "../../model/types.ts";
import { type DecoderOptions, MessageDecoder } from "./decode.ts";
import {
  block,
  messageEnd,
  messageStart,
  searchWithCitations,
  textBlock,
  type WireEvent,
} from "./fixtures/answers.ts";
import { generationOf } from "../kit/test-collect.ts";
import { toolNames } from "./names.ts";

const who = { provider: "anthropic", modelId: "claude-x" };

function decoder(options: Partial<DecoderOptions> = {}): MessageDecoder {
  return new MessageDecoder({
    ...who,
    builder: new GenerationBuilder(),
    usedIds: new Set(),
    names: toolNames([]),
    warnings: [],
    answer: {
      headers: {},
      failure: () => new OverloadedError("failed", who),
      malformed: (what, { isRetryable } = {}) => new MalformedResponseError(what, { ...who, isRetryable }),
    },
    ...options,
  });
}

/** The events of a decoder, which reads until it is complete. */
function read(reader: MessageDecoder, events: readonly unknown[]): ModelEvent[] {
  const output: ModelEvent[] = [];
  for (const event of events) if (!reader.isComplete) reader.push(JSON.stringify(event), output);
  return output;
}

function decode(events: readonly WireEvent[], options?: Partial<DecoderOptions>): ModelEvent[] {
  const reader = decoder(options);
  const output = read(reader, events);
  reader.end(output);
  return output;
}

function readWhole(reader: MessageDecoder, value: unknown): ModelEvent[] {
  const output: ModelEvent[] = [];
  reader.pushWhole(value, output);
  return output;
}

function generation(events: readonly WireEvent[], options?: Partial<DecoderOptions>): Generation {
  return generationOf(decode(events, options));
}

describe("calls", () => {
  const start = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
  const piece = (text: string): object => ({ type: "input_json_delta", partial_json: text });
  const answer = (...deltas: object[]): WireEvent[] => [
    messageStart(),
    ...block(0, start, ...deltas),
    ...messageEnd("tool_use"),
  ];

  test("a call without argument events has no arguments", () => {
    for (const events of [answer(), answer(piece("")), answer(piece(""), piece(""))]) {
      expect(generation(events).toolCalls).toEqual([
        { toolCallId: "toolu_1", toolName: "f", arguments: "{}" },
      ]);
    }
  });

  test("arguments in the start event are used, unless pieces follow", () => {
    const whole = { ...start, input: { a: 1 } };
    const end = messageEnd("tool_use");
    expect(generation([messageStart(), ...block(0, whole), ...end]).toolCalls[0]?.arguments).toBe('{"a":1}');
    const pieces = block(0, whole, piece('{"a":'), piece(" 2}"));
    expect(generation([messageStart(), ...pieces, ...end]).toolCalls[0]?.arguments).toBe('{"a": 2}');
  });

  test("the pieces of a call are joined to its raw arguments", () => {
    const events = decode(answer(piece('{"a" :'), piece("1.0"), piece("}")));
    const deltas = events.flatMap((event) => (event.type === "tool-input-delta" ? [event.text] : []));
    expect(deltas).toEqual(['{"a" :', "1.0", "}"]);
    expect(events.find((event) => event.type === "tool-call")).toEqual({
      type: "tool-call",
      toolCall: { toolCallId: "toolu_1", toolName: "f", arguments: '{"a" :1.0}' },
    });
  });

  test("a call is complete only at its own end, though its arguments may look so before", () => {
    const events = answer(piece("{}"), piece(" ")).slice(0, -3);
    const types = read(decoder(), events).map(({ type }) => type);
    expect(types).toEqual(["tool-input-delta", "tool-input-delta"]);
  });

  test("interleaved calls are distinguished by their index", () => {
    const events = [
      messageStart(),
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_start", index: 1, content_block: { ...start, id: "toolu_2", name: "g" } },
      { type: "content_block_delta", index: 1, delta: piece('{"b":2}') },
      { type: "content_block_delta", index: 0, delta: piece('{"a":1}') },
      { type: "content_block_stop", index: 1 },
      { type: "content_block_stop", index: 0 },
      ...messageEnd("tool_use"),
    ];
    expect(generation(events).toolCalls).toEqual([
      { toolCallId: "toolu_1", toolName: "f", arguments: '{"a":1}' },
      { toolCallId: "toolu_2", toolName: "g", arguments: '{"b":2}' },
    ]);
  });

  test("a call truncated by max_tokens keeps its partial arguments, and the finish reason is length", () => {
    const cut = [messageStart(), ...block(0, start, piece('{"a": "unfin')), ...messageEnd("max_tokens")];
    expect(generation(cut)).toMatchObject({
      finishReason: "length",
      rawFinishReason: "max_tokens",
      toolCalls: [{ arguments: '{"a": "unfin' }],
    });
  });

  test("tool names are translated back to the program's", () => {
    const names = toolNames(["shop.refund"]);
    const events = [
      messageStart(),
      ...block(0, { ...start, name: names.toWire("shop.refund") }),
      ...messageEnd("tool_use"),
    ];
    expect(generation(events, { names }).toolCalls[0]?.toolName).toBe("shop.refund");
  });
});

describe("thinking", () => {
  test("thinking without text keeps its signature", () => {
    const withheld = block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "signature_delta", signature: "s" },
    );
    const { message } = generation([
      messageStart(),
      ...withheld,
      ...textBlock(1, "Hi"),
      ...messageEnd("end_turn"),
    ]);
    expect(message.content).toEqual([
      {
        type: "reasoning",
        text: "",
        providerData: { provider: "anthropic", data: { type: "thinking", signature: "s" } },
      },
      { type: "text", text: "Hi" },
    ]);
  });

  test("thinking without a signature has no data to send back", () => {
    const bare = block(0, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: "hm" });
    const { message } = generation([messageStart(), ...bare, ...messageEnd("end_turn")]);
    expect(message.content).toEqual([{ type: "reasoning", text: "hm" }]);
  });

  test("two thinking blocks are not joined", () => {
    const think = (index: number, text: string): WireEvent[] =>
      block(index, { type: "thinking", thinking: "" }, { type: "thinking_delta", thinking: text });
    const { message } = generation([
      messageStart(),
      ...think(0, "a"),
      ...think(1, "b"),
      ...messageEnd("end_turn"),
    ]);
    expect(message.content).toEqual([
      { type: "reasoning", text: "a" },
      { type: "reasoning", text: "b" },
    ]);
  });
});

describe("blocks that only the provider understands", () => {
  test("server-side tools are stored complete and in order, citations with their text", () => {
    const { message, text, toolCalls } = generation(searchWithCitations);
    expect(text).toBe("They fly in a V to save strength.");
    expect(toolCalls).toEqual([]);
    expect(message.content.map(({ type }) => type)).toEqual(["provider", "provider", "text", "text", "text"]);
    expect(message.content[0]).toEqual({
      type: "provider",
      providerData: {
        provider: "anthropic",
        data: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "geese" } },
      },
    });
    expect(message.content[2]).toMatchObject({
      providerData: { data: { citations: [{ encrypted_index: "Eo9=" }] } },
    });
    expect(message.content[4]).toEqual({ type: "text", text: "to save strength." });
  });

  test("a block of an unknown type is stored with the content of its deltas", () => {
    const events = [
      messageStart(),
      ...block(
        0,
        { type: "novelty", content: null, note: "a" },
        { type: "novelty_delta", content: "x", note: "b" },
        { type: "novelty_delta", content: "y" },
      ),
      ...messageEnd("compaction"),
    ];
    expect(generation(events).message.content).toEqual([
      {
        type: "provider",
        providerData: { provider: "anthropic", data: { type: "novelty", content: "xy", note: "ab" } },
      },
    ]);
  });

  test("events of unknown types are ignored", () => {
    const events = [
      messageStart(),
      { type: "novelty" },
      ...textBlock(0, "Hi"),
      { type: "ping" },
      ...messageEnd("end_turn"),
    ];
    expect(generation(events).text).toBe("Hi");
    expect(read(decoder(), [null, 1, "text", [], {}, { type: 1 }])).toEqual([]);
  });
});

describe("the end", () => {
  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content-filter"],
    ["pause_turn", "other"],
    ["a_new_one", "other"],
  ])("%s means %s", (raw, finishReason) => {
    const events = [messageStart(), ...textBlock(0, "x"), ...messageEnd(raw)];
    expect(generation(events)).toMatchObject({ finishReason, rawFinishReason: raw });
  });

  test("tool_use means tool-calls, and without a call that the answer is truncated", () => {
    const call = block(1, { type: "tool_use", id: "t", name: "f", input: {} });
    const [begin, end] = [[messageStart(), ...textBlock(0, "x")], messageEnd("tool_use")];
    expect(generation([...begin, ...call, ...end]).finishReason).toBe("tool-calls");
    expect(() => decode([...begin, ...end])).toThrow(MalformedResponseError);
  });

  test("a refusal has its explanation", () => {
    const delta = {
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "bio", explanation: "No." },
    };
    const events = [messageStart(), { type: "message_delta", delta, usage: {} }, { type: "message_stop" }];
    expect(generation(events)).toMatchObject({ finishReason: "content-filter", refusal: "No." });
    const ended = { ...delta, stop_reason: "end_turn" };
    const others = [messageStart(), ...textBlock(0, "x"), { type: "message_delta", delta: ended, usage: {} }];
    expect(generation([...others, { type: "message_stop" }])).not.toHaveProperty("refusal");
  });

  test("an answer without its last event is truncated: retryable only before any output", () => {
    const events = [messageStart(), ...textBlock(0, "Hi")];
    expect(() => decode(events)).toThrow(
      expect.objectContaining({ code: "malformed-response", isRetryable: false }),
    );
    expect(() => decode([messageStart()])).toThrow(expect.objectContaining({ isRetryable: true }));
    expect(() => decode([])).toThrow(/truncated/);
  });

  test("an answer that ends within a call is truncated", () => {
    const open = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t", name: "f", input: {} },
    };
    expect(() => decode([messageStart(), open, ...messageEnd("tool_use")])).toThrow(MalformedResponseError);
    expect(generation([messageStart(), open, ...messageEnd("max_tokens")])).toMatchObject({
      finishReason: "length",
      toolCalls: [],
    });
  });

  test("events after the last one are ignored", () => {
    const events = [messageStart(), ...textBlock(0, "one"), ...messageEnd("end_turn")];
    expect(generation([...events, messageStart({ id: "msg_02" }), ...textBlock(0, "two")]).text).toBe("one");
  });

  test("an error within the stream is a typed error", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => decode([messageStart(), ...textBlock(0, "Hi"), error])).toThrow(OverloadedError);
    expect(() => read(decoder(), [{ error: { message: "Overloaded" } }])).toThrow(OverloadedError);
  });
});

test("what a message_start says counts, though it does not say that it is a message", () => {
  const start = { type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 7 } } };
  const events = [start, ...textBlock(0, "Hi"), ...messageEnd("end_turn", { output_tokens: 2 })];
  expect(generation(events)).toMatchObject({
    response: { id: "m", modelId: "x" },
    usage: { inputTokens: 7, outputTokens: 2 },
  });
});

describe("an answer that starts twice", () => {
  test("a repeated message_start changes nothing", () => {
    const events = [messageStart(), messageStart(), ...textBlock(0, "Hello"), ...messageEnd("end_turn")];
    expect(generation(events)).toMatchObject({ text: "Hello", response: { id: "msg_01" } });
    expect(generation(events).usage).toEqual(generation(events.slice(1)).usage);
  });

  test.each([
    ["another id", "msg_01", "msg_02"],
    ["no id", "msg_01", undefined],
    ["an id, after one without", undefined, "msg_02"],
    ["no id, after one without", undefined, undefined],
  ])("a second message_start with %s after content is an error", (_, first, second) => {
    const call = block(1, { type: "tool_use", id: "toolu_2", name: "f", input: { a: 1 } });
    const redacted = block(0, { type: "redacted_thinking", data: "x" });
    for (const content of [textBlock(0, "first"), redacted]) {
      const events = [messageStart({ id: first }), ...content, messageStart({ id: second }), ...call];
      const again = [...events, ...messageEnd("tool_use")];
      expect(() => generation(again)).toThrow("began a second answer within its first");
    }
  });

  test("a message_start with another id before any content starts the answer over", () => {
    const events = [
      messageStart(),
      messageStart({ id: "msg_02", usage: { input_tokens: 5 } }),
      ...textBlock(0, "second"),
      ...messageEnd("end_turn", { output_tokens: 9 }),
    ];
    expect(generation(events)).toMatchObject({
      text: "second",
      response: { id: "msg_02" },
      usage: { inputTokens: 5, outputTokens: 9, totalTokens: 14 },
    });
  });

  test("a message_start with the same id after content changes nothing, but content may not come twice", () => {
    const events = [messageStart(), ...textBlock(0, "one"), messageStart(), ...textBlock(1, " two")];
    expect(generation([...events, ...messageEnd("end_turn")])).toMatchObject({ text: "one two" });
    const again = [...events, ...textBlock(0, "one"), ...messageEnd("end_turn")];
    expect(() => generation(again)).toThrow("sent a content block twice");
  });
});

describe("a whole answer", () => {
  test("is read like a stream", () => {
    const reader = decoder();
    const events = readWhole(reader, {
      type: "message",
      id: "msg_1",
      model: "claude-y",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "Hi", citations: null },
        { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    expect(events.map(({ type }) => type)).toEqual([
      "reasoning-delta",
      "text-delta",
      "tool-input-delta",
      "tool-call",
    ]);
    reader.end(events);
    expect(generationOf(events)).toMatchObject({
      text: "Hi",
      finishReason: "tool-calls",
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      response: { id: "msg_1", modelId: "claude-y" },
    });
  });

  test("that is an error or not a message is a typed error", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => readWhole(decoder(), error)).toThrow(OverloadedError);
    expect(() => readWhole(decoder(), { error: "Overloaded" })).toThrow(OverloadedError);
    for (const value of [null, [], {}, { type: "message" }, "text"]) {
      expect(() => readWhole(decoder(), value)).toThrow(MalformedResponseError);
    }
  });
});
