/** What compatible servers send is read, goes back to them as it came, and what they fail with is a typed error. */
import { describe, expect, test } from "vitest";
import { ModelError, type AssistantMessage, type Generation, type Message, type Model } from "skein";
import { openai } from "skein/openai";
import type { ChatServer } from "./chat-servers/chat-server.ts";
import { azure } from "./chat-servers/azure.ts";
import { cerebras } from "./chat-servers/cerebras.ts";
import { deepSeek } from "./chat-servers/deepseek.ts";
import { groq } from "./chat-servers/groq.ts";
import { huggingFace } from "./chat-servers/hugging-face.ts";
import { mistral } from "./chat-servers/mistral.ts";
import { ollama } from "./chat-servers/ollama.ts";
import { openRouter } from "./chat-servers/openrouter.ts";
import { xai } from "./chat-servers/xai.ts";
import { serve, type LocalServer, type Reply } from "./local-server.ts";
import { problemsOf } from "./rules.ts";

const chatServers: Readonly<Record<string, ChatServer>> = {
  Groq: groq,
  DeepSeek: deepSeek,
  Mistral: mistral,
  OpenRouter: openRouter,
  Ollama: ollama,
  "Hugging Face": huggingFace,
  Cerebras: cerebras,
  Azure: azure,
  xAI: xai,
};

/** The adapter as a program makes it for that server; what it sends goes to this machine. */
function modelAt({ baseURL, modelId, provider }: ChatServer, { url }: LocalServer): Model {
  const fetch: typeof globalThis.fetch = (_, init) => globalThis.fetch(url, init);
  return openai(modelId, { baseURL, provider, apiKey: "a-key-for-tests", fetch });
}

async function ask(model: Model, messages: readonly Message[]): Promise<Generation> {
  const last = (await Array.fromAsync(model.stream({ messages }))).at(-1);
  if (last?.type !== "finish") throw new Error("the last event is not a finish event");
  return last.generation;
}

const hello: Message = { role: "user", content: "Which colour has a heron?" };

function answered({ toolCalls }: AssistantMessage): Message[] {
  return toolCalls.map(({ toolCallId, toolName }) => ({
    role: "tool",
    result: {
      toolCallId,
      toolName,
      content: [{ type: "text", text: "grey" }],
      isError: false,
      outcome: "success",
    },
  }));
}

/** The stream in pieces of seven bytes, which cut characters and lines. */
function torn(stream: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(stream);
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  );
}

function replyOf(status: number, body: unknown): Reply {
  if (status === 200 && typeof body === "string") return { pieces: [body] };
  return { status, type: "application/json", pieces: [JSON.stringify(body)] };
}

describe.each(Object.entries(chatServers))("%s", (_, chatServer) => {
  const { stream, said, replayed, errors } = chatServer;

  test("is read, however its stream is cut", async () => {
    const variants = [[stream], torn(stream), torn(stream.replaceAll("\n", "\r\n"))];
    await using server = await serve((index) => ({ pieces: variants[index] ?? [] }));
    const model = modelAt(chatServer, server);
    for (const _ of variants) expect(await ask(model, [hello])).toMatchObject(said);
  });

  test("gets its answer back as it came", async () => {
    await using server = await serve(() => ({ pieces: [stream] }));
    const model = modelAt(chatServer, server);
    const { message } = await ask(model, [hello]);
    const kept: AssistantMessage = JSON.parse(JSON.stringify(message));
    await ask(model, [hello, kept, ...answered(kept), { role: "user", content: "Really?" }]);
    const body = server.received.at(-1)?.body ?? {};
    expect(problemsOf("chat", body)).toEqual([]);
    expect(body["messages"]).toMatchObject([{ role: "user" }, {}, ...answered(kept).map(() => ({})), {}]);
    expect(Object(body["messages"])[1]).toEqual(replayed);
  });

  test.each(errors)("fails with a typed error: %s", async (_title, status, body, code, isRetryable) => {
    await using server = await serve(() => replyOf(status, body));
    const error: unknown = await ask(modelAt(chatServer, server), [hello]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, isRetryable, provider: chatServer.provider });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("a-key-for-tests");
  });
});
