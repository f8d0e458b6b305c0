import { InvalidRequestError, MalformedResponseError, NetworkError, OverloadedError } from "skein";
import type { AssistantMessage, Model, ToolCall } from "skein";
import { readLines, toSaid } from "./protocol.ts";

const names = { provider: "lines", modelId: "lines-1" };

/** What the protocol does not tell. */
const unknown = {
  usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
  response: { id: undefined, modelId: names.modelId, headers: {} },
  warnings: [],
};

/** A model written by hand: `stream` is all there is to it. It speaks the protocol of `protocol.ts`. */
export function linesModel(url: string, fetch: typeof globalThis.fetch = globalThis.fetch): Model {
  return {
    ...names,
    async *stream({ instructions = "", messages, tools = [], signal }) {
      const began = performance.now();
      const broken = (cause: unknown): never => {
        signal?.throwIfAborted();
        throw new NetworkError(`${url} cannot be reached, or stopped during its answer.`, {
          ...names,
          cause,
        });
      };
      const body = JSON.stringify({ system: instructions, said: messages.map(toSaid), tools });
      const response = await fetch(url, { method: "POST", body, signal: signal ?? null }).catch(broken);
      const { ok, status, headers } = response;
      const retryAfter = Number(headers.get("retry-after")) * 1000 || undefined;
      const refusal = { ...names, status, retryAfter };
      if (status === 429 || status >= 500) throw new OverloadedError(`${url} is busy.`, refusal);
      if (!ok) throw new InvalidRequestError(`${url} answered ${status}.`, refusal);
      const toolCalls: ToolCall[] = [];
      let text = "";
      for await (const line of readLines(response.body, broken)) {
        signal?.throwIfAborted();
        if (line === undefined) throw new MalformedResponseError(`${url} sent no line.`, names);
        if ("text" in line) {
          text += line.text;
          yield { type: "text-delta", text: line.text };
        } else if ("call" in line) {
          toolCalls.push(line.call);
          yield { type: "tool-call", toolCall: line.call };
        } else {
          const calls = toolCalls.map(({ toolCallId }) => ({ type: "tool-call" as const, toolCallId }));
          const content = text === "" ? calls : [{ type: "text" as const, text }, ...calls];
          const message: AssistantMessage = { role: "assistant", content, toolCalls };
          const finishReason = calls.length > 0 ? "tool-calls" : "stop";
          const totalMs = performance.now() - began;
          const timing = { firstTokenMs: undefined, totalMs, tokensPerSecond: undefined };
          const told = { text, message, toolCalls, finishReason, rawFinishReason: line.end, timing } as const;
          return yield { type: "finish", generation: { ...unknown, ...told } };
        }
      }
      throw new MalformedResponseError(`The answer of ${url} has no end.`, names);
    },
  };
}
