/** What makes the calls of an answer worth acting on: how it ended, and whether its calls are whole. */
import { describe, expect, test } from "vitest";
import type { Generation, Model } from "skein";
import { fromAiSdk } from "skein/ai-sdk";
import {
  cutReasons,
  endingEvents,
  goodReasons,
  googleEnding,
  twoCalls,
  uncertainReasons,
  type AnswerEnding,
} from "./answer-endings.ts";
import { block, chatChunk, messageStart, type WireEvent } from "./answers.ts";
import {
  meant,
  meantText,
  outcomeOf,
  outcomeOfModel,
  outcomeOfWhole,
  type HostileOutcome,
} from "./hostile-server.ts";

/** Brackets close what is left of it: only its ending says that more was meant. */
const half = '{"to":"bob","items":["a","b"';

type Streaming = "chat" | "messages" | "responses";

const streaming = ["chat", "messages", "responses"] as const satisfies readonly Streaming[];

function tableOf(reasons: Readonly<Record<Streaming, readonly (string | undefined)[]>>) {
  return streaming.flatMap((protocol) => reasons[protocol].map((reason) => [protocol, reason] as const));
}

function outcome(protocol: Streaming, ending: AnswerEnding): Promise<HostileOutcome> {
  return outcomeOf(protocol, endingEvents(protocol, ending));
}

/** Nothing was executed, and the run says so: it failed, or each call has a result that says so. */
function expectRefusal({ inputs, result, error }: HostileOutcome): void {
  const calls = result?.messages
    .filter((message) => message.role === "tool")
    .map((message) => message.result);
  const codes = calls?.map(({ outcome: code }) => code) ?? [Reflect.get(Object(error), "code")];
  expect([...inputs, ...new Set(codes), result?.status]).toEqual(
    result ? ["not-executed", "incomplete"] : ["malformed-response", undefined],
  );
}

describe("an ending that says that something is missing", () => {
  test.each(tableOf(cutReasons))(
    "%s, %s: no call is executed, be it whole or not",
    async (protocol, reason) => {
      expectRefusal(await outcome(protocol, { text: meantText, reason }));
      expectRefusal(await outcome(protocol, { text: half, reason }));
    },
  );

  test.each([
    "MAX_TOKENS",
    "SAFETY",
    "OTHER",
    "MALFORMED_FUNCTION_CALL",
    "A_NEW_ONE",
    "CANCELLED",
    "",
    undefined,
  ])("google, %s: no call is executed", async (reason) =>
    expectRefusal(await outcomeOf("google", googleEnding(meant, reason))),
  );
});

describe("an ending that says nothing", () => {
  test.each(tableOf(uncertainReasons))(
    "%s, %s: a whole call is executed, half a call is not",
    async (protocol, reason) => {
      const whole = await outcome(protocol, { text: meantText, reason });
      expect(whole).toMatchObject({ inputs: [meant], error: undefined });
      expectRefusal(await outcome(protocol, { text: half, reason }));
      expectRefusal(await outcome(protocol, { text: "", reason }));
    },
  );

  test.each(tableOf(uncertainReasons))(
    "%s, %s, and the stream stops there: nothing is executed",
    async (protocol, reason) => {
      expectRefusal(await outcome(protocol, { text: meantText, reason, isOpen: true }));
    },
  );

  test.each(streaming)("%s: one half call keeps the whole ones from being executed", async (protocol) => {
    const reason = "a_new_one";
    expectRefusal(await outcomeOf(protocol, twoCalls(protocol, meantText, half, reason)));
    expectRefusal(await outcomeOf(protocol, twoCalls(protocol, half, meantText, reason)));
    const both = await outcomeOf(protocol, twoCalls(protocol, meantText, meantText, reason));
    expect(both.inputs).toEqual([meant, meant]);
  });
});

