import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MalformedResponseError } from "../errors.ts";
import { jsonOrText, type PostAnswer, type PostOptions, parseJson, postForEvents } from "./http.ts";

type Fetch = typeof globalThis.fetch;

const url = "https://acme.test/v1/chat";
const stream = { "content-type": "text/event-stream" };

function options(fetch: Fetch, more: Partial<PostOptions> = {}): PostOptions {
  return { provider: "acme", modelId: "m", url, headers: {}, body: {}, fetch, ...more };
}

/** A `fetch` that answers with that, whatever is asked. */
const answering =
  (body: BodyInit | null, init?: ResponseInit): Fetch =>
  async () =>
    new Response(body, init);

const post = (fetch: Fetch, more?: Partial<PostOptions>): Promise<PostAnswer> =>
  postForEvents(options(fetch, more));

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const [settled] = await Promise.allSettled([promise]);
  if (settled.status === "rejected" && settled.reason instanceof Error) return settled.reason;
  throw new Error("no error was thrown");
}

async function eventsOf(answer: PostAnswer): Promise<string[]> {
  if (answer.kind !== "events") throw new Error("the answer is not a stream");
  return (await Array.fromAsync(answer.events)).flat().map(({ data }) => data);
}

describe("the kind of an answer", () => {
  test.each(["text/event-stream", "TEXT/EVENT-STREAM; charset=utf-8", ""])(
    "is a stream where it is %j",
    async (type) => {
      const answer = await post(answering("data: 1\n\n", { headers: { "content-type": type } }));
      expect(await eventsOf(answer)).toEqual(["1"]);
    },
  );

  test.each(["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])(
    "is a value where it is %j",
    async (type) => {
      const answer = await post(answering('{"a":1}', { headers: { "content-type": type } }));
      expect(answer).toMatchObject({ kind: "json", value: { a: 1 }, headers: { "content-type": type } });
    },
  );

  test("is an error where there is none", async () => {
    for (const init of [{ headers: stream }, { status: 204 }, {}]) {
      const error = await failureOf(post(answering(null, init)));
      expect(error).toMatchObject({ name: "MalformedResponseError", isRetryable: true });
      expect(error.message).toBe("acme:m answered with an empty body.");
    }
    expect(
      await failureOf(post(answering(" \n", { headers: { "content-type": "text/plain" } }))),
    ).toMatchObject({
      isRetryable: true,
      message: expect.stringContaining("an empty body"),
    });
  });

  test("is an error with its beginning where it is neither", async () => {
    const error = await failureOf(
      post(answering("x".repeat(300), { headers: { "content-type": "image/png" } })),
    );
    expect(error).toMatchObject({ isRetryable: false, status: 200, provider: "acme", modelId: "m" });
    expect(error.message).toContain('answered with the content type "image/png" where events were expected.');
    expect(error.message).toContain(` ${"x".repeat(200)}…`);
  });

  test("of more than 64 MiB of JSON is an error", async () => {
    const piece = new Uint8Array(2 ** 20).fill(32);
    const body = (): ReadableStream =>
      new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
    const blanks = await failureOf(
      post(answering(body(), { headers: { "content-type": "application/json" } })),
    );
    expect(blanks.message).toContain("empty body");
    piece.fill(49);
    const digits = await failureOf(
      post(answering(body(), { headers: { "content-type": "application/json" } })),
    );
    expect(digits.message).toBe("acme:m answered with more than 67108864 bytes of JSON.");
  });
});

test.each(["application/json", "text/event-stream"])(
  "an answer of more than two million values is an error (%s)",
  async (type) => {
    const text = (values: number): string => `{"choices":[${"1,".repeat(values)}1]}`;
    const read = async (values: number): Promise<unknown> => {
      const body = type === "application/json" ? text(values) : `data: ${text(values)}\n\n`;
      const answer = await post(answering(body, { headers: { "content-type": type } }));
      if (answer.kind === "json") return answer.value;
      for await (const [event] of answer.events) return parseJson(event?.data ?? "", answer);
      return undefined;
    };
    expect(await read(1_990_000)).toMatchObject({ choices: { length: 1_990_001 } });
    expect((await failureOf(read(2_000_000))).message).toBe("acme:m sent JSON of more than 2000000 values.");
  },
);

describe("the headers of an answer", () => {
  test("are there without cookies and without secrets", async () => {
    const headers = {
      ...stream,
      "set-cookie": "a=b",
      "X-Echo": "key hunter2hunter2",
      "request-id": "r hunter2hunter2",
    };
    const answer = await post(answering("data: 1\n\n", { headers }), {
      headers: { "x-key": "hunter2hunter2" },
    });
    expect(answer.headers).toEqual({ ...stream, "x-echo": "key [redacted]", "request-id": "r [redacted]" });
    expect(answer.malformed("spoke.")).toMatchObject({
      requestId: "r [redacted]",
      status: 200,
      isRetryable: false,
    });
  });
});

describe("the errors of an answer", () => {
  const headers = { "x-key": "hunter2hunter2" };
  const open = (): Promise<PostAnswer> => post(answering("data: 1\n\n", { headers: stream }), { headers });

  test("say what is wrong without secrets", async () => {
    const answer = await open();
    const error = answer.malformed("sent hunter2hunter2:", {
      received: "a hunter2hunter2 b",
      cause: new Error("hunter2hunter2"),
      isRetryable: true,
    });
    expect(error).toBeInstanceOf(MalformedResponseError);
    expect(error).toMatchObject({ message: "acme:m sent [redacted]: a [redacted] b", isRetryable: true });
    expect(inspect(error, { depth: 9 })).not.toContain("hunter2");
    expect(
      answer.failure({ error: { message: "spent hunter2hunter2", code: "insufficient_quota" } }),
    ).toMatchObject({
      code: "rate-limit",
      provider: "acme",
      modelId: "m",
      status: undefined,
      providerMessage: "spent [redacted]",
    });
  });

  test("of text that is not JSON show its beginning", async () => {
    const answer = await open();
    expect(parseJson('{"a":[1]}', answer)).toEqual({ a: [1] });
    expect(() => parseJson("oops hunter2hunter2", answer)).toThrow(
      "acme:m sent something that is not JSON: oops [redacted]",
    );
  });
});

test("a text that is JSON is its value, any other is itself, and so is one that is nested deeply", () => {
  expect(['{"a":1}', "7", "{a", ""].map(jsonOrText)).toEqual([{ a: 1 }, 7, "{a", ""]);
  expect(jsonOrText("[".repeat(5_000) + "]".repeat(5_000))).toHaveLength(10_000);
});

describe("an error's body", () => {
  test("is read up to 64 KiB", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2 ** 12).fill(120)),
    });
    const error = await failureOf(post(answering(body, { status: 500 })));
    expect(error).toMatchObject({ code: "overloaded", status: 500, providerMessage: "x".repeat(2000) });
  });

  test("that breaks off, does not come, or is missing says nothing: the status does", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    const headers = { "retry-after": "600" };
    const broken = await failureOf(post(answering(body, { status: 429, headers })));
    expect(broken).toMatchObject({ name: "RateLimitError", status: 429, retryAfter: 600_000 });
    vi.useFakeTimers();
    const silent = failureOf(post(answering(new ReadableStream(), { status: 401 })));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await silent).toMatchObject({ name: "AuthenticationError", isRetryable: false });
    vi.useRealTimers();
    expect(await failureOf(post(answering(null, { status: 503 })))).toMatchObject({
      code: "overloaded",
      providerMessage: undefined,
      message: "acme:m is overloaded or failing (503).",
    });
  });
});

