import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Generation, ModelEvent } from "../../model/types.ts";
import {
  callByCode,
  compacted,
  documentCitations,
  pausedCode,
  searchWithCitations,
  thinkingAndCalls,
  type WireEvent,
} from "./fixtures/answers.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { splitStream, frame, sendEvents, sendJson, serve } from "../kit/test-server.ts";
import { anthropic } from "./model.ts";
import { buildRequest } from "./request.ts";

const root = fileURLToPath(new URL("../../../../shared/wire/", import.meta.url));

interface Recorded {
  readonly name: string;
  readonly stream: string;
  readonly events: readonly WireEvent[];
}

function recordedStreams(): Recorded[] {
  const files = globSync("{messages/sse/*/*.sse,events/messages/*.chunks.txt}", { cwd: root }).sort();
  // Two answers in one stream are an error: `spliced-answers.test.ts`.
  const single = files.filter((file) => !file.includes("spliced-message-start"));
  return single.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const isFramed = file.endsWith(".sse");
    const lines = text
      .split("\n")
      .filter((line) => (isFramed ? line.startsWith("data:") : line.trim() !== ""));
    const events = lines.map((line): WireEvent => JSON.parse(isFramed ? line.slice(5) : line));
    return { name: basename(file), stream: isFramed ? text : frame(events), events };
  });
}

const own: Recorded[] = Object.entries({
  "thinking and calls": thinkingAndCalls,
  "search with citations": searchWithCitations,
  "citations of documents": documentCitations,
  "code that is not done": pausedCode,
  "a call by code": callByCode,
  "a compaction": compacted,
}).map(([name, events]) => ({ name, stream: frame(events), events }));

async function eventsOf(pieces: readonly (Uint8Array | string)[]): Promise<ModelEvent[]> {
  await using server = await serve((response) => sendEvents(response, pieces));
  const model = anthropic("claude-sonnet-4-6", { baseURL: server.baseURL, apiKey: "k" });
  return comparable(await collect(model.stream({ messages: [] })));
}

/** The events without the fields that differ between exchanges. */
function comparable(events: readonly ModelEvent[]): ModelEvent[] {
  const timing = { firstTokenMs: undefined, totalMs: 0, tokensPerSecond: undefined };
  return events.map((event) => {
    if (event.type !== "finish") return event;
    const { response } = event.generation;
    return { ...event, generation: { ...event.generation, timing, response: { ...response, headers: {} } } };
  });
}

type Block = Record<string, unknown>;

/** The blocks of the final answer, assembled without the adapter. */
function blocksOn(events: readonly WireEvent[]): Block[] {
  const stop = events.findIndex(({ type }) => type === "message_stop");
  const begin = events.slice(0, stop).findLastIndex(({ type }) => type === "message_start");
  const blocks: Block[] = [];
  const json: string[] = [];
  for (const event of events.slice(begin, stop)) {
    const index = Number(event["index"]);
    if (event.type === "content_block_start")
      blocks[index] = structuredClone(event["content_block"]) as Block;
    if (event.type !== "content_block_delta") continue;
    const delta = event["delta"] as Record<string, string>;
    const block = blocks[index] ?? {};
    if (delta["type"] === "input_json_delta") json[index] = (json[index] ?? "") + delta["partial_json"];
    if (delta["type"] === "text_delta") block["text"] += delta["text"] ?? "";
    if (delta["type"] === "thinking_delta") block["thinking"] += delta["thinking"] ?? "";
    if (delta["type"] === "signature_delta") block["signature"] = delta["signature"];
    if (delta["type"] === "compaction_delta") {
      block["content"] = delta["content"];
      block["encrypted_content"] = delta["encrypted_content"];
    }
    if (delta["type"] === "citations_delta") {
      block["citations"] = [...((block["citations"] as unknown[] | undefined) ?? []), delta["citation"]];
    }
  }
  for (const [index, text] of json.entries())
    if (text) blocks[index] = { ...blocks[index], input: JSON.parse(text) };
  return blocks;
}

/** The output tokens of compactions, which the API does not include in its totals. */
function tokensOfCompactions(end: WireEvent | undefined): number {
  const usage = end?.["usage"] as { iterations?: { type: string; output_tokens: number }[] } | undefined;
  const compactions = usage?.iterations?.filter(({ type }) => type === "compaction") ?? [];
  return compactions.reduce((sum, { output_tokens }) => sum + output_tokens, 0);
}

/** The answer as the API returns it without streaming. */
function wholeOf(events: readonly WireEvent[]): object {
  const stop = events.findIndex(({ type }) => type === "message_stop");
  const start = events.slice(0, stop).findLast(({ type }) => type === "message_start");
  const end = events.slice(0, stop).findLast(({ type }) => type === "message_delta");
  const message = start?.["message"] as Record<string, object>;
  const usage = { ...message["usage"], ...(end?.["usage"] as object) };
  return { ...message, ...(end?.["delta"] as object), content: blocksOn(events), usage };
}

