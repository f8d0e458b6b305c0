import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Generation, ModelEvent, ModelRequest } from "../../model/types.ts";
import { openai } from "./openai.ts";
import { startServer, type TestServer } from "./test-server.ts";

const folder = fileURLToPath(new URL("../../../../shared/wire/", import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.info("Skipped: there are no recorded exchanges beside this checkout.");

interface Exchange {
  readonly name: string;
  readonly protocol: "chat" | "responses";
  readonly type: "text/event-stream" | "application/json";
  readonly text: string;
}

/** All recorded answers of OpenAI's protocols. Events recorded without an envelope get one. */
function exchanges(): Exchange[] {
  if (!isHere) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return files.flatMap((name): Exchange[] => {
    const protocol = /^(?:events\/)?(chat|responses)\//.exec(name)?.[1];
    if (protocol !== "chat" && protocol !== "responses") return [];
    if (name.endsWith(".request.json") || !/\.(?:json|sse|chunks\.txt)$/.test(name)) return [];
    const text = readFileSync(folder + name, "utf8");
    if (name.endsWith(".json")) return [{ name, protocol, type: "application/json", text }];
    const type = "text/event-stream";
    if (name.endsWith(".sse")) return [{ name, protocol, type, text }];
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const framed = lines.map((line) => `data: ${line}\n\n`).join("");
    return [{ name, protocol, type, text: framed + (protocol === "chat" ? "data: [DONE]\n\n" : "") }];
  });
}

const prompt: ModelRequest = { messages: [{ role: "user", content: "Hello" }] };

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.close());

async function eventsOf(exchange: Exchange, chunks: readonly (string | Uint8Array)[]): Promise<ModelEvent[]> {
  server.answer({ type: exchange.type, chunks });
  return (await Array.fromAsync(modelOf(exchange).stream(prompt))).map(timeless);
}

function modelOf({ protocol }: Exchange): ReturnType<typeof openai> {
  const options = { baseURL: `${server.url}/v1`, apiKey: "a-key-for-tests" };
  return protocol === "chat" ? openai("some-model", options) : openai.responses("some-model", options);
}

/** The event without the fields that differ between runs. */
function timeless(event: ModelEvent): ModelEvent {
  if (event.type !== "finish") return event;
  const { generation } = event;
  const timing = { firstTokenMs: undefined, totalMs: 0, tokensPerSecond: undefined };
  return {
    ...event,
    generation: { ...generation, timing, response: { ...generation.response, headers: {} } },
  };
}

function generationOf(events: readonly ModelEvent[]): Generation {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  return last.generation;
}

/** Splits before each byte for which `isSplit` returns true. */
function cut(text: string, isSplit: (bytes: Uint8Array, index: number) => boolean): Uint8Array[] {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let index = 1; index <= bytes.length; index += 1) {
    if (index < bytes.length && !isSplit(bytes, index)) continue;
    pieces.push(bytes.subarray(start, index));
    start = index;
  }
  return pieces;
}

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
const carriageReturn = 13;

