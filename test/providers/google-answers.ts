import type { Answer, AnswerCall, WireEvent } from "./answer-types.ts";

/** What Gemini signs an answer's thoughts with. */
export function thoughtSignature(id: string): string {
  return `CiQB${id}+thought/signature==`;
}

function inPieces(text: string): string[] {
  return text.match(/[^]{1,5}/g) ?? [];
}

/** Gemini's stream (https://ai.google.dev/api/generate-content). It signs a thought in the first call that follows it, else at the end. */
export function googleEvents({ id, reasoning = "", text = "", calls = [], finish }: Answer): WireEvent[] {
  const signed = reasoning ? { thoughtSignature: thoughtSignature(id) } : {};
  const chunks = [
    ...inPieces(reasoning).map((piece) => ({ text: piece, thought: true })),
    ...inPieces(text).map((piece) => ({ text: piece })),
    ...calls.map((call, index) => ({ ...functionCall(call), ...(index === 0 && signed) })),
  ];
  const last = { text: "", ...(calls.length === 0 && signed) };
  const usageMetadata = {
    promptTokenCount: 9,
    candidatesTokenCount: 2,
    thoughtsTokenCount: 1,
    cachedContentTokenCount: 4,
    totalTokenCount: 12,
  };
  const chunk = (part: object, end: object): WireEvent => ({
    ...googleChunk(id, [part], end),
    usageMetadata,
  });
  const finishReason = finish === "length" ? "MAX_TOKENS" : "STOP";
  return [...chunks.map((part) => chunk(part, {})), chunk(last, { finishReason })];
}

function functionCall({ id, name, arguments: input }: AnswerCall): object {
  return { functionCall: { id, name, args: parsed(input) } };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    // This wire has no place for broken arguments.
    return {};
  }
}

/** One chunk of an answer. */
export function googleChunk(id: string, parts: readonly object[], end: object = {}): WireEvent {
  const candidates = [{ content: { role: "model", parts }, index: 0, ...end }];
  return { candidates, modelVersion: "m", responseId: `resp_${id}` };
}