describe("an answer of text", () => {
  const chat = (content: unknown, reason: string): Promise<HostileOutcome> =>
    outcomeOf("chat", [chatChunk("one", { content }), chatChunk("one", {}, reason), "[DONE]"]);
  const messages = (...end: WireEvent[]): Promise<HostileOutcome> =>
    outcomeOf("messages", [
      messageStart("one"),
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "Half" }),
      ...end,
      { type: "message_stop" },
    ]);

  test.each(["a_new_one", "server_error"])("chat, %s: a warning names the word", async (reason) => {
    const { result } = await chat("Half an ans", reason);
    expect(result?.warnings).toEqual([expect.stringContaining(`"${reason}"`)]);
  });

  test("messages, a_new_one: a warning names the word, and a stop sequence needs none", async () => {
    const end = (reason: string): WireEvent => ({ type: "message_delta", delta: { stop_reason: reason } });
    const { result } = await messages(end("a_new_one"));
    expect(result?.warnings).toEqual([expect.stringContaining('"a_new_one"')]);
    expect((await messages(end("stop_sequence"))).result).toMatchObject({ text: "Half", warnings: [] });
  });

  test("messages: without the event that says why it ended, the answer is truncated", async () => {
    expect((await messages()).error).toMatchObject({ code: "malformed-response" });
  });

  test("responses, a_new_one: a warning names the word", async () => {
    const { result } = await outcomeOf("responses", [
      { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "Half" },
      { type: "response.completed", response: { id: "r", status: "a_new_one", output: [] } },
    ]);
    expect(result?.warnings).toEqual([expect.stringContaining('"a_new_one"')]);
  });

  test.each(["queued", "in_progress"])("responses, %s: a whole answer is not finished", async (status) => {
    const { result } = await outcomeOfWhole("responses", { object: "response", status, output: [] });
    const warnings = [expect.stringContaining(`"${status}"`)];
    expect(result).toMatchObject({ status: "incomplete", finishReason: "error", warnings });
  });

  test("chat: an ending with calls that has none is a warning", async () => {
    const { result } = await chat("Well.", "tool_calls");
    expect(result).toMatchObject({ text: "Well.", warnings: [expect.stringContaining("has no calls")] });
  });

  test.each([42, true, { text: "Hi" }])(
    "chat: content of another type, %j, is left out with a warning",
    async (content) => {
      const { result } = await chat(content, "stop");
      expect(result).toMatchObject({ text: "", warnings: [expect.stringContaining("not text")] });
    },
  );
});

describe("a good ending", () => {
  test.each(tableOf(goodReasons))("%s, %s: the call is executed", async (protocol, reason) => {
    expect(await outcome(protocol, { text: meantText, reason })).toMatchObject({
      inputs: [meant],
      error: undefined,
    });
  });

  test("google, STOP: the call is executed", async () => {
    expect(await outcomeOf("google", googleEnding(meant, "STOP"))).toMatchObject({ inputs: [meant] });
  });

  test.each(["messages", "responses"] as const)(
    "%s, before the stream's own end: nothing is executed",
    async (protocol) => {
      const reason = goodReasons[protocol][0];
      expectRefusal(await outcome(protocol, { text: meantText, reason, isOpen: true }));
    },
  );
});

describe("two endings", () => {
  test("chat: a limit that was reached stays reached", async () => {
    const [first, ...rest] = endingEvents("chat", { text: half, reason: "length" });
    const again = endingEvents("chat", { text: "", reason: "tool_calls" }).slice(1);
    expectRefusal(await outcomeOf("chat", [first!, ...rest.slice(0, -1), ...again]));
  });

  test("messages: a limit that was reached stays reached", async () => {
    const events = endingEvents("messages", { text: half, reason: "max_tokens" });
    const again = endingEvents("messages", { text: "", reason: "tool_use" }).slice(-2);
    expectRefusal(await outcomeOf("messages", [...events.slice(0, -1), ...again]));
  });

  test("google: a limit that was reached stays reached", async () => {
    const events = [...googleEnding(meant, "MAX_TOKENS"), ...googleEnding(meant, "STOP").slice(1)];
    expectRefusal(await outcomeOf("google", events));
  });

  test("responses: what is incomplete is not completed by a second end, nor is anything added to a completed one", async () => {
    const cut = endingEvents("responses", { text: half, reason: "incomplete:max_output_tokens" });
    const good = endingEvents("responses", { text: meantText, reason: "completed" });
    expectRefusal(await outcomeOf("responses", [...cut, ...good.slice(-1)]));
    const late = JSON.parse(
      JSON.stringify(good)
        .replaceAll('"call_id":"a"', '"call_id":"b"')
        .replaceAll('"output_index":0', '"output_index":1'),
    );
    expect(await outcomeOf("responses", [...good, ...late])).toMatchObject({ inputs: [meant] });
  });
});

