/** What a tool returned is what the model reads, or an error that names it: never `{}` for something that is there. */
import { describe, expect, test } from "vitest";
import { Agent, result, run, tool, type RunResult } from "skein";
import { ScriptedModel } from "skein/testing";

async function returned(value: () => unknown, timeout = 1_000) {
  const fetchIt = tool({ name: "fetchIt", input: { type: "object" }, timeout, execute: value });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "fetchIt", arguments: {} }] }, "done"]);
  const { messages, warnings, status } = await run(new Agent({ name: "A", model, tools: [fetchIt] }), "go");
  expect(status).toBe("completed");
  const [first] = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const text = first?.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  return { text, isError: first?.isError, value: first?.structuredContent, warnings };
}

test.each([
  [
    "an image without its url",
    { type: "image", data: "AAAA" },
    'is a part of the type "image" whose url is not a text',
  ],
  ["a text part without its text", { type: "text" }, 'is a part of the type "text" whose text is not a text'],
  ["a part of another form", { type: "image_url" }, 'has the type "image_url"'],
  ["null", null, "is not a part"],
])("%s is an error that names it", async (_, part, problem) => {
  const content = JSON.parse(JSON.stringify([part]));
  const { text, isError } = await returned(() => result({ content }));
  expect(isError).toBe(true);
  expect(text).toContain(`content[0] of result({ content }) ${problem}`);
});

class Empty {
  #rows = [1];
  get rows(): readonly number[] {
    return this.#rows;
  }
}

class Rows {
  *[Symbol.iterator](): Generator<number> {
    yield 1;
    yield 2;
  }
}

const headers = { "content-type": "application/json; charset=utf-8" };
const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x80]);

