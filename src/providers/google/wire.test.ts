import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { Generation, ModelEvent, ModelRequest } from "../../model/types.ts";
import { collect, generationOf } from "../kit/test-collect.ts";
import { splitStream, sendEvents, sendJson, serve } from "../kit/test-server.ts";
import { google } from "./model.ts";
import { buildRequest } from "./request.ts";

const root = fileURLToPath(new URL("../../../../shared/wire/google/", import.meta.url));
const isRecorded = existsSync(root);

type Fields = Readonly<Record<string, unknown>>;
type Part = Fields;

interface Stream {
  readonly name: string;
  readonly text: string;
  readonly chunks: readonly Fields[];
}

function streamOf(name: string, text: string): Stream {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return { name, text, chunks: lines.map((line): Fields => JSON.parse(line.slice(5))) };
}

function recordedStreams(): Stream[] {
  const files = isRecorded ? globSync("sse/*.sse", { cwd: root }).sort() : [];
  return files.map((file) => streamOf(basename(file), readFileSync(join(root, file), "utf8")));
}

function chunk(parts: readonly Part[], more: Fields = {}): Fields {
  const candidates = [{ content: { role: "model", parts }, index: 0, ...more }];
  const usageMetadata = {
    promptTokenCount: 9,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 5,
    totalTokenCount: 21,
    cachedContentTokenCount: 4,
  };
  return { candidates, usageMetadata, modelVersion: "gemini-3.8-flash", responseId: "r1" };
}

function framed(name: string, ...chunks: readonly Fields[]): Stream {
  return streamOf(name, chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(""));
}

const own: readonly Stream[] = [
  framed(
    "thoughts, text and calls, each with a signature",
    chunk([{ text: "Let me ", thought: true }]),
    chunk([{ text: "think. 🦢", thought: true }]),
    chunk([{ text: "I look.", thoughtSignature: "AAEC+/==" }]),
    chunk([
      { functionCall: { id: "a1", name: "look_up", args: { bird: "Grüße" } }, thoughtSignature: "AwQF" },
      { functionCall: { id: "a2", name: "look_up", args: {} } },
    ]),
    chunk([{ text: "" }], { finishReason: "STOP" }),
  ),
  framed(
    "a signature in an empty text at the end",
    chunk([{ text: "Heron" }]),
    chunk([{ text: "s fly." }]),
    chunk([{ text: "", thoughtSignature: "BgcI" }], { finishReason: "STOP" }),
  ),
  framed(
    "code that the API runs, and an image",
    chunk([{ executableCode: { language: "PYTHON", code: "print(1)" }, thoughtSignature: "CQoL" }]),
    chunk([{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } }]),
    chunk([{ inlineData: { mimeType: "image/png", data: "iVBORw0=" }, thoughtSignature: "DA0O" }]),
    chunk([{ text: "Done." }], { finishReason: "STOP" }),
  ),
];

const streams = [...own, ...recordedStreams()];

async function eventsOf(pieces: readonly (Uint8Array | string)[], modelId?: string): Promise<ModelEvent[]> {
  await using server = await serve((response) => sendEvents(response, pieces));
  return comparable(await collect(modelAt(server.baseURL, modelId).stream({ messages: [] })));
}

function modelAt(baseURL: string, modelId = "gemini-3.8-flash"): ReturnType<typeof google> {
  return google(modelId, { baseURL, apiKey: "k" });
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

function candidateOf(answer: Fields): Fields {
  const [candidate = {}] = Array.isArray(answer["candidates"]) ? answer["candidates"] : [];
  return candidate;
}

function partsOf(answer: Fields): Part[] {
  const content: Fields = Object(candidateOf(answer)["content"]);
  return Array.isArray(content["parts"]) ? content["parts"] : [];
}

/** Joins the parts of a stream into an answer: consecutive texts are joined unless they have other fields. */
function joinedParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isPlain = (each: Part | undefined): boolean =>
      each !== undefined && typeof each["text"] === "string" && !("thoughtSignature" in each);
    if (last && isPlain(last) && isPlain(part) && last["thought"] === part["thought"])
      joined[joined.length - 1] = { ...last, text: `${String(last["text"])}${String(part["text"])}` };
    else joined.push(part);
  }
  return joined.filter((part) => part["text"] !== "" || "thoughtSignature" in part);
}

/** The answer as the API returns it without streaming. */
function wholeOf(chunks: readonly Fields[]): Fields {
  const candidates = chunks.map(candidateOf);
  const last = chunks.at(-1) ?? {};
  const parts = joinedParts(chunks.flatMap(partsOf));
  return {
    ...last,
    candidates: [{ ...Object.assign({}, ...candidates), content: { role: "model", parts } }],
  };
}

/** The answer in the next request, without ids for calls that came without one. */
function nextModelParts({ message }: Generation, parts: readonly Part[], modelId: string): unknown {
  const results = message.toolCalls.map(({ toolCallId, toolName }): Message => ({
    role: "tool",
    result: { toolCallId, toolName, content: [], isError: false, outcome: "success" },
  }));
  const messages: ModelRequest["messages"] = [
    { role: "user", content: "go" },
    message,
    ...results,
    { role: "user", content: "on" },
  ];
  const { body } = buildRequest({ messages }, { provider: "google", modelId, isFirstParty: true });
  const contents: { role: string; parts: Part[] }[] = JSON.parse(JSON.stringify(body["contents"]));
  const sentParts = contents.filter(({ role }) => role === "model").flatMap((content) => content.parts);
  return sentParts.map((part, index) => {
    const call = part["functionCall"];
    const before: Fields = Object(joinedParts(parts)[index]?.["functionCall"]);
    if (call === undefined || "id" in before) return part;
    const { id: _, ...rest } = Object(call);
    return { ...part, functionCall: rest };
  });
}

