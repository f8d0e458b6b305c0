/** One exchange of Chat Completions, told in chunks and told at once: the same answer. */
import { describe, expect, test } from "vitest";
import type { Generation, JsonObject } from "skein";
import { serve, type Reply } from "./local-server.ts";
import { modelOver } from "./protocols.ts";
import { areRecordingsHere, noRecordings, recordings, type Recording } from "./recordings.ts";

if (!areRecordingsHere) console.info(noRecordings);
const all = recordings("chat");

/** What of an answer does not depend on how it was told. */
type Told = Pick<Generation, "message" | "text" | "toolCalls" | "usage" | "finishReason" | "rawFinishReason">;

async function answerOf(reply: Reply): Promise<Told> {
  await using server = await serve(() => reply);
  const model = modelOver("chat", server);
  const last = (await Array.fromAsync(model.stream({ messages: [{ role: "user", content: "Hello" }] }))).at(
    -1,
  );
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  const { message, text, toolCalls, usage, finishReason, rawFinishReason } = last.generation;
  return { message, text, toolCalls, usage, finishReason, rawFinishReason };
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function joined(left: unknown, right: unknown): unknown {
  return typeof left === "string" && typeof right === "string" ? left + right : (right ?? left);
}

/** The fields of reasoning details that come in pieces. */
const grown: ReadonlySet<string> = new Set(["text", "summary", "data"]);

/** The message that pieces make, put together by another way than the adapter's. */
class Assembled {
  readonly #message: Record<string, unknown> = {};
  readonly #calls: Record<string, unknown>[] = [];
  readonly #details: Record<string, unknown>[] = [];
  #contents: unknown[] | undefined;

  add({ tool_calls: calls, reasoning_details: details, content, ...rest }: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(rest))
      this.#message[key] = key === "role" ? value : joined(this.#message[key], value);
    if (Array.isArray(content)) this.#contents = [...(this.#contents ?? []), ...content];
    else if (this.#contents && content) this.#contents.push({ type: "text", text: content });
    else this.#message["content"] = joined(this.#message["content"], content);
    for (const call of list(calls)) this.#addCall(call);
    for (const detail of list(details)) this.#addDetail(detail);
  }

  #addCall({ index, ...call }: Record<string, unknown>): void {
    const place = typeof index === "number" ? index : this.#calls.length;
    const before = object(this.#calls[place]);
    const [called, piece] = [object(before["function"]), object(call["function"])];
    this.#calls[place] = {
      ...before,
      ...call,
      id: before["id"] ?? call["id"],
      function: { ...called, ...piece, arguments: joined(called["arguments"], piece["arguments"]) },
    };
  }

  #addDetail(detail: Record<string, unknown>): void {
    const last = this.#details.at(-1);
    if (!last || last["type"] !== detail["type"] || last["index"] !== detail["index"]) {
      this.#details.push({ ...detail });
      return;
    }
    for (const [key, value] of Object.entries(detail))
      if (value !== null && value !== "") last[key] = grown.has(key) ? joined(last[key], value) : value;
  }

  get message(): object {
    return {
      ...this.#message,
      ...(this.#contents && { content: this.#contents }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
    };
  }
}

/** A stream's answer as the server would tell it at once. */
function wholeOf(stream: string): object {
  const assembled = new Assembled();
  const completion: Record<string, unknown> = {};
  let reason: unknown = null;
  for (const line of stream.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const { choices, ...chunk } = object(JSON.parse(line.slice(6)));
    for (const [key, value] of Object.entries(chunk)) completion[key] = value ?? completion[key];
    for (const choice of list(choices)) {
      assembled.add(object(choice["delta"]));
      reason = choice["finish_reason"] ?? reason;
    }
  }
  return { ...completion, choices: [{ index: 0, message: assembled.message, finish_reason: reason }] };
}

/** An answer that was told at once, in chunks: one for each thing that it says. */
function chunksOf(text: string): string[] {
  const { choices, usage, ...completion } = object(JSON.parse(text));
  const [choice = {}] = list(choices);
  const { reasoning, reasoning_content, reasoning_details, content, tool_calls, ...message } = object(
    choice["message"],
  );
  const thoughts = { reasoning, reasoning_content, reasoning_details };
  const deltas = [
    message,
    thoughts,
    ...(Array.isArray(content) ? content.map((part: JsonObject) => ({ content: [part] })) : [{ content }]),
    ...list(tool_calls).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
  ];
  const chunks = deltas.map((delta) => ({ ...completion, choices: [{ index: 0, delta }] }));
  const end = { ...completion, choices: [{ index: 0, delta: {}, finish_reason: choice["finish_reason"] }] };
  const data = [...chunks, end, { ...completion, choices: [], usage }].map((chunk) => JSON.stringify(chunk));
  return [...data, "[DONE]"].map((line) => `data: ${line}\n\n`);
}

const streams = all.filter(({ name }) => !name.endsWith(".json"));
const wholes = all.filter(({ name }) => name.endsWith(".json"));

describe.skipIf(!areRecordingsHere)("an answer is the same streamed and whole", () => {
  test.each(streams)("$name, put together", async ({ reply, text }: Recording) => {
    const pieces = [JSON.stringify(wholeOf(text))];
    expect(await answerOf({ type: "application/json", pieces })).toEqual(await answerOf(reply));
  });

  test.each(wholes)("$name, taken apart", async ({ reply, text }: Recording) => {
    expect(await answerOf({ pieces: chunksOf(text) })).toEqual(await answerOf(reply));
  });

  test("there are both, of several servers", () => {
    expect(streams.length).toBeGreaterThan(10);
    expect(wholes.length).toBeGreaterThan(20);
  });
});
