import { describe, expect, test } from "vitest";
import type { Generation, Model } from "../../model/types.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { google } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A model whose answer has the given chunks. */
function answering(...chunks: readonly (Fields | string)[]): Model {
  const body = chunks.map(
    (chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`,
  );
  const fetch = async (): Promise<Response> =>
    new Response(body.join(""), { headers: { "content-type": "text/event-stream" } });
  return google("gemini-3.8-flash", { apiKey: "k", fetch });
}

async function answer(...chunks: readonly (Fields | string)[]): Promise<Generation> {
  const model = answering(...chunks);
  return generationOf(await collect(model.stream({ messages: [{ role: "user", content: "Hello" }] })));
}

function parts(content: readonly Fields[], more: Fields = {}): Fields {
  return { candidates: [{ content: { role: "model", parts: content }, ...more }] };
}

const call = { functionCall: { name: "remove", args: { path: "/" } } };
const fine = parts([{ text: "Fine." }], { finishReason: "STOP" });

describe("a finish reason", () => {
  test.each(["", "FINISH_REASON_UNSPECIFIED"])(
    "%j is not a finish reason: the answer is truncated",
    async (finishReason) => {
      await expect(answer(parts([{ text: "half" }], { finishReason }))).rejects.toMatchObject({
        name: "MalformedResponseError",
        message: expect.stringContaining("truncated"),
      });
      await expect(answer(parts([call], { finishReason }))).rejects.toThrow("truncated");
      expect(
        await answer(parts([{ text: "Fine." }], { finishReason }), parts([], { finishReason: "STOP" })),
      ).toMatchObject({ finishReason: "stop", text: "Fine." });
    },
  );

  test.each(["ABUSE_DETECTED", "OTHER", "LANGUAGE", "MALFORMED_FUNCTION_CALL"])(
    "%s beside a call is an error, so that the call is not executed",
    async (finishReason) => {
      expect(await answer(parts([call], { finishReason }))).toMatchObject({
        finishReason: "error",
        rawFinishReason: finishReason,
        warnings: [`The answer ended with ${finishReason}.`],
      });
    },
  );

  test("FUNCTION_CALL, which servers that imitate the API send, is the end of a call", async () => {
    expect(await answer(parts([call], { finishReason: "FUNCTION_CALL" }))).toMatchObject({
      finishReason: "tool-calls",
      warnings: [],
    });
  });

  test.each([
    ["SOMETHING_NEW", "error"],
    ["OTHER", "other"],
    ["LANGUAGE", "other"],
    ["NO_IMAGE", "other"],
    ["IMAGE_OTHER", "other"],
  ])("%s after a text is %s, with a warning", async (raw, finishReason) => {
    expect(await answer(parts([{ text: "half" }], { finishReason: raw }))).toMatchObject({
      text: "half",
      finishReason,
      warnings: [`The answer ended with ${raw}.`],
    });
    const thought = parts([{ text: "Hm.", thought: true }], { finishReason: raw });
    expect(await answer(thought)).toMatchObject({ finishReason: "error" });
  });
});

describe("a blocked prompt", () => {
  test.each(["SAFETY", "OTHER", "JAILBREAK", "IMAGE_SAFETY", "BLOCK_REASON_UNSPECIFIED", "MODEL_ARMOR"])(
    "for %s is content-filter, with the reason and the message",
    async (blockReason) => {
      expect(
        await answer({ promptFeedback: { blockReason, blockReasonMessage: "Not this." } }),
      ).toMatchObject({
        finishReason: "content-filter",
        rawFinishReason: blockReason,
        refusal: "Not this.",
        warnings: [`The prompt was blocked (${blockReason}). Not this.`],
      });
    },
  );

  test("without a message names the reason, and executes no call", async () => {
    const blocked = {
      ...parts([call], { finishReason: "STOP" }),
      promptFeedback: { blockReason: "JAILBREAK" },
    };
    expect(await answer(blocked)).toMatchObject({
      finishReason: "content-filter",
      refusal: "The prompt was blocked (JAILBREAK).",
    });
  });
});

describe("the usage", () => {
  const used = async (...metadata: readonly Fields[]): Promise<unknown> => {
    const { usage } = await answer(...metadata.map((usageMetadata) => ({ usageMetadata })), fine);
    return usage;
  };

  test("has a total if the API sends none", async () => {
    expect(await used({ promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 4 })).toMatchObject(
      {
        inputTokens: 3,
        outputTokens: 6,
        totalTokens: 9,
      },
    );
  });

  test("ignores impossible counts", async () => {
    const impossible = { promptTokenCount: -3, candidatesTokenCount: "2", totalTokenCount: -1e9 };
    const none = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
    expect(await used(impossible)).toEqual(none);
    expect(await used({ promptTokenCount: 3, candidatesTokenCount: 2 }, impossible)).toMatchObject({
      totalTokens: 5,
    });
  });

  test("of later chunks is merged field by field", async () => {
    const first = { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 };
    expect(await used(first, { candidatesTokenCount: 2, totalTokenCount: 5 })).toEqual({
      inputTokens: 3,
      outputTokens: 2,
      totalTokens: 5,
    });
  });
});

describe("oddities of servers", () => {
  test("[DONE] may follow a complete stream, but does not complete one", async () => {
    expect(await answer(fine, "[DONE]")).toMatchObject({ text: "Fine.", finishReason: "stop" });
    await expect(answer(parts([{ text: "Fi" }]), "[DONE]")).rejects.toThrow("truncated");
  });

  test("any number of log probabilities in one chunk is read", async () => {
    const chosenCandidates = Array.from({ length: 200_000 }, () => ({ token: "a", logProbability: -1 }));
    const { logprobs } = await answer(
      parts([{ text: "Fine." }], { finishReason: "STOP", logprobsResult: { chosenCandidates } }),
    );
    expect(logprobs).toHaveLength(chosenCandidates.length);
  });

  test("an error of null is ignored", async () => {
    expect(await answer({ ...fine, error: null })).toMatchObject({ text: "Fine." });
  });

  test("candidates other than the first are ignored", async () => {
    const first = { content: { parts: [{ text: "A" }] }, finishReason: "STOP" };
    const second = { content: { parts: [{ text: "B" }] }, finishReason: "SAFETY" };
    for (const candidates of [
      [first, second],
      [
        { index: 1, ...second },
        { index: 0, ...first },
      ],
    ]) {
      expect(await answer({ candidates })).toMatchObject({ text: "A", finishReason: "stop" });
    }
  });

  test.each([
    ["arguments", '"functionCall":{"name":"f","args":DEEP}'],
    ["a part", '"executableCode":DEEP'],
  ])("%s nested 20,000 levels deep are a typed error", async (_, part) => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const chunk = `{"candidates":[{"content":{"parts":[{${part.replace("DEEP", deep)}}]},"finishReason":"STOP"}]}`;
    await expect(answer(chunk)).rejects.toMatchObject({ name: "MalformedResponseError" });
  });
});
