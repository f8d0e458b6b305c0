import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Model, ModelRequest, RateLimit } from "../../model/types.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { rateLimited } from "./rate-limited.ts";
import { answerOf, ask, failureOf, tooMany } from "./test-models.ts";
import { withGeneration } from "./wrapped.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function questionIn(messages: ModelRequest["messages"]): string {
  const last = messages.at(-1);
  return last?.role === "user" && typeof last.content === "string" ? last.content : "";
}

/** A model that records its requests in order, and whose answers use `totalTokens` each. */
function recordingModel(totalTokens = 10): { readonly model: FunctionModel; readonly requests: string[] } {
  const requests: string[] = [];
  const model = new FunctionModel(({ messages }) => {
    requests.push(questionIn(messages));
    return { text: "Yes.", usage: { inputTokens: totalTokens, outputTokens: 0 } };
  });
  return { model, requests };
}

/** A model whose provider reports its limits. */
function saying(model: Model, rateLimit: RateLimit): Model {
  return {
    provider: model.provider,
    modelId: model.modelId,
    async *stream(request: ModelRequest) {
      for await (const event of model.stream(request)) yield withGeneration(event, () => ({ rateLimit }));
    },
  };
}

test("at most `requestsPerMinute` requests start in any minute, and the others wait in their order", async () => {
  const { model, requests } = recordingModel();
  const limited = rateLimited(model, { requestsPerMinute: 2 });
  const all = ["a", "b", "c", "d", "e"].map(async (text) => answerOf(limited, ask(text)));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(requests).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toEqual(["a", "b", "c", "d"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(requests).toEqual(["a", "b", "c", "d", "e"]);
});

test("tokens are counted as estimated before an answer, and as reported after it", async () => {
  const { model, requests } = recordingModel(90);
  const limited = rateLimited(model, { tokensPerMinute: 100 });
  // 24 characters are about 10 tokens with the overhead of a message; the answer reports 90.
  await answerOf(limited, ask("x".repeat(24)));
  const second = answerOf(limited, ask("y".repeat(28)));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(requests).toHaveLength(2);
});

test("tokens that were estimated but not used are free for other requests", async () => {
  const { model, requests } = recordingModel(1);
  const limited = rateLimited(model, { tokensPerMinute: 100 });
  await answerOf(limited, ask("x".repeat(384)));
  await answerOf(limited, ask("y".repeat(380)));
  expect(requests).toHaveLength(2);
});

test("tokens of more than a minute ago are free again", async () => {
  const { model, requests } = recordingModel(60);
  const limited = rateLimited(model, { tokensPerMinute: 130 });
  await answerOf(limited, ask("a"));
  vi.advanceTimersByTime(30_000);
  await answerOf(limited, ask("b"));
  vi.advanceTimersByTime(30_000);
  void answerOf(limited, ask("x".repeat(224)));
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toHaveLength(3);
});

test("a request above the limit goes out alone, rather than never", async () => {
  const { model, requests } = recordingModel(1000);
  const limited = rateLimited(model, { tokensPerMinute: 10 });
  await answerOf(limited, ask("x".repeat(4000)));
  const second = answerOf(limited, ask("x".repeat(4000)));
  await vi.advanceTimersByTimeAsync(60_000);
  await second;
  expect(requests).toHaveLength(2);
});

test("at most `concurrency` requests are in progress; one that is left early or fails makes room", async () => {
  const opened: string[] = [];
  const gates = new Map<string, () => void>();
  const slow = new FunctionModel(async ({ messages }) => {
    const text = questionIn(messages);
    opened.push(text);
    await new Promise<void>((resolve) => gates.set(text, resolve));
    if (text === "b") throw tooMany({ retryAfter: 0 });
    return { text: "one two", chunkSize: 3 };
  });
  const limited = rateLimited(slow, { concurrency: 1 });
  const left = (async () => {
    for await (const event of limited.stream(ask("a"))) return event.type;
    return "nothing";
  })();
  const failed = failureOf(limited, ask("b"));
  const last = answerOf(limited, ask("c"));
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toEqual(["a"]);
  gates.get("a")?.();
  expect(await left).toBe("text-delta");
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toEqual(["a", "b"]);
  gates.get("b")?.();
  expect(await failed).toMatchObject({ code: "rate-limit" });
  await vi.advanceTimersByTimeAsync(0);
  gates.get("c")?.();
  expect((await last).text).toBe("one two");
});

test("a waiting request leaves when its signal is aborted, and the next one moves up", async () => {
  const { model, requests } = recordingModel();
  const limited = rateLimited(model, { requestsPerMinute: 1 });
  const controller = new AbortController();
  await answerOf(limited, ask("a"));
  const left = failureOf(limited, ask("b", { signal: controller.signal }));
  const next = answerOf(limited, ask("c"));
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error("enough"));
  expect(await left).toMatchObject({ message: "enough" });
  await vi.advanceTimersByTimeAsync(59_000);
  await next;
  expect(requests).toEqual(["a", "c"]);
});

test("Retry-After of a failure delays all requests", async () => {
  const model = new ScriptedModel([{ error: tooMany({ retryAfter: 3000 }) }, "Yes."]);
  const limited = rateLimited(model);
  await failureOf(limited);
  const next = answerOf(limited);
  await vi.advanceTimersByTimeAsync(2999);
  expect(model.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await next).text).toBe("Yes.");
});

