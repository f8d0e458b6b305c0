import { expect, test } from "vitest";
import { MalformedResponseError } from "../errors.ts";
import type { ServerSentEvent } from "../base/stream/sse.ts";
import { answerStream, type ModelEvents, type OpenAnswer } from "./answer-stream.ts";
import type { PostAnswer } from "./http.ts";
import type { Generation, ModelEvent } from "./types.ts";

const about = {
  redact: (text: string) => text,
  headers: {},
  failure: () => new MalformedResponseError("failed", { provider: "p", modelId: "m" }),
  malformed: (what: string) => new MalformedResponseError(what, { provider: "p", modelId: "m" }),
};

/** An answer in pieces of several words each: every word is told as text, `end` is the last, `bad` fails. */
function answerOf(pieces: AsyncIterable<string>, log: string[] = []): OpenAnswer {
  async function* batches(): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
    try {
      for await (const piece of pieces) yield piece.split(" ").map((data) => ({ data }));
    } finally {
      log.push("closed");
    }
  }
  const answer: PostAnswer = {
    ...about,
    kind: "events",
    events: batches(),
    ending: () => void log.push("ending"),
    progress: () => {},
  };
  return open(answer);
}

function open(answer: PostAnswer): OpenAnswer {
  let isComplete = false;
  const push = (text: string, events: ModelEvent[]): void => {
    if (text === "bad") throw new Error("broken");
    if (text === "end") isComplete = true;
    else if (text !== "") events.push({ type: "text-delta", text });
  };
  return {
    answer,
    size: () => 0,
    decoder: {
      get isComplete() {
        return isComplete;
      },
      push,
      pushWhole: (value, events) => push(String(value), events),
      end: (events) => void events.push({ type: "text-delta", text: "finish" }),
    },
  };
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* texts;
}

function eventsOf(texts: readonly string[], log?: string[]): ModelEvents {
  return answerStream(async () => answerOf(pieces(...texts), log));
}

function textOf(event: ModelEvent | void): string | undefined {
  return event?.type === "text-delta" ? event.text : undefined;
}

async function textsOf(events: ModelEvents, into: string[] = []): Promise<string[]> {
  for await (const event of events) into.push(textOf(event) ?? "");
  return into;
}

test("gives what the pieces hold in order, pieces that hold nothing passed over, and the end last", async () => {
  expect(await textsOf(eventsOf(["a b", "", "c", "d e"]))).toEqual(["a", "b", "c", "d", "e", "finish"]);
});

test("sends nothing before it is read", async () => {
  let isOpen = false;
  const events = answerStream(async () => {
    isOpen = true;
    return answerOf(pieces("a"));
  });
  expect(isOpen).toBe(false);
  await events.next();
  expect(isOpen).toBe(true);
});

test("answers calls of next in their order, though all are made at once", async () => {
  const events = eventsOf(["a b", "", "c", "d e"]);
  const results = await Promise.all(Array.from({ length: 8 }, () => events.next()));
  const texts = results.map(({ value }) => textOf(value));
  expect(texts).toEqual(["a", "b", "c", "d", "e", "finish", undefined, undefined]);
  expect(results.map(({ done }) => done)).toEqual([...Array.from({ length: 6 }, () => false), true, true]);
});

test("reads an answer that came whole", async () => {
  const events = answerStream(async () => open({ ...about, kind: "json", value: "all" }));
  expect(await textsOf(events)).toEqual(["all", "finish"]);
});

test("passes over what follows the last event, and says that only the end is to come", async () => {
  const log: string[] = [];
  expect(await textsOf(eventsOf(["a end b", "c"], log))).toEqual(["a", "finish"]);
  expect(log).toContain("ending");
});

test("throws a failure once, after what came before it, and ends the exchange", async () => {
  const log: string[] = [];
  const seen: string[] = [];
  const events = eventsOf(["a", "b bad c", "d"], log);
  await expect(textsOf(events, seen)).rejects.toThrow("broken");
  expect(seen).toEqual(["a", "b"]);
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(log).toEqual(["closed"]);
});