function streamOf(parts: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream<unknown>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

describe("ai-sdk", () => {
  const stream = (text: string, finish: unknown, version: "v2" | "v3" = "v3"): Model =>
    fromAiSdk({
      specificationVersion: version,
      provider: "maker.chat",
      modelId: "m-1",
      supportedUrls: {},
      async doStream() {
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        const parts = [
          { type: "tool-call", toolCallId: "a", toolName: "act", input: text },
          ...(finish === undefined ? [] : [{ type: "finish", finishReason: finish, usage }]),
        ];
        return { stream: streamOf(parts) };
      },
    });

  test.each([
    [{ unified: "length", raw: "max_tokens" }],
    [{ unified: "content-filter", raw: "SAFETY" }],
    [{ unified: "error", raw: "x" }],
    [{ unified: "other", raw: "MAX_TOKENS" }],
    [{ unified: "other", raw: undefined }],
    [{ unified: "other", raw: "cancelled" }],
    [{}],
    [null],
    [undefined],
  ])("%j: no call is executed", async (finish) => {
    expectRefusal(await outcomeOfModel(stream(meantText, finish)));
    expectRefusal(await outcomeOfModel(stream(half, finish)));
  });

  test.each([[{ unified: "other", raw: "a_new_one" }], [{ unified: "a_new_one", raw: "a_new_one" }]])(
    "%j: a whole call is executed, half a call is not",
    async (finish) => {
      expect(await outcomeOfModel(stream(meantText, finish))).toMatchObject({ inputs: [meant] });
      expectRefusal(await outcomeOfModel(stream(half, finish)));
    },
  );

  test("V2, a word of its own: a whole call is executed, half a call is not", async () => {
    expect(await outcomeOfModel(stream(meantText, "other", "v2"))).toMatchObject({ inputs: [meant] });
    expectRefusal(await outcomeOfModel(stream(half, "other", "v2")));
  });
});

describe("a custom model", () => {
  const custom = (text: string, finishReason: unknown): Model => ({
    provider: "own",
    modelId: "m",
    async *stream() {
      const toolCalls = [{ toolCallId: "a", toolName: "act", arguments: text }];
      const generation = {
        text: "",
        toolCalls,
        message: { role: "assistant", content: [{ type: "tool-call", toolCallId: "a" }], toolCalls },
        finishReason,
        rawFinishReason: undefined,
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        response: { id: undefined, modelId: "m", headers: {} },
        timing: { firstTokenMs: 1, totalMs: 1, tokensPerSecond: 1 },
        warnings: [],
      };
      yield { type: "finish", generation: generation as unknown as Generation };
    },
  });

  test.each(["length", "content-filter", "error", "cancelled"])("%s: no call is executed", async (reason) => {
    expectRefusal(await outcomeOfModel(custom(meantText, reason)));
  });

  test.each(["other", "MAX_TOKENS", "toString"])(
    "%s: a whole call is executed, half a call is not",
    async (reason) => {
      expect(await outcomeOfModel(custom(meantText, reason))).toMatchObject({ inputs: [meant] });
      expectRefusal(await outcomeOfModel(custom(half, reason)));
    },
  );

  test.each([undefined, null, 7])("%s: the answer is malformed, and no call is executed", async (reason) => {
    expect(await outcomeOfModel(custom(meantText, reason))).toMatchObject({
      inputs: [],
      error: { code: "malformed-response", message: expect.stringContaining("generation.finishReason") },
    });
  });
});
