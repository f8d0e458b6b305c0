/** Servers that send an answer, or pieces of it, more than once or under changing ids: a call is executed once, or not at all. */
import { describe, expect, test } from "vitest";
import type { Model } from "skein";
import { fromAiSdk } from "skein/ai-sdk";
import { block, chatChunk, messageEnd, messageStart, toolUse, type WireEvent } from "./answers.ts";
import { googleChunk } from "./google-answers.ts";
import {
  expectError,
  expectOnce,
  meant,
  meantText,
  outcomeOf,
  outcomeOfModel,
  outcomeOfWhole,
  type HostileOutcome,
} from "./hostile-server.ts";

const call = { id: "a", name: "act", arguments: meantText };
const half = '{"to":"bob","items":["a"';

describe("messages", () => {
  const end = messageEnd("tool_use");
  const text = block(0, { type: "text", text: "" }, { type: "text_delta", text: "Well." });

  test.each<readonly [string, readonly WireEvent[]]>([
    ["after a text", [messageStart("one"), ...text, messageStart("two"), ...toolUse(0, call), ...end]],
    [
      "after a whole call",
      [
        messageStart("one"),
        ...toolUse(0, call),
        messageStart("two"),
        ...toolUse(0, { ...call, id: "b" }),
        ...end,
      ],
    ],
    [
      "after half a call",
      [
        messageStart("one"),
        ...toolUse(0, call).slice(0, -1),
        messageStart("two"),
        ...toolUse(0, call),
        ...end,
      ],
    ],
    ["and then nothing more", [messageStart("one"), ...toolUse(0, call), messageStart("two"), ...end]],
    [
      "after hidden thoughts",
      [
        messageStart("one"),
        ...block(0, { type: "redacted_thinking", data: "x" }),
        messageStart("two"),
        ...toolUse(0, call),
        ...end,
      ],
    ],
    [
      "after an open block",
      [messageStart("one"), ...text.slice(0, 1), messageStart("two"), ...toolUse(0, call), ...end],
    ],
  ])("a second answer %s is an error, and no call is executed", async (_, events) => {
    expectError(await outcomeOf("messages", events));
  });

  test("the start of the same answer again is ignored", async () => {
    const start = messageStart("one");
    expectOnce(await outcomeOf("messages", [start, start, ...toolUse(0, call), ...end]));
    expectOnce(await outcomeOf("messages", [start, ...text, start, ...toolUse(1, call), start, ...end]));
  });

  test("the same answer all over again is an error", async () => {
    const whole = [messageStart("one"), ...toolUse(0, call)];
    expectError(await outcomeOf("messages", [...whole, ...whole, ...end]));
  });

  test("a call that comes twice, under two indexes, is executed once", async () => {
    expectOnce(
      await outcomeOf("messages", [messageStart("one"), ...toolUse(0, call), ...toolUse(1, call), ...end]),
    );
    expectOnce(
      await outcomeOf("messages", [messageStart("one"), ...toolUse(0, call), ...toolUse(0, call), ...end]),
    );
  });

  test("a whole answer with the call twice executes it once", async () => {
    const use = { type: "tool_use", id: "a", name: "act", input: meant };
    expectOnce(
      await outcomeOfWhole("messages", { type: "message", content: [use, use], stop_reason: "tool_use" }),
    );
  });

  test("what follows the end is not read", async () => {
    const more = [messageStart("two"), ...toolUse(0, { ...call, id: "b" }), ...end];
    expectOnce(await outcomeOf("messages", [messageStart("one"), ...toolUse(0, call), ...end, ...more]));
  });
});

