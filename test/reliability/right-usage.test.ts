import { expect, test } from "vitest";
import { generate, type Usage } from "skein";
import { block, chatChunk, eventsOf, framed, messageStart, type WireEvent } from "../providers/answers.ts";
import { googleChunk } from "../providers/google-answers.ts";
import { serve, type Reply } from "../providers/local-server.ts";
import { modelOver, protocols, type Protocol } from "../providers/protocols.ts";
import { noting, resultOf, runOver } from "./kit.ts";

type Wire = Readonly<Record<string, unknown>>;

const usageOf: Readonly<Record<Protocol, Wire>> = {
  chat: {
    prompt_tokens: 100,
    completion_tokens: 42,
    total_tokens: 142,
    prompt_tokens_details: { cached_tokens: 60 },
  },
  responses: {
    input_tokens: 100,
    output_tokens: 42,
    total_tokens: 142,
    input_tokens_details: { cached_tokens: 60 },
  },
  messages: {
    input_tokens: 40,
    cache_read_input_tokens: 60,
    cache_creation_input_tokens: 0,
    output_tokens: 42,
  },
  google: {
    promptTokenCount: 100,
    candidatesTokenCount: 40,
    thoughtsTokenCount: 2,
    totalTokenCount: 142,
    cachedContentTokenCount: 60,
  },
};
const expected = { inputTokens: 100, outputTokens: 42, totalTokens: 142, cachedInputTokens: 60 };

/** An answer in one piece. */
function whole(protocol: Protocol, usage: Wire | undefined): Reply {
  const text = { type: protocol === "responses" ? "output_text" : "text", text: "Hi.", annotations: [] };
  const bodies: Readonly<Record<Protocol, Wire>> = {
    chat: {
      id: "c",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
    },
    responses: {
      id: "r",
      object: "response",
      status: "completed",
      output: [{ id: "m", type: "message", role: "assistant", status: "completed", content: [text] }],
    },
    messages: { id: "m", type: "message", role: "assistant", content: [text], stop_reason: "end_turn" },
    google: googleChunk("g", [{ text: "Hi." }], { finishReason: "STOP" }),
  };
  const field = protocol === "google" ? "usageMetadata" : "usage";
  return { type: "application/json", pieces: [JSON.stringify({ ...bodies[protocol], [field]: usage })] };
}

/** The same as a stream; Anthropic says again and again how many tokens there have been so far. */
function inPieces(protocol: Protocol, usage: Wire | undefined): Reply {
  if (protocol === "chat") {
    const events = [chatChunk("c", { content: "Hi." }), chatChunk("c", {}, "stop")];
    return { pieces: framed(protocol, [...events, { ...chatChunk("c", {}), choices: [], usage }]) };
  }
  if (protocol === "google") {
    const events = [
      {
        ...googleChunk("g", [{ text: "Hi." }]),
        usageMetadata: usage && { ...usage, candidatesTokenCount: 1 },
      },
      { ...googleChunk("g", [{ text: "" }], { finishReason: "STOP" }), usageMetadata: usage },
    ];
    return { pieces: framed(protocol, events) };
  }
  if (protocol === "responses") {
    const events = eventsOf(protocol, { id: "r", text: "Hi." }).map((event) => withUsage(event, usage));
    return { pieces: framed(protocol, events) };
  }
  const { message } = messageStart("m");
  const start = {
    type: "message_start",
    message: { ...Object(message), usage: usage && { ...usage, output_tokens: 1 } },
  };
  const soFar = (output_tokens: number, stop_reason: string | null): WireEvent => ({
    type: "message_delta",
    delta: { stop_reason },
    ...(usage && { usage: { output_tokens } }),
  });
  const events = [start, ...block(0, { type: "text", text: "Hi." }), soFar(20, null), soFar(42, "end_turn")];
  return { pieces: framed(protocol, [...events, { type: "message_stop" }]) };
}

function withUsage(event: WireEvent, usage: Wire | undefined): WireEvent {
  return "response" in event ? { ...event, response: { ...Object(event["response"]), usage } } : event;
}

async function usageFrom(protocol: Protocol, reply: Reply): Promise<Usage> {
  await using server = await serve(() => reply);
  const generation = await generate(modelOver(protocol, server), {
    messages: [{ role: "user", content: "Hello" }],
  });
  expect(generation.text).toBe("Hi.");
  return generation.usage;
}

test.each(protocols)(
  "streamed and whole answers cost the same, and nothing is counted twice: %s",
  async (protocol) => {
    for (const answer of [whole, inPieces])
      expect(await usageFrom(protocol, answer(protocol, usageOf[protocol]))).toMatchObject(expected);
  },
);

const partly: Readonly<Record<Protocol, Wire>> = {
  chat: { prompt_tokens: 100 },
  responses: { input_tokens: 100 },
  messages: { input_tokens: 100 },
  google: { promptTokenCount: 100 },
};

test.each(protocols)(
  "what is reported in part is known in part, and adds up to nothing: %s",
  async (protocol) => {
    const usage = await usageFrom(protocol, whole(protocol, partly[protocol]));
    expect(usage).toEqual({ inputTokens: 100, outputTokens: undefined, totalTokens: undefined });
  },
);

test.each(protocols)(
  "usage that is not reported is undefined, in the answer and in the run: %s",
  async (protocol) => {
    const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
    for (const answer of [whole, inPieces]) {
      expect(await usageFrom(protocol, answer(protocol, undefined))).toEqual(unknown);
      const { outcome } = await runOver(protocol, [answer(protocol, undefined)], [noting([], "look")]);
      expect(resultOf(outcome).usage).toEqual(unknown);
    }
  },
);