test("throws what opening throws", async () => {
  const events = answerStream(() => Promise.reject(new Error("refused")));
  await expect(events.next()).rejects.toThrow("refused");
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test("ends the exchange when its reader leaves, and gives nothing more", async () => {
  const log: string[] = [];
  const events = eventsOf(["a b c", "d"], log);
  for await (const event of events) if (textOf(event) === "a") break;
  expect(log).toEqual(["closed"]);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test("ends an exchange whose reader left before it was open", async () => {
  const opening = Promise.withResolvers<OpenAnswer>();
  const log: string[] = [];
  const events = answerStream(() => opening.promise);
  const first = events.next();
  await events.return?.();
  const answer = answerOf(pieces("a"), log);
  const ended = Promise.withResolvers<void>();
  if (answer.answer.kind === "events") {
    const { events: batches } = answer.answer;
    const leave = batches.return?.bind(batches);
    Object.assign(batches, {
      return: () => {
        ended.resolve();
        return leave?.();
      },
    });
  }
  opening.resolve(answer);
  expect(await first).toEqual({ done: true, value: undefined });
  await ended.promise;
});

test("holds back what is there already when the signal is aborted", async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const events = answerStream(async () => answerOf(pieces("a b c")), controller.signal);
  const reading = (async () => {
    for await (const event of events) {
      seen.push(textOf(event) ?? "");
      controller.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(seen).toEqual(["a"]);
});

test("lets what is there be taken without waiting, in order with what is waited for", async () => {
  const events = eventsOf(["a b", "c d", "e"]);
  expect(events.take()).toBeUndefined();
  expect(textOf((await events.next()).value)).toBe("a");
  expect(textOf(events.take())).toBe("b");
  expect(events.take()).toBeUndefined();
  const [third, fourth] = [events.next(), events.next()];
  expect(events.take(), "others wait for the next").toBeUndefined();
  expect([textOf((await third).value), textOf((await fourth).value)]).toEqual(["c", "d"]);
  expect(await textsOf(events)).toEqual(["e", "finish"]);
});

test("hands out a huge piece one event at a time, so that its reader does not keep the others waiting", async () => {
  const events = eventsOf([Array.from({ length: 2000 }, (_, index) => `w${index}`).join(" ")]);
  expect(textOf((await events.next()).value)).toBe("w0");
  expect(events.take()).toBeUndefined();
  expect(await textsOf(events)).toHaveLength(2000);
});

/** An answer with events of the types given: `text` is what its decoder gets, one piece of the network each. */
function rawAnswer(
  events: readonly ServerSentEvent[],
  changes: Partial<OpenAnswer> = {},
  log: string[] = [],
): OpenAnswer {
  async function* batches(): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
    for (const event of events) yield [event];
  }
  const answer: PostAnswer = {
    ...about,
    failure: (body) => new MalformedResponseError(JSON.stringify(body), { provider: "p", modelId: "m" }),
    kind: "events",
    events: batches(),
    ending: () => void log.push("ending"),
    progress: () => void log.push("progress"),
  };
  return { ...open(answer), ...changes };
}

test.each([
  ["JSON", '{"error":"spent"}', '{"error":"spent"}'],
  ["a text", "spent", '"spent"'],
])("an event that is called an error is one, its data being %s", async (_, data, words) => {
  const seen: string[] = [];
  const events = answerStream(async () =>
    rawAnswer([{ data: "a" }, { event: "error", data }, { data: "b" }]),
  );
  await expect(textsOf(events, seen)).rejects.toThrow(words);
  expect(seen).toEqual(["a"]);
  const late = answerStream(async () => rawAnswer([{ data: "end" }, { event: "error", data }]));
  await expect(textsOf(late)).rejects.toThrow(words);
  expect(await textsOf(answerStream(async () => rawAnswer([{ event: "message", data: "a" }])))).toEqual([
    "a",
    "finish",
  ]);
});

test("only what adds to the answer is progress, and its end is announced once", async () => {
  let size = 0;
  const log: string[] = [];
  const answer = rawAnswer(
    [{ data: "a" }, { data: "" }, { data: "b" }, { data: "end" }, { data: "" }],
    {},
    log,
  );
  const sized: OpenAnswer = { ...answer, size: () => size };
  const { push } = answer.decoder;
  answer.decoder.push = (data, events) => {
    size += data.length;
    if (data === "end") size -= 3;
    push(data, events);
  };
  expect(await textsOf(answerStream(async () => sized))).toEqual(["a", "b", "finish"]);
  expect(log).toEqual(["progress", "progress", "ending"]);
});

test("what is received is bounded, whatever a decoder makes of it", async () => {
  const huge = "x".repeat(67_108_864);
  const answer = rawAnswer([{ data: huge }, { data: "a" }]);
  answer.decoder.push = () => {};
  await expect(textsOf(answerStream(async () => answer))).rejects.toThrow("answered with more than");
  const fits = rawAnswer([{ data: huge }]);
  fits.decoder.push = () => {};
  expect(await textsOf(answerStream(async () => fits))).toEqual(["finish"]);
});

test("data that a decoder cannot follow to its end is a typed error", async () => {
  const answer = rawAnswer([{ data: "a" }]);
  answer.decoder.push = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  await expect(textsOf(answerStream(async () => answer))).rejects.toThrow(
    "sent data that is nested too deeply.",
  );
  const refused = answerStream(() => Promise.reject(new RangeError("out of range")));
  await expect(refused.next()).rejects.toThrow("out of range");
});

test("what the server says of its answer is shown without secrets, and the answer as it is", async () => {
  const hidden = { ...about, redact: (text: string) => text.replaceAll("hunter2", "***") };
  const generation: Generation = {
    text: "hunter2",
    message: { role: "assistant", content: [], toolCalls: [] },
    toolCalls: [],
    finishReason: "stop",
    rawFinishReason: "eos hunter2",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    response: { id: "r hunter2", modelId: "m hunter2", headers: { a: "b" } },
    timing: { firstTokenMs: 1, totalMs: 2, tokensPerSecond: 3 },
    warnings: ["no hunter2"],
  };
  const answerWith = (end: Generation): ModelEvents => {
    const answer = open({ ...hidden, kind: "json", value: "all" });
    answer.decoder.end = (events) => void events.push({ type: "finish", generation: end });
    return answerStream(async () => answer);
  };
  expect(await Array.fromAsync(answerWith(generation))).toEqual([
    { type: "text-delta", text: "all" },
    {
      type: "finish",
      generation: {
        ...generation,
        rawFinishReason: "eos ***",
        response: { id: "r ***", modelId: "m ***", headers: { a: "b" } },
        warnings: ["no ***"],
      },
    },
  ]);
  const bare = {
    ...generation,
    rawFinishReason: undefined,
    response: { ...generation.response, id: undefined },
  };
  expect((await Array.fromAsync(answerWith(bare))).at(-1)).toMatchObject({
    generation: { rawFinishReason: undefined, response: { id: undefined } },
  });
});

test("a reader who leaves with an error on its way does not see it, and leaves once", async () => {
  const log: string[] = [];
  const events = eventsOf(["a bad"], log);
  expect(textOf((await events.next()).value)).toBe("a");
  expect(await events.return?.()).toEqual({ done: true, value: undefined });
  expect(await events.return?.()).toEqual({ done: true, value: undefined });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(log).toEqual(["closed"]);
});

test("up to a thousand events of a piece are taken at once", async () => {
  const words = (count: number): string => Array.from({ length: count }, () => "w").join(" ");
  for (const [count, taken] of [
    [1000, "w"],
    [1001, undefined],
  ] as const) {
    const events = eventsOf([words(count)]);
    await events.next();
    expect(textOf(events.take())).toBe(taken);
  }
});

test("what is there already is not taken from those who have asked for it", async () => {
  const events = eventsOf(["a b c d"]);
  const [first, second, third] = [events.next(), events.next(), events.next()];
  expect(textOf((await first).value)).toBe("a");
  expect(events.take(), "the third is still to be answered").toBeUndefined();
  expect([textOf((await second).value), textOf((await third).value)]).toEqual(["b", "c"]);
  expect(textOf(events.take())).toBe("d");
});