describe.skipIf(!isHere)("a recorded answer", () => {
  test.each(exchanges())("gives consistent events: $name", async (exchange) => {
    const events = await eventsOf(exchange, [exchange.text]);
    const generation = generationOf(events);
    expect(events.filter((event) => event.type === "finish")).toHaveLength(1);
    const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
    expect(text).toBe(generation.text);
    const parts = generation.message.content;
    expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe(generation.text);
    expect(events.flatMap((event) => (event.type === "tool-call" ? [event.toolCall] : []))).toEqual(
      generation.toolCalls,
    );
    expect(parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))).toEqual(
      generation.toolCalls.map((call) => call.toolCallId),
    );
    for (const call of generation.toolCalls) {
      const pieces = events.map((event) =>
        event.type === "tool-input-delta" && event.toolCallId === call.toolCallId ? event.text : "",
      );
      expect(pieces.join("")).toBe(call.arguments);
      expect(call.toolName).not.toBe("");
    }
    expect(generation.finishReason).toBe(expectedFinish(exchange, generation));
    expect(generation.response.id).toBeTruthy();
  });

  test.each(exchanges())("does not depend on how the network splits it: $name", async (exchange) => {
    const whole = await eventsOf(exchange, [exchange.text]);
    const { text } = exchange;
    expect(
      await eventsOf(
        exchange,
        cut(text, () => true),
      ),
    ).toEqual(whole);
    for (const seed of [1, 2, 3]) {
      const random = randomFrom(seed);
      const pieces = cut(text, () => random() < 0.02);
      expect(await eventsOf(exchange, pieces), `seed ${seed}`).toEqual(whole);
    }
    const inCharacters = cut(text, (bytes, index) => isContinuation(bytes[index]) || bytes[index - 1] === 58);
    expect(await eventsOf(exchange, inCharacters)).toEqual(whole);
    if (exchange.type === "application/json") return;
    const crlf = text.replaceAll("\n", "\r\n");
    expect(await eventsOf(exchange, [crlf])).toEqual(whole);
    expect(
      await eventsOf(
        exchange,
        cut(crlf, (bytes, index) => bytes[index - 1] === carriageReturn),
      ),
    ).toEqual(whole);
    expect(await eventsOf(exchange, [text.trimEnd()])).toEqual(whole);
  });

  const streamedResponses = exchanges().filter(
    ({ protocol, text }) => protocol === "responses" && wholeOf(text) !== undefined,
  );
  test.each(streamedResponses)("is the same streamed and whole: $name", async (exchange) => {
    const streamed = generationOf(await eventsOf(exchange, [exchange.text]));
    const text = JSON.stringify(wholeOf(exchange.text));
    const whole = generationOf(await eventsOf({ ...exchange, type: "application/json", text }, [text]));
    const { message, usage, finishReason, rawFinishReason } = whole;
    expect(streamed).toMatchObject({ message, usage, finishReason, rawFinishReason });
  });

  const stated = exchanges().filter(
    ({ protocol, type }) => protocol === "responses" && type === "application/json",
  );
  test.each(stated)("is sent back to its provider unchanged: $name", async (exchange) => {
    const { message } = generationOf(await eventsOf(exchange, [exchange.text]));
    // Some were recorded on a server that stores its items, without the content of the reasoning.
    const settings = { providerOptions: { store: true } };
    await Array.fromAsync(modelOf(exchange).stream({ messages: [message], settings }));
    const answer = JSON.parse(exchange.text) as { output: Record<string, unknown>[] };
    const input = server.received.at(-1)?.body["input"] as Record<string, unknown>[];
    const { length } = answer.output;
    expect(input.slice(0, length)).toEqual(answer.output.map(withoutLogprobs));
    // The repair of the history adds results for the calls of the answer.
    expect(input.slice(length).map(({ type }) => type)).toEqual(
      message.toolCalls.map(() => "function_call_output"),
    );
  });
});

interface ResponsesEvent {
  readonly type: string;
  readonly output_index?: number;
  readonly item?: object;
  readonly response?: { readonly output: readonly object[] };
}

/**
 * The whole answer at the end of a stream of the Responses API, if it is complete. Its items are those of their own `done` events,
 * since some servers encrypt reasoning again, or change its id, when they repeat it.
 */
function wholeOf(text: string): object | undefined {
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line): ResponsesEvent => JSON.parse(line.slice(6)));
  const response = events.findLast(({ type }) => type === "response.completed")?.response;
  const done = events.filter(({ type }) => type === "response.output_item.done");
  const output = done.toSorted((left, right) => (left.output_index ?? 0) - (right.output_index ?? 0));
  if (!response || output.length === 0 || output.length !== response.output.length) return undefined;
  return { ...response, output: output.map(({ item }) => item) };
}

/** Removes log probabilities, which are not sent back. */
function withoutLogprobs(item: Record<string, unknown>): Record<string, unknown> {
  const { content } = item;
  if (!Array.isArray(content) || item["type"] !== "message") return item;
  const parts = content as Record<string, unknown>[];
  const reduced = parts.map((part) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => key !== "logprobs")),
  );
  return { ...item, content: reduced };
}

/** The finish reason of the answer, read without the adapter. */
function expectedFinish({ text, protocol }: Exchange, generation: Generation): string {
  if (generation.toolCalls.length > 0) return "tool-calls";
  if (protocol === "responses")
    return /"status": ?"queued"/.test(text) && generation.text === "" ? "error" : "stop";
  return /"finish_reason": ?"length"/.test(text) ? "length" : "stop";
}