const reports: readonly (readonly [string, RateLimit, number])[] = [
  ["no requests remain", { remainingRequests: 0, resetRequests: 2000 }, 2000],
  ["too few tokens remain", { remainingTokens: 9, resetTokens: 1500 }, 1500],
  ["the wait is longer than a minute", { remainingRequests: 0, resetRequests: 86_400_000 }, 60_000],
  [
    "enough remains",
    { remainingRequests: 1, resetRequests: 2000, remainingTokens: 10, resetTokens: 5000 },
    0,
  ],
  ["limits are reached, without a time", { remainingRequests: 0, remainingTokens: 0 }, 0],
];

test.each(reports)(
  "if the provider reports that %s, the next request waits accordingly",
  async (_what, limit, wait) => {
    const { model, requests } = recordingModel();
    const limited = rateLimited(saying(model, limit));
    await answerOf(limited);
    const next = answerOf(limited, ask("x".repeat(24)));
    await vi.advanceTimersByTimeAsync(Math.max(0, wait - 1));
    expect(requests).toHaveLength(wait > 0 ? 1 : 2);
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(requests).toHaveLength(2);
  },
);

test("requests in progress count against the tokens that the provider reports as remaining", async () => {
  const slow = new ScriptedModel(["a", { text: "b", delay: 100 }, { text: "c", delay: 100 }]);
  const limited = rateLimited(saying(slow, { remainingTokens: 15, resetTokens: 1500 }));
  await answerOf(limited);
  const rest = Promise.all(["b", "c"].map(async () => answerOf(limited, ask("x".repeat(24)))));
  await vi.advanceTimersByTimeAsync(50);
  expect(slow.requests).toHaveLength(2);
  await vi.runAllTimersAsync();
  await rest;
  slow.assertComplete();
});

test("an answer makes room once it is complete, even if its reader does not end the loop", async () => {
  const { model } = recordingModel();
  const limited = rateLimited(model, { concurrency: 1 });
  const abandoned = limited.stream(ask())[Symbol.asyncIterator]();
  await abandoned.next();
  expect((await abandoned.next()).value).toMatchObject({ type: "finish" });
  expect((await answerOf(limited)).text).toBe("Yes.");
});

test("a thousand simultaneous requests keep to the limit for ten minutes", async () => {
  const { model, requests } = recordingModel();
  const limited = rateLimited(model, { requestsPerMinute: 100 });
  const all = Promise.all(
    Array.from({ length: 1000 }, async (_, index) => answerOf(limited, ask(`${index}`))),
  );
  for (let minute = 1; minute <= 10; minute++) {
    expect(requests.length).toBeLessThanOrEqual(100 * minute);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await all;
  expect(requests).toEqual(Array.from({ length: 1000 }, (_, index) => `${index}`));
});

test("an invalid limit is an error", () => {
  const { model } = recordingModel();
  expect(() => rateLimited(model, { requestsPerMinute: 0 })).toThrow(
    "requestsPerMinute must be a number of at least 1, not 0",
  );
  expect(() => rateLimited(model, { concurrency: Number.NaN })).toThrow(
    "concurrency must be a number of at least 1, not NaN",
  );
  expect(() => rateLimited(model, { concurrency: 1.5 })).toThrow("concurrency must be a whole number");
  expect(() => rateLimited(model, JSON.parse('{"rpm":1}'))).toThrow('no option "rpm"');
});
