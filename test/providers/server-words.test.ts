/** Where servers differ: what each is sent when everything is asked for, and what it is not sent is a warning. */
import { describe, expect, test } from "vitest";
import type { Model, ModelRequest } from "skein";
import { anthropic } from "skein/anthropic";
import { openai } from "skein/openai";
import { streamed } from "./answers.ts";
import { serve } from "./local-server.ts";
import type { Protocol } from "./protocols.ts";

type Fetch = typeof globalThis.fetch;

interface Case {
  readonly name: string;
  readonly protocol: Protocol;
  readonly model: (fetch: Fetch) => Model;
  /** What of the request the server does not know. */
  readonly lacks: readonly string[];
}

const apiKey = "a-key-for-tests";

function chat(
  name: string,
  modelId: string,
  baseURL: string | undefined,
  lacks: readonly string[],
  provider?: string,
): Case {
  const model = (fetch: Fetch): Model => openai(modelId, { apiKey, baseURL, provider, fetch });
  return { name: `${name}, ${modelId}`, protocol: "chat", model, lacks };
}

function responses(modelId: string, lacks: readonly string[]): Case {
  const model = (fetch: Fetch): Model => openai.responses(modelId, { apiKey, fetch });
  return { name: `OpenAI's Responses, ${modelId}`, protocol: "responses", model, lacks };
}

function messages(modelId: string, lacks: readonly string[]): Case {
  const model = (fetch: Fetch): Model => anthropic(modelId, { apiKey, fetch });
  return { name: `Anthropic, ${modelId}`, protocol: "messages", model, lacks };
}

const sampling = ["temperature", "topP", "presencePenalty", "frequencyPenalty", "logprobs", "topLogprobs"];
const unknownToMessages = ["seed", "presencePenalty", "frequencyPenalty", "logprobs", "topLogprobs"];
const unknownToResponses = ["stopSequences", "seed", "presencePenalty", "frequencyPenalty"];

const cases: readonly Case[] = [
  chat("OpenAI", "gpt-5.2", undefined, []),
  chat("OpenAI", "gpt-4.1", undefined, ["reasoningEffort"]),
  chat("OpenAI", "o4-mini", undefined, sampling),
  chat("OpenAI", "gpt-5-mini", undefined, sampling),
  chat("Azure", "gpt-4.1", "https://acme.openai.azure.com/openai/v1", []),
  chat("Groq", "openai/gpt-oss-120b", "https://api.groq.com/openai/v1", ["logprobs", "topLogprobs"]),
  chat("DeepSeek", "deepseek-v4-flash", "https://api.deepseek.com", ["seed", "parallelToolCalls"]),
  chat("Mistral", "mistral-large-latest", "https://api.mistral.ai/v1", ["logprobs", "topLogprobs"]),
  chat("OpenRouter", "openai/gpt-5.2", "https://openrouter.ai/api/v1", []),
  chat("Ollama", "qwen3:8b", "http://localhost:11434/v1", ["toolChoice", "parallelToolCalls"], "ollama"),
  chat("Hugging Face", "Qwen/Qwen3-32B", "https://router.huggingface.co/v1", []),
  chat("Cerebras", "gpt-oss-120b", "https://api.cerebras.ai/v1", ["presencePenalty", "frequencyPenalty"]),
  chat("xAI", "grok-4", "https://api.x.ai/v1", ["presencePenalty", "frequencyPenalty", "stopSequences"]),
  chat("xAI", "grok-4-fast-non-reasoning", "https://api.x.ai/v1", []),
  responses("gpt-5.2", unknownToResponses),
  responses("gpt-4.1", [...unknownToResponses, "reasoningEffort"]),
  responses("o4-mini", [...sampling, "stopSequences", "seed"]),
  messages("claude-sonnet-4-6", [...unknownToMessages, "temperature", "topP", "toolChoice"]),
  messages("claude-opus-5-5", [...unknownToMessages, "temperature", "topP", "toolChoice"]),
];

const lookUp = {
  name: "look_up",
  description: "Look up the code of a bird",
  inputSchema: { type: "object", properties: { bird: { type: "string" } }, required: ["bird"] },
} as const;

const everything: ModelRequest = {
  instructions: "Be brief.",
  messages: [{ role: "user", content: "Hello" }],
  tools: [lookUp],
  toolChoice: { tool: "look_up" },
  parallelToolCalls: false,
  settings: {
    temperature: 0.5,
    topP: 0.9,
    maxOutputTokens: 4000,
    stopSequences: ["END"],
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    reasoningEffort: "high",
    logprobs: true,
    topLogprobs: 2,
  },
};

const names = [...Object.keys(everything.settings ?? {}), "toolChoice", "parallelToolCalls"];

interface Sent {
  readonly text: string;
  readonly warnings: readonly string[];
}

async function sent({ protocol, model }: Case, request: ModelRequest): Promise<Sent> {
  await using server = await serve(() => streamed(protocol, { id: "next", text: "Fine." }));
  const fetch: Fetch = (_, init) => globalThis.fetch(server.url, init);
  const last = (await Array.fromAsync(model(fetch).stream(request))).at(-1);
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  return { text: server.received[0]?.text ?? "", warnings: last.generation.warnings };
}

describe.each(cases)("$name", (one) => {
  test("is warned of exactly what it is not sent", async () => {
    const { warnings } = await sent(one, everything);
    const named = names.filter((name) =>
      warnings.some((warning) => new RegExp(`\\b${name}\\b`).test(warning)),
    );
    expect(named.toSorted()).toEqual([...one.lacks].toSorted());
  });

  test("gets no warning without unsupported settings", async () => {
    const { messages, instructions = "" } = everything;
    expect((await sent(one, { messages, instructions })).warnings).toEqual([]);
  });
});

test("sends DeepSeek its own setting for no thinking", async () => {
  const request: ModelRequest = { ...everything, settings: { reasoningEffort: "none" } };
  const deepSeek = cases.filter(({ name }) => name.startsWith("DeepSeek"));
  for (const one of deepSeek) {
    const body = JSON.parse((await sent(one, request)).text);
    expect(body).toMatchObject({ thinking: { type: "disabled" } });
    expect(body).not.toHaveProperty("reasoning_effort");
  }
  expect(deepSeek).toHaveLength(1);
});

test("each server is sent the bytes in golden/servers.txt", async () => {
  const lines: string[] = [];
  for (const one of cases) {
    const { text, warnings } = await sent(one, everything);
    lines.push(`# ${one.name}`, text, ...warnings.map((warning) => `! ${warning}`), "");
  }
  await expect(lines.join("\n")).toMatchFileSnapshot("golden/servers.txt");
});
