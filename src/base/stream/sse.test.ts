import { describe, expect, test } from "vitest";
import { bytesOf } from "./bytes.ts";
import * as sse from "./sse.ts";

const { EventTooLongError } = sse;

const readEvents = (stream: ReadableStream<Uint8Array>, options?: sse.ReadEventsOptions): sse.EventBatches =>
  sse.readEvents(bytesOf(stream), options);

const readText = (stream: ReadableStream<Uint8Array>, limit: number): ReturnType<typeof sse.readText> =>
  sse.readText(bytesOf(stream), limit);

function streamOf(...pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
}

function endlessStream(...units: readonly string[]): {
  stream: ReadableStream<Uint8Array>;
  sent: () => number;
} {
  const bytes = units.map((unit) => new TextEncoder().encode(unit));
  let count = 0;
  let sent = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    // The last unit is repeated.
    const next = bytes[Math.min(count++, bytes.length - 1)] ?? new Uint8Array();
    sent += next.length;
    controller.enqueue(next);
  };
  return { stream: new ReadableStream({ pull }), sent: () => sent };
}

async function dataOf(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const events: sse.ServerSentEvent[] = [];
  for await (const batch of readEvents(stream)) events.push(...batch);
  return events.map((event) => event.data);
}

describe("readEvents", () => {
  test("reads events, their types, lines joined, comments and other fields left out", async () => {
    const text = ": a comment\nevent: ping\nid: 1\ndata: one\ndata: two\n\nretry: 5\ndata:three\n\n";
    const batches = await Array.fromAsync(readEvents(streamOf(text)));
    expect(batches.flat().map(({ event, data }) => ({ event, data }))).toEqual([
      { event: "ping", data: "one\ntwo" },
      { event: undefined, data: "three" },
    ]);
  });

  test("gives the same events wherever the bytes are cut, with LF, CRLF and CR", async () => {
    const text = "\uFEFFdata: Zoë 🦢\n\n: x\ndata: a\ndata: b\n\ndata: [DONE]\n\n";
    const expected = ["Zoë 🦢", "a\nb", "[DONE]"];
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const bytes = new TextEncoder().encode(text.replaceAll("\n", lineEnd));
      expect(await dataOf(streamOf(...[...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(expected);
      for (let at = 1; at < bytes.length; at += 1) {
        expect(await dataOf(streamOf(bytes.slice(0, at), bytes.slice(at)))).toEqual(expected);
      }
    }
  });

  test("gives the last event, though its blank line or even its line end is missing", async () => {
    expect(await dataOf(streamOf("data: one\n\ndata: two"))).toEqual(["one", "two"]);
    expect(await dataOf(streamOf("data: one\n\ndata: two\n"))).toEqual(["one", "two"]);
    expect(await dataOf(streamOf("data: one\r\n\r\ndata: two\r"))).toEqual(["one", "two"]);
    expect(await dataOf(streamOf(""))).toEqual([]);
  });

  test("gives one array for each piece that completes an event", async () => {
    const batches = await Array.fromAsync(readEvents(streamOf("data: 1\n\ndata: 2\n\nda", "ta: 3", "\n\n")));
    expect(batches.map((batch) => batch.map((event) => event.data))).toEqual([["1", "2"], ["3"]]);
  });

  test("refuses an event that is longer than allowed, in one line or in many", async () => {
    const long = readEvents(streamOf("data: ", "x".repeat(60), "x".repeat(60)), { maxLength: 100 });
    await expect(Array.fromAsync(long)).rejects.toThrow(EventTooLongError);
    const lines = readEvents(streamOf(...Array.from({ length: 30 }, () => "data: xxxx\n")), {
      maxLength: 100,
    });
    await expect(Array.fromAsync(lines)).rejects.toThrow("longer than 100 characters");
  });

  test("refuses an event of very many lines or chunks, however short they are", async () => {
    for (const unit of ["data:\n", "data\r\n", ": comment\n"]) {
      const endless = endlessStream(unit.repeat(10_000));
      const error: unknown = await Array.fromAsync(readEvents(endless.stream)).catch(
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(EventTooLongError);
      expect(error).toHaveProperty("message", expect.stringContaining("more than 262144 lines"));
      expect(endless.sent()).toBeLessThan(1 << 22);
    }
    const chunks = readEvents(endlessStream("da", "data:").stream);
    await expect(Array.fromAsync(chunks)).rejects.toThrow("pieces");
  });

  test("counts what keeps memory between the lines of data", async () => {
    const unit = `data: twelve characters\n: ${"x".repeat(60_000)}\n`;
    const { stream, sent } = endlessStream(unit);
    await expect(Array.fromAsync(readEvents(stream, { maxLength: 1 << 20 }))).rejects.toThrow("1048576 char");
    expect(sent()).toBeLessThan(1 << 21);
  });

  test("returns the events of a very long chunk in batches of bounded length", async () => {
    const batches = await Array.fromAsync(readEvents(streamOf("data: 🦢\n\n".repeat(100_000))));
    expect(batches.flat()).toHaveLength(100_000);
    expect(batches.flat().every((event) => event.data === "🦢")).toBe(true);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThan(10_000);
  });

  test("reads long events of many lines, one after the other", async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index}`);
    const event = `${lines.map((line) => `data: ${line}\n`).join("")}\n`;
    const batches = await Array.fromAsync(readEvents(streamOf(...Array.from({ length: 5 }, () => event))));
    expect(batches.flat().map(({ data }) => data === lines.join("\n"))).toEqual(Array(5).fill(true));
  });

  test("cancels the stream when its reader leaves", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: () => void (cancelled = true),
    });
    for await (const [event] of readEvents(stream)) {
      expect(event?.data).toBe("1");
      break;
    }
    expect(cancelled).toBe(true);
  });

  test("stops at once when the signal is aborted, though the stream does not heed it", async () => {
    const controller = new AbortController();
    const silent = new ReadableStream<Uint8Array>({ cancel: () => new Promise<void>(() => {}) });
    const reading = Array.fromAsync(readEvents(silent, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });

  test("passes on what reading the stream throws", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("broken")),
    });
    await expect(Array.fromAsync(readEvents(broken))).rejects.toThrow("broken");
  });
});

describe("readText", () => {
  test("reads no more than the limit, and cancels the rest", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("abcdefgh")),
      cancel: () => void (cancelled = true),
    });
    expect(await readText(endless, 20)).toEqual({ text: "abcdefghabcdefghabcd", isWhole: false });
    expect(cancelled).toBe(true);
  });

  test("joins very many small pieces", async () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => String(index % 10));
    expect(await readText(streamOf(...pieces), 20_000)).toEqual({ text: pieces.join(""), isWhole: true });
  });

  test("puts characters together that are cut between pieces", async () => {
    const [first, ...rest] = new TextEncoder().encode("🦢");
    const stream = streamOf(Uint8Array.of(first ?? 0), Uint8Array.from(rest));
    expect(await readText(stream, 100)).toEqual({ text: "🦢", isWhole: true });
  });
});

test("empty chunks change nothing, not even within a character", async () => {
  const bytes = new TextEncoder().encode("data: \u{1f600}\n\n");
  const none = new Uint8Array();
  expect(await dataOf(streamOf(none, bytes, none))).toEqual(["\u{1f600}"]);
  const pieces = Array.from(bytes, (byte) => [Uint8Array.of(byte), none]).flat();
  expect(await dataOf(streamOf(none, ...pieces))).toEqual(["\u{1f600}"]);
});
