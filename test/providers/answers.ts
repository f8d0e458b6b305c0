import type { Answer, AnswerCall, WireEvent } from "./answer-types.ts";
import { googleEvents, thoughtSignature } from "./google-answers.ts";
import type { Protocol } from "./protocols.ts";

export type { Answer, AnswerCall, WireEvent } from "./answer-types.ts";

/** The events in which a server tells an answer, arguments in pieces of five characters. */
export function eventsOf(protocol: Protocol, answer: Answer): WireEvent[] {
  if (protocol === "chat") return chatEvents(answer);
  if (protocol === "google") return googleEvents(answer);
  return protocol === "responses" ? responsesEvents(answer) : messagesEvents(answer);
}

/** Events as the protocol frames them, one piece each; with the `[DONE]` that ends a chat. */
export function framed(protocol: Protocol, events: readonly WireEvent[]): string[] {
  const pieces = events.map((event) => {
    const data = `data: ${JSON.stringify(event)}\n\n`;
    return protocol === "chat" || protocol === "google" ? data : `event: ${String(event["type"])}\n${data}`;
  });
  return protocol === "chat" ? [...pieces, "data: [DONE]\n\n"] : pieces;
}

/** A whole answer as a stream. */
export function streamed(protocol: Protocol, answer: Answer): { readonly pieces: readonly string[] } {
  return { pieces: framed(protocol, eventsOf(protocol, answer)) };
}

/** The sealed form of an answer's reasoning, which only its provider can read. */
export function sealed(protocol: Protocol, { id, reasoning = "" }: Answer): string[] {
  if (protocol === "chat") return [`"reasoning_content":${JSON.stringify(reasoning)}`];
  if (protocol === "responses") return [JSON.stringify(reasoningItem(id, reasoning))];
  if (protocol === "google") return reasoning === "" ? [] : [thoughtSignature(id)];
  return [JSON.stringify(thinkingBlock(id, reasoning)), JSON.stringify(redactedBlock(id))];
}

function inPieces(text: string): string[] {
  return text.match(/[^]{1,5}/g) ?? [];
}

function chatEvents({ id, reasoning = "", text = "", calls = [], finish }: Answer): WireEvent[] {
  const deltas = [
    { role: "assistant", content: "" },
    ...inPieces(reasoning).map((piece) => ({ reasoning_content: piece })),
    ...inPieces(text).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) => chatCall(call, index)),
  ];
  const reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return [...deltas.map((delta) => chatChunk(id, delta)), ...chatEnd(id, reason)];
}

function chatCall({ id, name, arguments: input }: AnswerCall, index: number): WireEvent[] {
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
    ...inPieces(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** One chunk of a chat. */
export function chatChunk(id: string, delta: object, finishReason: string | null = null): WireEvent {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 1, model: "m", choices };
}

/** The last chunks of a chat. */
export function chatEnd(id: string, reason: string): WireEvent[] {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  return [chatChunk(id, {}, reason), { ...chatChunk(id, {}), choices: [], usage }];
}

function reasoningItem(id: string, reasoning: string): WireEvent {
  const summary = [{ type: "summary_text", text: reasoning }];
  return {
    id: `rs_${id}`,
    type: "reasoning",
    summary,
    encrypted_content: `gAAAAABo${id}+encrypted/reasoning==`,
  };
}

function responsesEvents(answer: Answer): WireEvent[] {
  const { id, reasoning = "", text = "", calls = [], finish } = answer;
  const output: WireEvent[] = [];
  const events: WireEvent[] = [];
  const add = (opened: WireEvent, done: WireEvent, between: readonly WireEvent[]): void => {
    const output_index = output.length;
    events.push({ type: "response.output_item.added", output_index, item: opened });
    events.push(...between.map((event) => ({ ...event, output_index, item_id: done["id"] })));
    events.push({ type: "response.output_item.done", output_index, item: done });
    output.push(done);
  };
  if (reasoning) {
    const done = reasoningItem(id, reasoning);
    const type = "response.reasoning_summary_text.delta";
    add({ ...done, summary: [], encrypted_content: "" }, done, [
      {
        type: "response.reasoning_summary_part.added",
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      },
      ...inPieces(reasoning).map((delta) => ({ type, summary_index: 0, delta })),
    ]);
  }
  if (text) {
    const opened = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      status: "in_progress",
      content: [],
    };
    const content = [{ type: "output_text", text, annotations: [] }];
    const deltas = inPieces(text).map((delta) => ({
      type: "response.output_text.delta",
      content_index: 0,
      delta,
    }));
    add(opened, { ...opened, status: "completed", content }, deltas);
  }
  for (const call of calls) {
    const done = functionCallItem(call, `fc_${id}_${output.length}`);
    const type = "response.function_call_arguments.delta";
    const deltas = inPieces(call.arguments).map((delta) => ({ type, delta }));
    add({ ...done, status: "in_progress", arguments: "" }, done, deltas);
  }
  return [
    { type: "response.created", response: response(id, [], "in_progress") },
    ...events,
    responsesEnd(id, output, finish),
  ];
}

