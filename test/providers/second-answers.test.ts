/** Streams in which an answer breaks off and begins again, or another one follows: nothing of two answers in one is certain. */
import { describe, expect, test } from "vitest";
import { chatChunk, type WireEvent } from "./answers.ts";
import { googleChunk } from "./google-answers.ts";
import { expectError, expectOnce, meant, meantText, outcomeOf } from "./hostile-server.ts";

describe("a second answer in a stream of chunks", () => {
  const chat = (id: string, delta: object, end: string | null = null): WireEvent => chatChunk(id, delta, end);
  const act = (id: string): object => ({
    tool_calls: [{ index: 0, id, type: "function", function: { name: "act", arguments: meantText } }],
  });
  const role = { role: "assistant" };

  test.each<readonly [string, readonly WireEvent[]]>([
    [
      "after a whole one",
      [
        chat("A", { ...role, ...act("a") }),
        chat("A", {}, "tool_calls"),
        chat("B", { ...role, ...act("b") }),
        chat("B", {}, "tool_calls"),
      ],
    ],
    [
      "after one that broke off",
      [
        chat("A", { ...role, content: "" }),
        chat("A", act("a")),
        chat("B", act("b")),
        chat("B", {}, "tool_calls"),
      ],
    ],
    [
      "of one chunk",
      [chat("A", { ...role, ...act("a") }), chat("B", { ...role, ...act("b") }, "tool_calls")],
    ],
    ["without a role", [chat("A", act("a")), chat("B", act("b"), "tool_calls")]],
    [
      "that says its role first",
      [
        chat("A", { ...role, content: "" }),
        chat("A", { content: "Hello wor" }),
        chat("B", { ...role, content: "" }),
        chat("B", { content: "Hello world" }, "stop"),
      ],
    ],
    [
      "of text alone",
      [chat("A", { ...role, content: "Hello wor" }), chat("B", { ...role, content: "Hello world" }, "stop")],
    ],
  ])("chat: %s is an error, and no call is executed", async (_, events) => {
    expectError(await outcomeOf("chat", [...events, "[DONE]"]));
  });

  test("chat: a server that gives each chunk another id sends one answer", async () => {
    const [head, tail] = [meantText.slice(0, 12), meantText.slice(12)];
    const opened = { tool_calls: [{ index: 0, id: "a", function: { name: "act", arguments: head } }] };
    const rest = { tool_calls: [{ index: 0, function: { arguments: tail } }] };
    const texts = [
      { ...role, content: "" },
      { ...role, content: "We" },
      { ...role, content: "ll." },
    ];
    const deltas = [...texts, opened, rest, {}];
    const events = deltas.map((delta, place) =>
      chat(String(place), delta, place === 5 ? "tool_calls" : null),
    );
    expectOnce(await outcomeOf("chat", [...events, "[DONE]"]));
    expectOnce(
      await outcomeOf(
        "chat",
        [...events.slice(1), "[DONE]"].filter((_, place) => place !== 1),
      ),
    );
  });

  test("chat: an empty id, and another one for the usage at the end, are of the same answer", async () => {
    const usage = { ...chat("Z", {}), usage: { prompt_tokens: 1, completion_tokens: 1 } };
    const first = { ...chat("A", { ...role, content: "" }), id: "" };
    expectOnce(
      await outcomeOf("chat", [first, chat("A", act("a")), chat("A", {}, "tool_calls"), usage, "[DONE]"]),
    );
  });

  test("responses: is an error, and no call is executed", async () => {
    const item = (id: string): object => ({
      type: "function_call",
      id: `f${id}`,
      call_id: id,
      name: "act",
      arguments: meantText,
      status: "completed",
    });
    const begin = (id: string): WireEvent => ({
      type: "response.created",
      response: { id, status: "in_progress", output: [] },
    });
    const done = (id: string): WireEvent => ({
      type: "response.output_item.done",
      output_index: 0,
      item: item(id),
    });
    const end = (id: string, call: string): WireEvent => ({
      type: "response.completed",
      response: { id, status: "completed", output: [item(call)] },
    });
    expectError(await outcomeOf("responses", [begin("A"), done("a"), begin("B"), done("b"), end("B", "b")]));
    expectOnce(await outcomeOf("responses", [begin("A"), begin("B"), done("a"), end("B", "a")]));
    expectOnce(await outcomeOf("responses", [begin("A"), done("a"), begin("A"), end("renamed", "a")]));
  });

  test("google: is an error, and no call is executed", async () => {
    const part = { functionCall: { name: "act", args: meant } };
    const chunk = (responseId: string, parts: object[], end = {}): WireEvent => ({
      ...googleChunk("one", parts, end),
      responseId,
    });
    expectError(
      await outcomeOf("google", [chunk("A", [part]), chunk("B", [part], { finishReason: "STOP" })]),
    );
    expectOnce(await outcomeOf("google", [chunk("A", [part]), chunk("B", [], { finishReason: "STOP" })]));
  });
});