describe("chat", () => {
  const entry = (more: object, name?: string, text?: string): object => ({
    ...more,
    function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
  });
  const pieces = (...entries: object[]): WireEvent[] =>
    entries.map((each) => chatChunk("one", { tool_calls: [each] }));
  const end = [chatChunk("one", {}, "tool_calls"), "[DONE]"];
  const whole = (more: object): object => entry(more, "act", meantText);
  const [head, tail] = [meantText.slice(0, 12), meantText.slice(12)];

  test.each<readonly [string, readonly WireEvent[]]>([
    ["twice at one index", pieces(whole({ index: 0, id: "a" }), whole({ index: 0, id: "a" }))],
    ["twice at two indexes", pieces(whole({ index: 0, id: "a" }), whole({ index: 1, id: "a" }))],
    ["twice without an index", pieces(whole({ id: "a" }), whole({ id: "a" }))],
    [
      "in pieces with a new id and the name in each",
      pieces(
        entry({ index: 0, id: "x" }, "act", ""),
        entry({ index: 0, id: "y" }, "act", head),
        entry({ index: 0, id: "z" }, "act", tail),
      ),
    ],
    [
      "with another id after its name",
      pieces(entry({ index: 0, id: "x" }, "act", ""), entry({ index: 0, id: "y" }, "act", meantText)),
    ],
    [
      "in pieces with the id and the name in each",
      pieces(entry({ index: 0, id: "a" }, "act", head), entry({ index: 0, id: "a" }, "act", tail)),
    ],
    [
      "in pieces and then as a whole message",
      [
        ...pieces(entry({ index: 0, id: "a" }, "act", head), entry({ index: 0 }, undefined, tail)),
        {
          id: "one",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: null, tool_calls: [whole({ id: "b" })] },
              finish_reason: null,
            },
          ],
        },
      ],
    ],
    [
      "in pieces beside the whole message so far",
      [
        {
          id: "one",
          choices: [
            {
              index: 0,
              delta: { tool_calls: [entry({ index: 0, id: "a" }, "act", head)] },
              message: { tool_calls: [entry({ id: "a" }, "act", head)] },
            },
          ],
        },
        {
          id: "one",
          choices: [
            {
              index: 0,
              delta: { tool_calls: [entry({ index: 0 }, undefined, tail)] },
              message: { tool_calls: [whole({ id: "a" })] },
            },
          ],
        },
      ],
    ],
  ])("a call that comes %s is executed once", async (_, events) => {
    expectOnce(await outcomeOf("chat", [...events, ...end]));
  });

  test("a call that begins where another has not ended is an error", async () => {
    const other = (name: string): WireEvent[] =>
      pieces(entry({ index: 0, id: "a" }, "act", half), entry({ index: 0, id: "b" }, name, meantText));
    expectError(await outcomeOf("chat", [...other("act"), ...end]));
    expectError(await outcomeOf("chat", [...other("other"), ...end]));
    const opened = pieces(
      entry({ index: 0, id: "a" }, "act", half),
      entry({ index: 0, id: "b" }, "act", ""),
      entry({ index: 0 }, undefined, meantText),
    );
    expectError(await outcomeOf("chat", [...opened, ...end]));
  });

  test("a whole answer with the call twice executes it once", async () => {
    const message = {
      role: "assistant",
      content: null,
      tool_calls: [whole({ id: "a" }), whole({ id: "a" })],
    };
    expectOnce(
      await outcomeOfWhole("chat", { choices: [{ index: 0, message, finish_reason: "tool_calls" }] }),
    );
  });

  test("two calls that are alike but for their ids are two", async () => {
    const both = pieces(whole({ index: 0, id: "a" }), whole({ index: 1, id: "b" }));
    expect((await outcomeOf("chat", [...both, ...end])).inputs).toEqual([meant, meant]);
  });

  test("a message beside its pieces is read once", async () => {
    const chunk = (piece: string, content: string, finish: string | null): WireEvent => ({
      choices: [
        {
          index: 0,
          delta: { content: piece },
          message: { role: "assistant", content },
          finish_reason: finish,
        },
      ],
    });
    const { result } = await outcomeOf("chat", [
      chunk("Hel", "Hel", null),
      chunk("lo", "Hello", "stop"),
      "[DONE]",
    ]);
    expect(result?.text).toBe("Hello");
  });
});

describe("google", () => {
  const part = (id?: string): object => ({ functionCall: { ...(id && { id }), name: "act", args: meant } });
  const end = googleChunk("one", [], { finishReason: "STOP" });

  test("a call that comes twice is executed once", async () => {
    expectOnce(await outcomeOf("google", [googleChunk("one", [part("a"), part("a")]), end]));
    expectOnce(
      await outcomeOf("google", [googleChunk("one", [part("a")]), googleChunk("one", [part("a")]), end]),
    );
  });

  test("two calls that are alike but for their ids, or without ids, are two", async () => {
    for (const parts of [
      [part("a"), part("b")],
      [part(), part()],
    ])
      expect((await outcomeOf("google", [googleChunk("one", parts), end])).inputs).toEqual([meant, meant]);
  });
});

describe("ai-sdk", () => {
  const finish = { type: "finish", finishReason: { unified: "tool-calls", raw: "x" }, usage: {} };
  const clientCall = { type: "tool-call", toolCallId: "a", toolName: "act", input: meantText };
  const start = { type: "tool-input-start", id: "a", toolName: "act" };
  const piece = { type: "tool-input-delta", id: "a", delta: meantText };
  const result = { type: "tool-result", toolCallId: "a", toolName: "act", result: { ok: true } };
  const outcome = (...parts: object[]): Promise<HostileOutcome> => {
    const model: Model = fromAiSdk({
      specificationVersion: "v3",
      provider: "xai.responses",
      modelId: "m-1",
      supportedUrls: {},
      async doStream() {
        const stream = new ReadableStream<unknown>({
          start(controller) {
            for (const each of [...parts, finish]) controller.enqueue(each);
            controller.close();
          },
        });
        return { stream };
      },
    });
    return outcomeOfModel(model);
  };

  test("a call that comes twice is executed once", async () => {
    expectOnce(await outcome(clientCall, clientCall));
    expectOnce(await outcome(start, piece, clientCall, clientCall));
    expectOnce(await outcome(start, start, piece, clientCall));
  });

  test.each<readonly [string, readonly object[]]>([
    ["says so at its end only", [start, piece, { ...clientCall, providerExecuted: true }, result]],
    ["says so without its input", [start, { ...clientCall, providerExecuted: true }, result]],
    ["says so by its result only", [start, piece, clientCall, result]],
    ["has a result and no call", [start, piece, result]],
    ["has a first result", [start, piece, clientCall, { ...result, preliminary: true }]],
  ])("a call that its provider executes, and %s, is not executed again", async (_, parts) => {
    const {
      inputs,
      error,
      result: outcomeOfRun,
    } = await outcome(
      ...parts,
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Found." },
    );
    expect([inputs, error]).toEqual([[], undefined]);
    expect(outcomeOfRun).toMatchObject({ status: "completed", text: "Found.", pending: [] });
  });

  test("a call of the provider's beside one of the caller's leaves that one alone", async () => {
    const other = { ...clientCall, toolCallId: "b" };
    expectOnce(await outcome(start, piece, { ...clientCall, providerExecuted: true }, result, other));
  });
});
