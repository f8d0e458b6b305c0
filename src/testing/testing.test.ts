import { sleep } from "../base/util/sleep.ts";
import { describe, expect, test } from "vitest";
import { NetworkError } from "../errors.ts";
import { assertRealModelAllowed } from "../model/real-models.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { blockRealModels, FunctionModel, ScriptedModel, type ScriptedTurn } from "./index.ts";

const request = (text = "hi", signal?: AbortSignal): ModelRequest => ({
  messages: [{ role: "user", content: text }],
  ...(signal && { signal }),
});

async function collect(model: Model, asked: ModelRequest = request()): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked)) events.push(event);
  return events;
}

async function generation(model: Model, asked?: ModelRequest): Promise<Generation> {
  const last = (await collect(model, asked)).at(-1);
  if (last?.type !== "finish") throw new Error("the stream ended without a finish");
  return last.generation;
}

async function failing(turn: ScriptedTurn): Promise<{ events: ModelEvent[]; error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of new ScriptedModel([turn]).stream(request())) events.push(event);
  } catch (error) {
    return { events, error };
  }
  throw new Error("the stream did not fail");
}

describe("ScriptedModel", () => {
  test("plays one turn for each request, in order", async () => {
    const model = new ScriptedModel(["one", { text: "two", reasoning: "hm" }]);
    expect((await generation(model)).text).toBe("one");
    const second = await generation(model);
    expect(second.text).toBe("two");
    expect(second.finishReason).toBe("stop");
    expect(second.message.content).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "two" },
    ]);
    expect(() => model.assertComplete()).not.toThrow();
  });

  test("makes tool calls with deterministic ids that go on over turns", async () => {
    const model = new ScriptedModel([
      {
        toolCalls: [
          { toolName: "a", arguments: { city: "Paris" } },
          { toolName: "b", arguments: "not json" },
        ],
      },
      {
        toolCalls: [
          { toolName: "c" },
          { toolName: "d", toolCallId: "mine" },
          { toolName: "e", arguments: "" },
        ],
      },
    ]);
    const first = await generation(model);
    expect(first.finishReason).toBe("tool-calls");
    expect(first.toolCalls).toEqual([
      { toolCallId: "call_1", toolName: "a", arguments: '{"city":"Paris"}' },
      { toolCallId: "call_2", toolName: "b", arguments: "not json" },
    ]);
    expect((await generation(model)).toolCalls).toEqual([
      { toolCallId: "call_3", toolName: "c", arguments: "{}" },
      { toolCallId: "mine", toolName: "d", arguments: "{}" },
      { toolCallId: "call_4", toolName: "e", arguments: "" },
    ]);
  });

  test("cuts text and arguments into deltas of the size asked for", async () => {
    const model = new ScriptedModel([
      { text: "abcde", toolCalls: [{ toolName: "t", arguments: { n: 1 } }], chunkSize: 2 },
    ]);
    const events = await collect(model);
    const pieces = (type: string): string[] =>
      events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : []));
    expect(pieces("text-delta")).toEqual(["ab", "cd", "e"]);
    expect(pieces("tool-input-delta")).toEqual(['{"', 'n"', ":1", "}"]);
    expect(events.at(-1)).toMatchObject({
      generation: { text: "abcde", toolCalls: [{ arguments: '{"n":1}' }] },
    });
  });

  test("reports finish reason, usage and refusal as scripted", async () => {
    const model = new ScriptedModel([
      {
        text: "x",
        finishReason: "length",
        rawFinishReason: "max_tokens",
        usage: { inputTokens: 3, outputTokens: 4 },
        refusal: "no",
      },
    ]);
    expect(await generation(model)).toMatchObject({
      finishReason: "length",
      rawFinishReason: "max_tokens",
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      refusal: "no",
    });
  });

  test("remembers each request unchanged, even if the list of messages changes later", async () => {
    const model = new ScriptedModel(["one"]);
    const messages: ModelRequest["messages"][number][] = [{ role: "user", content: "hi" }];
    await collect(model, { messages });
    messages.push({ role: "user", content: "later" });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.messages).toEqual([{ role: "user", content: "hi" }]);
  });

  test("a turn may be a function of the request", async () => {
    const model = new ScriptedModel([({ messages }) => `${messages.length} message`]);
    expect((await generation(model)).text).toBe("1 message");
  });

  test("throws an error before any output", async () => {
    const error = new Error("boom");
    expect(await failing({ text: "never", error })).toEqual({ events: [], error });
    expect(await failing({ error })).toEqual({ events: [], error });
  });

  test("throws an error after a number of events", async () => {
    const { events, error } = await failing({ text: "abc", chunkSize: 1, errorAfter: 2 });
    expect(events.map((event) => event.type)).toEqual(["text-delta", "text-delta"]);
    expect(error).toBeInstanceOf(NetworkError);
    expect((await failing({ text: "abc", errorAfter: 99 })).events).toHaveLength(1);
  });

  test("a cut stream ends without a finish", async () => {
    const events = await collect(new ScriptedModel([{ toolCalls: [{ toolName: "t" }], cut: true }]));
    expect(events.map((event) => event.type)).toEqual(["tool-input-delta", "tool-call"]);
  });

  test("a request beyond the script says which it was and how long the script is", async () => {
    const model = new ScriptedModel(["only"]);
    await collect(model);
    expect(() => model.stream(request())).toThrow(/request 2 is beyond the script, which has 1 turn\./);
    expect(() => model.assertComplete()).toThrow(/request 2/);
  });

  test("assertComplete names the turns that were never requested", async () => {
    const model = new ScriptedModel(["one", { toolCalls: [{ toolName: "pay" }] }, "three"]);
    await collect(model);
    expect(() => model.assertComplete()).toThrow(
      '2 of 3 turns never requested: turn 2 (calls pay), turn 3 ("three")',
    );
  });

  test("an aborted signal ends the stream with its reason, also in the middle of a delay", async () => {
    const reason = new Error("enough");
    const before = collect(new ScriptedModel(["x"]), request("hi", AbortSignal.abort(reason)));
    await expect(before).rejects.toBe(reason);

    const controller = new AbortController();
    const slow = new ScriptedModel([{ text: "x", delay: 60_000 }]);
    const reading = collect(slow, request("hi", controller.signal));
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  test.each([{}, { text: "x", errorAfter: 1 }])("an error waits for the delay as well: %o", async (turn) => {
    const stop = new AbortController();
    const model = new ScriptedModel([{ ...turn, error: new Error("down"), delay: 20 }]);
    const waiting = sleep(0).then(() => stop.abort(new Error("before the error")));
    await expect(collect(model, request("hi", stop.signal))).rejects.toThrow("before the error");
    await waiting;
    const next = new ScriptedModel([{ ...turn, error: new Error("down"), delay: 1 }]);
    await expect(collect(next)).rejects.toThrow("down");
  });

  test("an abort between two events ends the stream", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const model = new ScriptedModel([{ text: "abc", chunkSize: 1 }]);
    const reading = async (): Promise<void> => {
      for await (const event of model.stream(request("hi", controller.signal))) {
        seen.push(event.type);
        controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: "AbortError" });
    expect(seen).toEqual(["text-delta"]);
  });
});

describe("FunctionModel", () => {
  test("answers each request with what the function returns", async () => {
    const model = new FunctionModel(async ({ messages }) =>
      messages.length > 1 ? "done" : { toolCalls: [{ toolName: "t", arguments: { a: 1 } }] },
    );
    expect((await generation(model)).toolCalls).toEqual([
      { toolCallId: "call_1", toolName: "t", arguments: '{"a":1}' },
    ]);
    const two = await generation(model, { messages: [...request().messages, ...request().messages] });
    expect(two.text).toBe("done");
  });

  test("throws what the function throws", async () => {
    const model = new FunctionModel(() => {
      throw new Error("out of order");
    });
    await expect(collect(model)).rejects.toThrow("out of order");
  });
});

describe("blockRealModels", () => {
  test("forbids requests to other machines until it is lifted", () => {
    const ask = (url: string) => (): void => assertRealModelAllowed("openai", "gpt", url);
    const allow = blockRealModels();
    try {
      expect(ask("https://api.openai.com/v1")).toThrow(/blockRealModels/);
      expect(ask("http://127.0.0.1:8080/v1")).not.toThrow();
    } finally {
      allow();
    }
    expect(ask("https://api.openai.com/v1")).not.toThrow();
  });
});