function streamOf(...pieces: readonly unknown[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** A stream that never ends, and counts how often it was read. */
function endless() {
  const counts = { pulls: 0, cancelled: false };
  const stream = new ReadableStream({
    pull(controller) {
      counts.pulls++;
      controller.enqueue(new TextEncoder().encode("x".repeat(65_536)));
    },
    cancel() {
      counts.cancelled = true;
    },
  });
  return { counts, stream };
}

/** What there is to read, as it is read. */
const readable: Readonly<Record<string, readonly [() => unknown, unknown]>> = {
  "a Response of text": [() => new Response("hello"), "hello"],
  "a promise of a Response": [async () => new Response("hello"), "hello"],
  "a Response of JSON": [() => new Response('{ "a": 1 }', { headers }), '{"a":1}'],
  "a Response of JSON that does not say so": [() => new Response('{ "a": 1 }'), '{ "a": 1 }'],
  "a Blob of JSON": [() => new Blob(['{ "a": 1 }'], { type: "application/json" }), '{"a":1}'],
  "text in an unknown charset": [
    () => new Response("é", { headers: { "content-type": "text/plain; charset=klingon" } }),
    "é",
  ],
  "text in a charset between quotes": [
    () =>
      new Response(new Uint8Array([0xe9]), { headers: { "content-type": 'text/plain; charset="latin1"' } }),
    "é",
  ],
  "a Response that is not the JSON it says": [() => new Response("<html>", { headers }), "<html>"],
  "an empty Response": [() => new Response(null, { status: 204 }), ""],
  "a Response within result()": [() => result({ value: new Response("hello"), context: { n: 1 } }), "hello"],
  "a Blob": [() => new Blob(["hel", "lo"]), "hello"],
  "a stream of text": [() => streamOf("hel", "lo"), "hello"],
  "a stream of bytes cut within a character": [
    () => streamOf(new Uint8Array([0xc3]), new Uint8Array([0xa9])),
    "é",
  ],
  "text in another charset": [
    () =>
      new Response(new Uint8Array([0xe9]), { headers: { "content-type": "text/plain; charset=iso-8859-1" } }),
    "é",
  ],
  "an object that can be iterated, with a field called return": [
    () => ({ return: 5, next: () => ({ done: true }), *[Symbol.iterator]() {} }),
    '{"return":5}\nNote: $ has symbols as keys, which are left out: Symbol(Symbol.iterator); $.next is a function, which is left out.',
  ],
  "a RegExp": [() => ({ pattern: /a+/gi }), '{"pattern":"/a+/gi"}'],
  "a Map": [() => new Map([["a", 1]]), '{"a":1}'],
  "a Set": [() => new Set([1, 2]), "[1,2]"],
  "the entries of a Map": [() => new Map([["a", 1]]).entries(), '[["a",1]]'],
  "the keys of a Map within an object": [() => ({ keys: new Map([["a", 1]]).keys() }), '{"keys":["a"]}'],
  "a generator within an object": [() => ({ rows: new Rows()[Symbol.iterator]() }), '{"rows":[1,2]}'],
  "an iterable instance": [() => new Rows(), "[1,2]"],
  "search parameters": [() => new URLSearchParams("a=1&b=2"), '[["a","1"],["b","2"]]'],
  headers: [() => new Headers({ a: "1" }), '[["a","1"]]'],
  "a typed array": [() => new Float32Array([1.5, 2]), "[1.5,2]"],
  "bytes in a DataView": [() => new DataView(new Uint8Array([1, 2]).buffer), '"AQI="'],
  "a boxed text": [() => ({ text: Object("hi") }), '{"text":"hi"}'],
  "an object without properties": [() => ({}), "{}"],
};

/** What cannot be read, and what it is called. */
const opaque: Readonly<Record<string, readonly [() => unknown, string]>> = {
  "a promise in an object": [() => ({ user: Promise.resolve(1) }), "a Promise at $.user"],
  "a promise that rejects in an object": [
    () => ({ user: Promise.reject(new Error("no")) }),
    "a Promise at $.user",
  ],
  "a promise in an array": [async () => [1, Promise.resolve(2)], "a Promise at $[1]"],
  "a Response in an object": [() => ({ page: new Response("x") }), "a Response at $.page"],
  "a stream in an object": [() => ({ body: streamOf("x") }), "a ReadableStream at $.body"],
  "a Blob in an object": [() => ({ file: new Blob(["x"]) }), "a Blob at $.file"],
  "an asynchronous generator in an object": [
    () => ({
      rows: (async function* () {
        yield 1;
      })(),
    }),
    "an AsyncGenerator at $.rows",
  ],
  "a function": [() => () => 1, "a function"],
  "a symbol": [() => Symbol("s"), "a symbol"],
  "an object of functions": [() => ({ query: () => 1 }), "an object of functions"],
  "an instance with nothing of its own": [() => new Empty(), "an Empty"],
  "an instance with nothing of its own in an object": [
    () => ({ a: [{ b: new Empty() }] }),
    "an Empty at $.a[0].b",
  ],
  "a WeakMap": [() => new WeakMap(), "a WeakMap"],
  "a promise beside content": [
    () => result({ content: "fine", value: { p: Promise.resolve() } }),
    "a Promise at $.p",
  ],
};

describe("a value that can be read is the result", () => {
  test.each(Object.entries(readable))("%s", async (_, [value, text]) => {
    expect(await returned(value)).toMatchObject({ text, isError: false, warnings: [] });
  });

  test("a response with an error status is an error", async () => {
    const { text, isError } = await returned(
      () => new Response("no such page", { status: 404, statusText: "Not Found" }),
    );
    expect([text, isError]).toEqual(["HTTP 404 Not Found\nno such page", true]);
  });

  test("a response without end is read as far as a result goes, and no further", async () => {
    const { counts, stream } = endless();
    const { text, isError } = await returned(() => new Response(stream), 10_000);
    expect([text?.length, isError]).toEqual([1_048_616, false]);
    expect(text).toContain("left out");
    expect(counts.cancelled).toBe(true);
    expect(counts.pulls).toBeLessThan(30);
  });

  test("a stream of empty pieces without end is given up at the tool's deadline", async () => {
    const empty = (): ReadableStream => new ReadableStream({ pull: (stream) => stream.enqueue("") });
    const { text, isError } = await returned(empty, 20);
    expect([text, isError]).toEqual([expect.stringContaining("did not finish within 20 ms"), true]);
  });

  test("a response that stalls is given up at the tool's deadline", async () => {
    const { text, isError } = await returned(() => new Response(new ReadableStream()), 50);
    expect([text, isError]).toEqual([expect.stringContaining("did not finish within 50 ms"), true]);
  });
});

describe("a value that cannot be read is an error that names it, to the model and the author", () => {
  test.each(Object.entries(opaque))("%s", async (_, [value, what]) => {
    const { text, isError, warnings } = await returned(value);
    expect([text, isError]).toEqual([
      `fetchIt was called, but returned ${what}, which cannot be shown.`,
      true,
    ]);
    expect(warnings).toEqual([expect.stringContaining(`fetchIt returned ${what}`)]);
  });

  test.each([
    ["bytes that are no text", () => new Response(bytes), "the body is not text"],
    ["a body that was read before", readBefore, "the body of a Response was read before"],
    ["a stream of objects", () => streamOf({ a: 1 }), "the stream is not one of bytes or text"],
    [
      "a stream that breaks",
      () => new ReadableStream({ pull: () => Promise.reject(new Error("reset")) }),
      "reset",
    ],
  ])("%s", async (_, value, words) => {
    expect(await returned(value)).toMatchObject({ isError: true, text: expect.stringContaining(words) });
  });
});

async function readBefore(): Promise<Response> {
  const response = new Response("x");
  await response.text();
  return response;
}

describe("a result that is an error", () => {
  async function runWith(returned: ReturnType<typeof result>): Promise<RunResult> {
    const look = tool({ name: "look", input: { type: "object" }, execute: () => returned });
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "look" }] }, "I see."]);
    return run(new Agent({ name: "Desk", model, tools: [look] }), "go");
  }

  test.each([
    [{ value: "Not here." }, "Not here."],
    [{ content: "Not here." }, "Not here."],
    [{}, "look failed. Transferred to Clerk."],
  ])("hands off all the same, with %j", async (fields, text) => {
    const clerk = new Agent({ name: "Clerk", model: new ScriptedModel(["Let me see."]) });
    const outcome = await runWith(result({ ...fields, isError: true, agent: clerk }));
    expect(outcome).toMatchObject({ text: "Let me see.", agent: { name: "Clerk" } });
    expect(outcome.messages[1]).toMatchObject({
      result: { isError: true, outcome: "error", content: [{ type: "text", text }] },
    });
  });

  test("changes the context, and ends the run", async () => {
    const change = { context: { attempts: 1 }, final: true, value: "Not here." };
    const outcome = await runWith(result({ ...change, isError: true }));
    expect(outcome).toMatchObject({ status: "completed", text: "Not here.", context: { attempts: 1 } });
  });

  test("without anything else says that the tool failed", async () => {
    const { messages } = await runWith(result({ isError: true }));
    expect(messages[1]).toMatchObject({ result: { isError: true, content: [{ text: "look failed." }] } });
  });
});

describe("a proxy that says it has everything", () => {
  /** Whatever is asked of it, it is there, and is the proxy itself. */
  const everything: object = new Proxy(
    {},
    {
      get: (_, name) => (name === Symbol.toPrimitive || name === "then" ? undefined : everything),
      has: () => true,
      ownKeys: () => [],
      getOwnPropertyDescriptor: () => undefined,
    },
  );
  /** The same, with everything as its own. */
  const owner: object = new Proxy(
    {},
    {
      get: (_, name) => (name === Symbol.toPrimitive || name === "then" ? undefined : owner),
      has: () => true,
      getOwnPropertyDescriptor: () => ({ value: owner, configurable: true, enumerable: true }),
    },
  );

  test.each([
    ["", () => everything],
    [", all of it as its own", () => owner],
    [", as the value of result()", () => result({ value: owner })],
  ])("does not fail the run%s", async (_, value) => {
    const { text } = await returned(value);
    expect(text).toMatch(/^(?:\{\}|fetchIt returned something that cannot be written as JSON)/);
  });
});