/** The message with parsed arguments, which are objects in a whole answer. */
function parsed({ message }: Generation): unknown {
  const toolCalls = message.toolCalls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) }));
  return { ...message, toolCalls };
}

/** The blocks as the next request must have them: the API refuses blank text, and empty citations are left out. */
function replayable(blocks: readonly Block[]): Block[] {
  return blocks
    .filter((block) => block["type"] !== "text" || String(block["text"]).trim() !== "")
    .map(({ citations, ...block }) =>
      Array.isArray(citations) && citations.length > 0 ? { ...block, citations } : block,
    );
}

function nextAssistantBlocks({ message }: Generation): unknown {
  const target = { provider: "anthropic", modelId: "claude-sonnet-4-6", isFirstParty: true };
  const results = message.toolCalls.map(({ toolCallId, toolName }) => ({
    role: "tool" as const,
    result: { toolCallId, toolName, content: [], isError: false, outcome: "success" as const },
  }));
  const messages = [{ role: "user" as const, content: "go" }, message, ...results];
  const { body } = buildRequest({ messages: [...messages, { role: "user", content: "on" }] }, target);
  return (JSON.parse(JSON.stringify(body["messages"])) as { content: unknown }[])[1]?.content;
}

function describeStreams(recorded: readonly Recorded[]): void {
  describe.each(recorded)("$name", ({ stream, events }) => {
    test("gives the same events however the network splits it", { timeout: 60_000 }, async () => {
      const whole = await eventsOf([stream]);
      for (const [how, pieces] of splitStream(stream)) {
        expect.soft(await eventsOf(pieces), how).toEqual(whole);
      }
    });

    test("gives the text, calls and usage on the wire", async () => {
      const generation = generationOf(await eventsOf([stream]));
      const blocks = blocksOn(events);
      const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => text);
      expect(generation.text).toBe(texts.join(""));
      const calls = blocks.filter(({ type }) => type === "tool_use");
      expect(
        generation.toolCalls.map((call) => [call.toolCallId, call.toolName, JSON.parse(call.arguments)]),
      ).toEqual(calls.map(({ id, name, input }) => [id, name, input]));
      const end = events.find(({ type }) => type === "message_delta");
      expect(end).toMatchObject({
        delta: { stop_reason: generation.rawFinishReason },
        usage: { output_tokens: (generation.usage.outputTokens ?? 0) - tokensOfCompactions(end) },
      });
    });

    test("is the same streamed and whole", async () => {
      const streamed = generationOf(await eventsOf([stream]));
      await using server = await serve((response) => sendJson(response, 200, wholeOf(events)));
      const model = anthropic("claude-sonnet-4-6", { baseURL: server.baseURL, apiKey: "k" });
      const whole = generationOf(await collect(model.stream({ messages: [] })));
      expect(parsed(whole)).toEqual(parsed(streamed));
      expect(whole.usage).toEqual(streamed.usage);
      expect(whole.rawFinishReason).toBe(streamed.rawFinishReason);
      expect(whole.finishReason).toBe(streamed.finishReason);
    });

    test("is sent back unchanged, block by block", async () => {
      const generation = generationOf(await eventsOf([stream]));
      expect(nextAssistantBlocks(generation)).toEqual(replayable(blocksOn(events)));
    });
  });
}

describe("a stream", () => {
  describeStreams(own);
});

const isRecorded = existsSync(root);

test.skipIf(!isRecorded)(
  "there are recorded exchanges (all tests of them are skipped where they are absent)",
  () => {
    expect(recordedStreams().length).toBeGreaterThan(10);
  },
);

describe.skipIf(!isRecorded)("a recorded stream", () => {
  describeStreams(isRecorded ? recordedStreams() : []);
});

describe.skipIf(!isRecorded)("a recorded answer without streaming", () => {
  const pattern = "{messages/json/*/*.json,events/messages/*.json}";
  const files = isRecorded ? globSync(pattern, { cwd: root, exclude: ["**/*.request.json"] }).sort() : [];

  test.each(files.map((file) => [basename(file), file]))("%s is read like a stream", async (_, file) => {
    const message = JSON.parse(readFileSync(join(root, file), "utf8"));
    await using server = await serve((response) => sendJson(response, 200, message));
    const model = anthropic("claude-sonnet-4-6", { baseURL: server.baseURL, apiKey: "k" });
    const generation = generationOf(await collect(model.stream({ messages: [] })));
    expect(nextAssistantBlocks(generation)).toEqual(replayable(message.content));
    expect(generation.rawFinishReason).toBe(message.stop_reason);
    expect(generation.response).toMatchObject({ id: message.id, modelId: message.model });
    expect(generation.usage.outputTokens).toBe(message.usage.output_tokens);
  });
});
