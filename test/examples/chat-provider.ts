import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import type { JsonObject, Model } from "skein";
import { openai } from "skein/openai";

/** What the provider answers: text, or calls of tools. */
export type ProviderTurn = string | readonly { readonly tool: string; readonly arguments?: JsonObject }[];

/** A provider that speaks OpenAI's Chat Completions on this machine. */
export interface ChatProvider {
  /** As `OPENAI_BASE_URL` takes it. */
  readonly baseURL: string;
  /** Speaks with it. */
  readonly model: Model;
  /** The bodies of the requests so far. */
  readonly requests: readonly ChatCompletionCreateParamsStreaming[];
  close(): Promise<void>;
}

/**
 * Starts a provider on a free port of 127.0.0.1 that answers from a script, in the form of OpenAI's streams: text in pieces,
 * the arguments of calls in pieces, usage in a chunk of its own.
 */
export async function startProvider(turns: readonly ProviderTurn[]): Promise<ChatProvider> {
  const requests: ChatCompletionCreateParamsStreaming[] = [];
  const server = createServer(async (request, response) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests look at what was sent
    requests.push((await json(request)) as ChatCompletionCreateParamsStreaming);
    const turn = turns[requests.length - 1];
    if (request.url !== "/v1/chat/completions" || turn === undefined) {
      const message = `request ${requests.length} (${request.url}) is beyond the script`;
      return void response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message, type: "invalid_request_error" } }));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunksOf(turn, requests.length)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has one
  const { port } = server.address() as AddressInfo;
  const baseURL = `http://127.0.0.1:${port}/v1`;
  return {
    baseURL,
    model: openai("gpt-test", { baseURL, apiKey: "sk-test" }),
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Delta = ChatCompletionChunk.Choice["delta"];

function* chunksOf(turn: ProviderTurn, count: number): Generator<ChatCompletionChunk, void, undefined> {
  const base = {
    id: `chatcmpl-${count}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "gpt-test",
  } as const;
  const chunk = (delta: Delta, finish_reason: "stop" | "tool_calls" | null = null): ChatCompletionChunk => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  });
  yield chunk({ role: "assistant", content: typeof turn === "string" ? "" : null });
  if (typeof turn === "string")
    for (const piece of turn.match(/.{1,8}/gs) ?? []) yield chunk({ content: piece });
  else
    for (const [index, call] of turn.entries())
      yield* callDeltas(index, call, count).map((delta) => chunk(delta));
  yield chunk({}, typeof turn === "string" ? "stop" : "tool_calls");
  yield { ...base, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
}

function callDeltas(
  index: number,
  call: { readonly tool: string; readonly arguments?: JsonObject },
  count: number,
): readonly Delta[] {
  const id = `call_${count}_${index + 1}`;
  const first = { index, id, type: "function" as const, function: { name: call.tool, arguments: "" } };
  const pieces = JSON.stringify(call.arguments ?? {}).match(/.{1,8}/gs) ?? [];
  return [
    { tool_calls: [first] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** The names of the tools that a request offers, in order. */
export function toolNames({ tools = [] }: ChatCompletionCreateParamsStreaming): string[] {
  return tools.map((tool) => (tool.type === "function" ? tool.function.name : tool.type));
}

/** What a request tells the model: `[role, text]`, or `[role, "tool(arguments)", ...]` for calls. */
export function told({ messages }: ChatCompletionCreateParamsStreaming): string[][] {
  return messages.map((message) => {
    const calls =
      message.role === "assistant"
        ? (message.tool_calls ?? []).flatMap((call) =>
            call.type === "function" ? [`${call.function.name}(${call.function.arguments})`] : [],
          )
        : [];
    return [message.role, ...(typeof message.content === "string" ? [message.content] : []), ...calls];
  });
}