describe("a redirect", () => {
  test.each([300, 307, 399])("with the status %i is refused, its body left unread", async (status) => {
    const cancel = vi.fn<() => Promise<void>>(async () => Promise.reject(new Error("no")));
    const body = new ReadableStream({ cancel });
    const error = await failureOf(post(answering(body, { status })));
    expect(error).toMatchObject({ code: "network", isRetryable: false });
    expect(error.message).toContain("no answer from acme.test (unexpected redirect)");
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe("a stream", () => {
  test("that is too long for one event is an error of the answer", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(":\n".repeat(300_000))),
    });
    const error = await failureOf(eventsOf(await post(answering(body, { headers: stream }))));
    expect(error).toBeInstanceOf(MalformedResponseError);
    expect(error.message).toMatch(
      /^acme:m sent too much: one server-sent event has more than \d+ lines or pieces\.$/,
    );
  });

  test.each<[string, boolean]>([
    ["ends it", false],
    ["tells that it was aborted", true],
  ])("that breaks off once nothing is to follow %s", async (_, isAborted) => {
    const controller = new AbortController();
    let fail = (_: Error): void => {};
    const body = new ReadableStream({
      start: (source) => {
        source.enqueue(new TextEncoder().encode("data: 1\n\n"));
        fail = (error) => source.error(error);
      },
    });
    const answer = await post(answering(body, { headers: stream }), { signal: controller.signal });
    if (answer.kind !== "events") throw new Error("the answer is not a stream");
    expect((await answer.events.next()).value).toMatchObject([{ data: "1" }]);
    answer.ending();
    const reason = new Error("enough");
    if (isAborted) controller.abort(reason);
    fail(new Error("reset"));
    const last = answer.events.next().catch((error: unknown) => error);
    expect(await last).toEqual(isAborted ? reason : { done: true, value: undefined });
  });
});

