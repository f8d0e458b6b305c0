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

/** A model that tells what it was asked, in order, and whose answers use so many tokens. */
function listening(totalTokens = 10): { readonly model: FunctionModel; readonly asked: string[] } {
  const asked: string[] = [];
  const model = new FunctionModel(({ messages }) => {
    asked.push(questionIn(messages));
    return { text: "Yes.", usage: { inputTokens: totalTokens, outputTokens: 0 } };
  });
  return { model, asked };
}

/** A model with what its provider says of its limits. */
function saying(model: Model, rateLimit: RateLimit): Model {
  return {
    provider: model.provider,
    modelId: model.modelId,
    async *stream(request: ModelRequest) {
      for await (const event of model.stream(request)) yield withGeneration(event, () => ({ rateLimit }));
    },
  };
}

test("so many requests begin in any minute, and the others wait in their order", async () => {
  const { model, asked } = listening();
  const limited = rateLimited(model, { requestsPerMinute: 2 });
  const all = ["a", "b", "c", "d", "e"].map(async (text) => answerOf(limited, ask(text)));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(asked).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(["a", "b", "c", "d"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(asked).toEqual(["a", "b", "c", "d", "e"]);
});

test("tokens are counted as estimated before an answer, and as reported after it", async () => {
  const { model, asked } = listening(90);
  const limited = rateLimited(model, { tokensPerMinute: 100 });
  // 24 characters are about 10 tokens, with what a message costs beside; its answer says that they were 90.
  await answerOf(limited, ask("x".repeat(24)));
  const second = answerOf(limited, ask("y".repeat(28)));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(asked).toHaveLength(2);
});

test("what an answer used less than estimated is free for others", async () => {
  const { model, asked } = listening(1);
  const limited = rateLimited(model, { tokensPerMinute: 100 });
  await answerOf(limited, ask("x".repeat(384)));
  await answerOf(limited, ask("y".repeat(380)));
  expect(asked).toHaveLength(2);
});

test("tokens of more than a minute ago are free again", async () => {
  const { model, asked } = listening(60);
  const limited = rateLimited(model, { tokensPerMinute: 130 });
  await answerOf(limited, ask("a"));
  vi.advanceTimersByTime(30_000);
  await answerOf(limited, ask("b"));
  vi.advanceTimersByTime(30_000);
  void answerOf(limited, ask("x".repeat(224)));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(3);
});

test("a request above the limit goes alone, rather than never", async () => {
  const { model, asked } = listening(1000);
  const limited = rateLimited(model, { tokensPerMinute: 10 });
  await answerOf(limited, ask("x".repeat(4000)));
  const second = answerOf(limited, ask("x".repeat(4000)));
  await vi.advanceTimersByTimeAsync(60_000);
  await second;
  expect(asked).toHaveLength(2);
});

test("so many answers are under way at once; leaving one early, or its failure, makes room", async () => {
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

test("who waits leaves with its signal, and the next one moves up", async () => {
  const { model, asked } = listening();
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
  expect(asked).toEqual(["a", "c"]);
});

test("Retry-After of a failure holds everybody back", async () => {
  const model = new ScriptedModel([{ error: tooMany({ retryAfter: 3000 }) }, "Yes."]);
  const limited = rateLimited(model);
  await failureOf(limited);
  const next = answerOf(limited);
  await vi.advanceTimersByTimeAsync(2999);
  expect(model.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await next).text).toBe("Yes.");
});

const said: readonly (readonly [string, RateLimit, number])[] = [
  ["no request is left", { remainingRequests: 0, resetRequests: 2000 }, 2000],
  ["too few tokens are left", { remainingTokens: 9, resetTokens: 1500 }, 1500],
  ["more than a minute is to be waited for", { remainingRequests: 0, resetRequests: 86_400_000 }, 60_000],
  [
    "enough is left",
    { remainingRequests: 1, resetRequests: 2000, remainingTokens: 10, resetTokens: 5000 },
    0,
  ],
  ["nothing is said of when", { remainingRequests: 0, remainingTokens: 0 }, 0],
];

test.each(said)(
  "where the provider says that %s, the next request waits accordingly",
  async (_what, limit, wait) => {
    const { model, asked } = listening();
    const limited = rateLimited(saying(model, limit));
    await answerOf(limited);
    const next = answerOf(limited, ask("x".repeat(24)));
    await vi.advanceTimersByTimeAsync(Math.max(0, wait - 1));
    expect(asked).toHaveLength(wait > 0 ? 1 : 2);
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(asked).toHaveLength(2);
  },
);

test("requests under way count against the tokens that the provider says are left", async () => {
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

test("an answer makes room once it is whole, also if nobody ends the loop", async () => {
  const { model } = listening();
  const limited = rateLimited(model, { concurrency: 1 });
  const abandoned = limited.stream(ask())[Symbol.asyncIterator]();
  await abandoned.next();
  expect((await abandoned.next()).value).toMatchObject({ type: "finish" });
  expect((await answerOf(limited)).text).toBe("Yes.");
});

test("a thousand requests at once keep to the limit for ten minutes", async () => {
  const { model, asked } = listening();
  const limited = rateLimited(model, { requestsPerMinute: 100 });
  const all = Promise.all(
    Array.from({ length: 1000 }, async (_, index) => answerOf(limited, ask(`${index}`))),
  );
  for (let minute = 1; minute <= 10; minute++) {
    expect(asked.length).toBeLessThanOrEqual(100 * minute);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await all;
  expect(asked).toEqual(Array.from({ length: 1000 }, (_, index) => `${index}`));
});

test("a limit that is none is an error", () => {
  const { model } = listening();
  expect(() => rateLimited(model, { requestsPerMinute: 0 })).toThrow("requestsPerMinute is 0");
  expect(() => rateLimited(model, { concurrency: Number.NaN })).toThrow("concurrency is NaN");
  expect(() => rateLimited(model, JSON.parse('{"rpm":1}'))).toThrow('no option "rpm"');
});
