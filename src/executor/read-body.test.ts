import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { isToolReturn } from "../tool/result.ts";
import { readBody } from "./read-body.ts";

const { signal } = new AbortController();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stream of these pieces, and whether it was cancelled. */
function streamOf(...pieces: readonly unknown[]): ReadableStream<unknown> & { isCancelled: boolean } {
  const left = [...pieces];
  const stream = new ReadableStream<unknown>(
    {
      pull: (controller) => (left.length > 0 ? controller.enqueue(left.shift()) : controller.close()),
      cancel: () => void (withState.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  const withState = Object.assign(stream, { isCancelled: false });
  return withState;
}

const typed = (type: string, body: string | Uint8Array<ArrayBuffer> = '{"sum":3}'): Response =>
  new Response(body, { headers: { "content-type": type } });

describe("a response", () => {
  test.each(["application/json", "application/problem+JSON; charset=utf-8"])(
    "that says it is %s is its value",
    async (type) => {
      expect(await readBody(typed(type), signal)).toEqual({ sum: 3 });
    },
  );

  test.each(["text/plain", "application/jsonlines"])("that says it is %s is its text", async (type) => {
    expect(await readBody(typed(type), signal)).toBe('{"sum":3}');
  });

  test("has numbers that JavaScript would change as texts with the same digits", async () => {
    const body = '{"id":9007199254740993,"price":0.1234567890123456789012,"n":1e400,"sum":3}';
    expect(await readBody(typed("application/json", body), signal)).toEqual({
      id: "9007199254740993",
      price: "0.1234567890123456789012",
      n: "1e400",
      sum: 3,
    });
  });

  test("that is not what it says is its text", async () => {
    expect(await readBody(typed("application/json", "{"), signal)).toBe("{");
  });

  test("with an error status is an error with its status and its text", async () => {
    const response = new Response("no such page\n", { status: 404, statusText: "Not Found" });
    const read = await readBody(response, signal);
    expect(isToolReturn(read)).toBe(true);
    expect(read).toMatchObject({ content: "HTTP 404 Not Found\nno such page", isError: true });
  });

  test("without a body is an empty text", async () => {
    expect(await readBody(new Response(null, { status: 204 }), signal)).toBe("");
  });

  test("is read in the encoding that it names, also in quotes, and else in UTF-8", async () => {
    const latin = Uint8Array.of(0x63, 0xe9);
    expect(await readBody(typed("text/plain; charset=iso-8859-1", latin), signal)).toBe("cé");
    expect(await readBody(typed('text/plain; CHARSET="iso-8859-1"', latin), signal)).toBe("cé");
    expect(await readBody(typed("text/plain; charset=none-such", "cé"), signal)).toBe("cé");
    for (const type of ["text/plain", "text/plain; charset=none-such"])
      await expect(readBody(typed(type, latin), signal)).rejects.toThrow("the body is not text.");
  });
});

test("a blob is read by its type", async () => {
  expect(await readBody(new Blob(["[1]"], { type: "application/json" }), signal)).toEqual([1]);
  expect(await readBody(new Blob(["[1]"]), signal)).toBe("[1]");
});

describe("a stream", () => {
  test("is read to its end, whatever its pieces are", async () => {
    const [first, second] = [bytes("é").subarray(0, 1), bytes("é").subarray(1)];
    expect(await readBody(streamOf(bytes("caf"), first, second, " au lait"), signal)).toBe("café au lait");
  });

  test("that ends within a character is not text", async () => {
    await expect(readBody(streamOf(bytes("é").subarray(0, 1)), signal)).rejects.toThrow(
      "the body is not text. Return what the model can read of it",
    );
  });

  test("of other things is an error", async () => {
    await expect(readBody(streamOf({ sum: 3 }), signal)).rejects.toThrow("not one of bytes or text");
  });

  test("is read as far as a result may be long, and one character beyond", async () => {
    const endless = streamOf(...Array<string>(5).fill("x".repeat(1_048_576)));
    expect(await readBody(endless, signal)).toHaveLength(2 * 1_048_576);
    expect(endless.isCancelled).toBe(true);
  });

  test("is cancelled with the call, after which nothing listens to its signal", async () => {
    const controller = new AbortController();
    const silent = new ReadableStream({
      cancel: (): void => void reasons.push("cancelled"),
    });
    const reasons: string[] = [];
    const reading = readBody(silent, controller.signal);
    await Promise.resolve();
    controller.abort();
    expect(await reading).toBe("");
    expect(reasons).toEqual(["cancelled"]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

test.each([
  ["used", { bodyUsed: true }],
  ["locked", { locked: true }],
])("what is %s already was read before", async (_, state) => {
  await expect(readBody({ ...state, body: streamOf("x") }, signal)).rejects.toThrow(
    /^the body of .* was read before\. Return its text$/,
  );
});