/** The item of a finished call. */
export function functionCallItem(call: AnswerCall, itemId: string): WireEvent {
  const { id, name, arguments: input } = call;
  return { id: itemId, type: "function_call", status: "completed", arguments: input, call_id: id, name };
}

/** The last event of a response. */
export function responsesEnd(id: string, output: readonly WireEvent[], finish?: "length"): WireEvent {
  if (!finish) return { type: "response.completed", response: response(id, output, "completed") };
  const details = { incomplete_details: { reason: "max_output_tokens" } };
  return { type: "response.incomplete", response: { ...response(id, output, "incomplete"), ...details } };
}

function response(id: string, output: readonly WireEvent[], status: string): WireEvent {
  const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
  return { id: `resp_${id}`, object: "response", created_at: 1, model: "m", status, output, usage };
}

function thinkingBlock(id: string, thinking: string): WireEvent {
  return { type: "thinking", thinking, signature: `EqkE${id}+signed/thinking==` };
}

function redactedBlock(id: string): WireEvent {
  return { type: "redacted_thinking", data: `EmwK${id}+redacted/thinking==` };
}

function messagesEvents({ id, reasoning = "", text = "", calls = [], finish }: Answer): WireEvent[] {
  const events: WireEvent[] = [messageStart(id)];
  let index = 0;
  if (reasoning) {
    const { signature } = thinkingBlock(id, reasoning);
    const deltas = inPieces(reasoning).map((thinking) => ({ type: "thinking_delta", thinking }));
    const start = { type: "thinking", thinking: "", signature: "" };
    events.push(...block(index++, start, ...deltas, { type: "signature_delta", signature }));
    events.push(...block(index++, redactedBlock(id)));
  }
  if (text) {
    const deltas = inPieces(text).map((piece) => ({ type: "text_delta", text: piece }));
    events.push(...block(index++, { type: "text", text: "" }, ...deltas));
  }
  for (const call of calls) events.push(...toolUse(index++, call));
  const reason = finish ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
  return [...events, ...messageEnd(reason)];
}

/** The first event of a message. */
export function messageStart(id: string): WireEvent {
  const usage = { input_tokens: 9, output_tokens: 1 };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "m", content: [], usage };
  return { type: "message_start", message };
}

/** The events of a block. */
export function block(index: number, start: object, ...deltas: readonly object[]): WireEvent[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** The events of a call. */
export function toolUse(index: number, { id, name, arguments: input }: AnswerCall): WireEvent[] {
  const deltas = inPieces(input).map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return block(index, { type: "tool_use", id, name, input: {} }, ...deltas);
}

/** The last events of a message. */
export function messageEnd(reason: string): WireEvent[] {
  const delta = { stop_reason: reason, stop_sequence: null };
  return [{ type: "message_delta", delta, usage: { output_tokens: 3 } }, { type: "message_stop" }];
}
