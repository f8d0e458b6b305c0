import { eventsOf, framed, type Answer, type WireEvent } from "./answers.ts";
import { thoughtSignature } from "./google-answers.ts";
import type { Protocol } from "./protocols.ts";

/** A wire format: Skein's own, and one that it speaks through the AI SDK only. */
export type Wire = Protocol | "mistral";

/** A whole answer as a stream, one event a piece. */
export function piecesOf(wire: Wire, answer: Answer): string[] {
  if (wire === "mistral") return [...mistralEvents(answer).map(dataLine), "data: [DONE]\n\n"];
  return framed(wire, eventsOf(wire, answer));
}

/** What of an answer's reasoning has to be in every later request to the provider that wrote it. */
export function sealsOf(wire: Wire, { id, reasoning = "" }: Answer): string[] {
  if (reasoning === "") return [];
  if (wire === "chat") return [`"reasoning_content":${JSON.stringify(reasoning)}`];
  if (wire === "responses") return [`gAAAAABo${id}+encrypted/reasoning==`];
  if (wire === "messages") return [`EqkE${id}+signed/thinking==`, `EmwK${id}+redacted/thinking==`];
  if (wire === "mistral") return [JSON.stringify(reasoning)];
  return [thoughtSignature(id)];
}

/** How a provider says that it has had too many requests. */
export function rateLimited(wire: Wire): string {
  const message = "Too many requests for now.";
  if (wire === "google")
    return JSON.stringify({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } });
  if (wire === "mistral")
    return JSON.stringify({ object: "error", message, type: "rate_limited", code: "1300" });
  const error = {
    type: "rate_limit_error",
    message,
    ...(wire !== "messages" && { code: null, param: null }),
  };
  return JSON.stringify(wire === "messages" ? { type: "error", error } : { error });
}

function dataLine(event: WireEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function inPieces(text: string): string[] {
  return text.match(/[^]{1,5}/g) ?? [];
}

/** Mistral's stream (https://docs.mistral.ai/api/endpoint/chat): thoughts are parts of the content, calls come whole. */
function mistralEvents({ id, reasoning = "", text = "", calls = [], finish }: Answer): WireEvent[] {
  const chunk = (delta: object, finishReason: string | null = null, extra: object = {}): WireEvent => {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    return { id: `cmpl-${id}`, object: "chat.completion.chunk", created: 1, model: "m", choices, ...extra };
  };
  const thoughts = inPieces(reasoning).map((piece) => {
    return { content: [{ type: "thinking", thinking: [{ type: "text", text: piece }] }] };
  });
  const toolCalls = calls.map((call, index) => ({
    id: call.id,
    index,
    function: { name: call.name, arguments: call.arguments },
  }));
  const reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  return [
    chunk({ role: "assistant", content: "" }),
    ...thoughts.map((delta) => chunk(delta)),
    ...inPieces(text).map((content) => chunk({ content })),
    ...(toolCalls.length > 0 ? [chunk({ content: "", tool_calls: toolCalls })] : []),
    chunk({ content: "" }, reason, { usage }),
  ];
}