describe("calls that come twice", () => {
  const part = { functionCall: { name: "act", args: meant } };
  const call = { function: { name: "act", arguments: meantText } };
  const chat = (delta: object, end: string | null = null): WireEvent => chatChunk("A", delta, end);
  const stop = { finishReason: "STOP" };
  const unnumbered = (id?: string): WireEvent => chat({ tool_calls: [{ ...(id && { id }), ...call }] });

  test.each<readonly [string, "chat" | "google", readonly WireEvent[]]>([
    ["google: after an ending", "google", [googleChunk("A", [part], stop), googleChunk("A", [part], stop)]],
    [
      "google: after an ending, renumbered",
      "google",
      ["a", "b"].map((id) => googleChunk("A", [{ functionCall: { ...part.functionCall, id } }], stop)),
    ],
    [
      "chat: after an ending, renumbered",
      "chat",
      ["a", "b"].map((id) => chat({ tool_calls: [{ index: 0, id, ...call }] }, "tool_calls")),
    ],
    [
      "chat: after an ending",
      "chat",
      [
        chat({ tool_calls: [{ index: 0, ...call }] }, "tool_calls"),
        chat({ tool_calls: [{ index: 1, ...call }] }),
      ],
    ],
    [
      "chat: in one place",
      "chat",
      [
        chat({ tool_calls: [{ index: 0, ...call }] }),
        chat({ role: "assistant" }),
        chat({ tool_calls: [{ index: 0, ...call }] }, "tool_calls"),
      ],
    ],
    ["chat: without index and id", "chat", [unnumbered(), unnumbered(), chat({}, "tool_calls")]],
    ["chat: with an id and without", "chat", [unnumbered("a"), unnumbered(), chat({}, "tool_calls")]],
    ["chat: without an id and with one", "chat", [unnumbered(), unnumbered("a"), chat({}, "tool_calls")]],
    ["chat: without index and id in one chunk", "chat", [chat({ tool_calls: [call, call] }, "tool_calls")]],
    [
      "chat: without an id, with an index and without",
      "chat",
      [chat({ tool_calls: [{ index: 0, ...call }] }), unnumbered(), chat({}, "tool_calls")],
    ],
    [
      "google: without ids in two chunks",
      "google",
      [googleChunk("A", [part]), googleChunk("A", [part], stop)],
    ],
    [
      "google: with an id and without",
      "google",
      [googleChunk("A", [{ functionCall: { ...part.functionCall, id: "a" } }, part], stop)],
    ],
  ])("%s, are an error: nothing says whether they are one", async (_title, protocol, events) => {
    expectError(await outcomeOf(protocol, [...events, ...(protocol === "chat" ? ["[DONE]"] : [])]));
  });

  const block = (id: string): readonly WireEvent[] => [
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id, name: "act", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: meantText } },
    { type: "content_block_stop", index: 0 },
  ];
  const start = {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", content: [], usage: {} },
  };
  const end = { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} };

  test("messages: renumbered after an ending, are an error", async () => {
    const events = [start, ...block("a"), end, ...block("b"), end];
    expectError(await outcomeOf("messages", [...events, { type: "message_stop" }]));
  });

  test("messages: without ids, in one place, are an error", async () => {
    const events = [start, ...block(""), ...block(""), end];
    expectError(await outcomeOf("messages", [...events, { type: "message_stop" }]));
  });

  test("a call in the old form beside the new one is the same call", async () => {
    const both = chat(
      { function_call: call.function, tool_calls: [{ index: 0, id: "a", ...call }] },
      "tool_calls",
    );
    expectOnce(await outcomeOf("chat", [both, "[DONE]"]));
  });

  test("side by side, and before an ending, they are two", async () => {
    const two = [meant, meant];
    expect((await outcomeOf("google", [googleChunk("A", [part, part], stop)])).inputs).toEqual(two);
    const entries = [0, 1].map((index) => ({ index, ...call }));
    expect((await outcomeOf("chat", [chat({ tool_calls: entries }, "tool_calls"), "[DONE]"])).inputs).toEqual(
      two,
    );
  });
});