function textIn(parts: readonly Part[]): string {
  return parts
    .flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? [text] : []))
    .join("");
}

function callsIn(parts: readonly Part[]): unknown[] {
  return parts.flatMap((part) => {
    const { name, args } = Object(part["functionCall"]);
    return name === undefined ? [] : [[name, args]];
  });
}

function parsedCalls({ toolCalls }: Generation): unknown[] {
  return toolCalls.map((call) => [call.toolName, JSON.parse(call.arguments)]);
}

describe.each(streams)("$name", ({ text, chunks }) => {
  test("gives the same events however the network splits it", { timeout: 60_000 }, async () => {
    const whole = await eventsOf([text]);
    for (const [how, pieces] of splitStream(text)) expect.soft(await eventsOf(pieces), how).toEqual(whole);
  });

  test("gives the text, calls and usage on the wire", async () => {
    const generation = generationOf(await eventsOf([text]));
    const parts = chunks.flatMap(partsOf);
    expect(generation.text).toBe(textIn(parts));
    expect(parsedCalls(generation)).toEqual(callsIn(parts));
    const last = chunks.at(-1) ?? {};
    expect(generation.rawFinishReason).toBe(candidateOf(last)["finishReason"]);
    const usage: Record<string, number> = Object(last["usageMetadata"]);
    expect(generation.usage.totalTokens).toBe(usage["totalTokenCount"]);
    expect((generation.usage.inputTokens ?? 0) + (generation.usage.outputTokens ?? 0)).toBe(
      usage["totalTokenCount"],
    );
  });

  test("is the same streamed and whole, as one object and as a list of chunks", async () => {
    const streamed = generationOf(await eventsOf([text]));
    for (const value of [wholeOf(chunks), chunks]) {
      await using server = await serve((response) => sendJson(response, 200, value));
      const events = comparable(await collect(modelAt(server.baseURL).stream({ messages: [] })));
      expect(generationOf(events)).toEqual(streamed);
    }
  });

  test("is sent back unchanged, part by part", async () => {
    const parts = chunks.flatMap(partsOf);
    const generation = generationOf(await eventsOf([text]));
    const modelId = String(chunks[0]?.["modelVersion"]);
    expect(nextModelParts(generation, parts, modelId)).toEqual(joinedParts(parts));
  });
});

test.skipIf(!isRecorded)(
  "there are recorded exchanges (all tests of them are skipped where they are absent)",
  () => {
    expect(recordedStreams().length).toBeGreaterThan(4);
  },
);

describe.skipIf(!isRecorded)("a recorded answer without streaming", () => {
  const files = isRecorded ? globSync("json/*.json", { cwd: root }).sort() : [];
  const answers = files.filter((file) => !/\.(?:request|[45]\d\d)\.json$/.test(file));
  const failures = files.filter((file) => /\.[45]\d\d\.json$/.test(file));

  test.each(answers.map((file) => [basename(file), file]))("%s is read like a stream", async (_, file) => {
    const answer: Fields = JSON.parse(readFileSync(join(root, file), "utf8"));
    await using server = await serve((response) => sendJson(response, 200, answer));
    const generation = generationOf(await collect(modelAt(server.baseURL).stream({ messages: [] })));
    const parts = partsOf(answer);
    const { finishReason, finishMessage } = candidateOf(answer);
    const { blockReason, blockReasonMessage }: Fields = Object(answer["promptFeedback"]);
    expect(generation.text).toBe(textIn(parts));
    expect(parsedCalls(generation)).toEqual(callsIn(parts));
    expect(generation.rawFinishReason).toBe(finishReason ?? blockReason);
    expect(generation.refusal).toBe(blockReasonMessage);
    const errorWarnings =
      generation.finishReason === "error"
        ? [`The answer ended with ${String(finishReason)}. ${String(finishMessage)}`]
        : [];
    const blockWarning = `The prompt was blocked (${String(blockReason)}). ${String(blockReasonMessage)}`;
    expect(generation.warnings).toEqual(blockReason === undefined ? errorWarnings : [blockWarning]);
    expect(generation.response).toMatchObject({ id: answer["responseId"], modelId: answer["modelVersion"] });
    const usage: Record<string, number> = Object(answer["usageMetadata"]);
    expect(generation.usage.totalTokens).toBe(usage["totalTokenCount"]);
    expect(generation.usage.cachedInputTokens).toBe(usage["cachedContentTokenCount"]);
    expect(generation.usage.reasoningTokens).toBe(usage["thoughtsTokenCount"]);
    expect(nextModelParts(generation, parts, String(answer["modelVersion"]))).toEqual(
      parts.length > 0 ? joinedParts(parts) : [],
    );
  });

  test.each(failures.map((file) => [basename(file), file]))("%s is a typed error", async (name, file) => {
    const status = Number(/\.([45]\d\d)\.json$/.exec(name)?.[1]);
    const body = JSON.parse(readFileSync(join(root, file), "utf8"));
    await using server = await serve((response) => sendJson(response, status, body));
    await expect(collect(modelAt(server.baseURL).stream({ messages: [] }))).rejects.toMatchObject({
      status,
      providerCode: body.error.status,
      providerMessage: body.error.message,
    });
  });
});