describe("the wait for an answer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A body of pieces, one every 600 milliseconds. */
  function slowly(...pieces: readonly string[]): ReadableStream {
    const left = [...pieces];
    return new ReadableStream({
      async pull(controller) {
        const piece = left.shift();
        if (piece === undefined) return controller.close();
        await new Promise((resolve) => void setTimeout(resolve, 600));
        controller.enqueue(new TextEncoder().encode(piece));
      },
    });
  }
  const json = { headers: { "content-type": "application/json" } };

  test("begins again with each piece of JSON, and not with blanks, which only keep the connection open", async () => {
    const value = post(answering(slowly("[1", ",2", ",3", "]"), json), { timeout: 1000 });
    await vi.advanceTimersByTimeAsync(3000);
    expect(await value).toMatchObject({ value: [1, 2, 3] });
    const failure = failureOf(post(answering(slowly(" ", " \n", " ", "[1]"), json), { timeout: 1000 }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failure).toMatchObject({ name: "ModelTimeoutError" });
  });

  test("begins again once the headers have come", async () => {
    const fetch: Fetch = async () => {
      await new Promise((resolve) => void setTimeout(resolve, 600));
      return new Response(slowly("[1]"), json);
    };
    const value = post(fetch, { timeout: 1000 });
    await vi.advanceTimersByTimeAsync(2000);
    expect(await value).toMatchObject({ value: [1] });
  });

  test("goes on only while the answer is read", async () => {
    const answer = await post(answering("data: 1\n\n", { headers: stream }), { timeout: 1000 });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await eventsOf(answer)).toEqual(["1"]);
  });

  test("leaves neither a timer nor a listener behind", async () => {
    const { signal } = new AbortController();
    await eventsOf(await post(answering("data: 1\n\n", { headers: stream }), { signal }));
    await post(answering("[1]", json), { signal });
    await failureOf(post(answering("no", { status: 500 }), { signal }));
    await failureOf(post(() => Promise.reject(new Error("no")), { signal }));
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
  });
});

describe("a fetch of one's own", () => {
  test.each([undefined, null, "text", {}, { headers: {} }, { headers: { forEach: 1 } }])(
    "must return a Response, not %j",
    async (value) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program written in JavaScript may
      const error = await failureOf(post((async () => value) as unknown as Fetch));
      expect(error).toMatchObject({
        code: "invalid-fetch",
        data: { provider: "acme", modelId: "m" },
        message: "The fetch of acme:m must return a Response.",
      });
    },
  );

  test("that fails is a network error with its words", async () => {
    const error = await failureOf(post(() => Promise.reject(new Error("no cable"))));
    expect(error.message).toBe("acme:m: no connection to acme.test (no cable).");
  });

  test("that answers after an abort has its answer cancelled", async () => {
    const cancel = vi.fn<() => void>();
    const late = Promise.withResolvers<Response>();
    const controller = new AbortController();
    const failure = failureOf(post(() => late.promise, { signal: controller.signal }));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await failure).toBe(reason);
    late.resolve(new Response(new ReadableStream({ cancel })));
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });
});

describe("what is sent", () => {
  test("has headers in lower case, the caller's before the defaults, and none that is undefined", async () => {
    let sent: unknown;
    const fetch: Fetch = async (_, init) => {
      sent = init;
      return new Response("data: 1\n\n", { headers: stream });
    };
    await post(fetch, {
      headers: { Accept: "application/json", "X-A": "b", "x-none": undefined },
      body: { a: [1] },
    });
    expect(sent).toMatchObject({
      method: "POST",
      redirect: "error",
      body: '{"a":[1]}',
      headers: { "content-type": "application/json", accept: "application/json", "x-a": "b" },
    });
    expect(sent).not.toHaveProperty("headers.x-none");
  });

  test("goes to the address of the call, though another call had the same headers", async () => {
    const headers = {};
    const requests: unknown[] = [];
    const fetch: Fetch = async (to) => {
      requests.push(to);
      return new Response("no", { status: 500 });
    };
    for (const path of ["/a", "/a", "/b"]) {
      const error = await failureOf(post(fetch, { headers, url: `https://acme.test${path}` }));
      expect(error).toMatchObject({ status: 500 });
    }
    expect(requests).toEqual(["https://acme.test/a", "https://acme.test/a", "https://acme.test/b"]);
    expect(await failureOf(post(fetch, { headers, url: "acme" }))).toMatchObject({
      code: "invalid-base-url",
    });
  });

  test.each<[string, string]>([
    ["x-a", "line\nbreak"],
    ["x-a", "\u0100"],
    ["x-a", "null\0"],
    ["x a", "b"],
    ["", "b"],
    ["x:", "b"],
  ])("cannot have the header %j: %j", async (name, value) => {
    const error = await failureOf(post(answering("data: 1\n\n"), { headers: { [name]: value } }));
    expect(error).toMatchObject({ code: "invalid-header", data: { provider: "acme", modelId: "m" } });
    expect(error.message).toContain(`The header "${name}" for acme:m`);
  });

  test.each<[string, string]>([
    ["x-a", ""],
    ["x-a", "tab\t and ~ \u00e9"],
    ["!#$%&'*+.^_`|~", "b"],
  ])("can have the header %j: %j", async (name, value) => {
    expect(
      await eventsOf(
        await post(answering("data: 1\n\n", { headers: stream }), { headers: { [name]: value } }),
      ),
    ).toEqual(["1"]);
  });

  test("is nothing where the address is none, and the error shows no key", async () => {
    const error = await failureOf(post(() => expect.fail("sent"), { url: "acme?api_key=hunter2" }));
    expect(error).toMatchObject({
      code: "invalid-base-url",
      data: { provider: "acme", modelId: "m" },
      message: '"acme?api_key=[redacted]" is not a URL. Check the baseURL.',
    });
  });
});
