import { chatChunk, functionCallItem, messageStart, block, type WireEvent } from "./answers.ts";
import { googleChunk } from "./google-answers.ts";
import type { Protocol } from "./protocols.ts";

type Streaming = Exclude<Protocol, "google">;

/** The words of each protocol; none is `undefined`. */
type Reasons = Readonly<Record<Streaming, readonly (string | undefined)[]>>;

const words = (text: string): readonly string[] => text.split(" ");

/** Words for an answer in which something is missing. */
export const cutReasons: Reasons = {
  chat: [
    words(
      "length max_tokens MAX_TOKENS LENGTH incomplete max_output_tokens model_length content_filter SAFETY",
    ),
    words("safety RECITATION refusal cancelled canceled abort error failed timeout content-filter"),
    words("server_error engine_overloaded context_length_exceeded length_limit time_limit connection_lost"),
    words("preempted repetition unfinished partial serverError MaxTokensReached"),
  ].flat(),
  messages: words(
    "max_tokens MAX_TOKENS length model_context_window_exceeded refusal SAFETY cancelled error incomplete",
  ),
  responses: [
    words("incomplete incomplete:max_output_tokens incomplete:content_filter incomplete:something_new"),
    words("completed:max_output_tokens cancelled canceled queued in_progress"),
  ].flat(),
};

/** Words that say nothing, and none at all. */
export const uncertainReasons: Reasons = {
  chat: [undefined, "", "a_new_one", "constructor", "__proto__", "unknown", "null"],
  messages: ["a_new_one", "constructor", "pause_turn", "compaction", "stop_sequence", "unknown"],
  responses: ["a_new_one", "constructor"],
};

/** Words for an answer that is whole. */
export const goodReasons: Reasons = {
  chat: ["stop", "tool_calls", "function_call", "eos"],
  messages: ["tool_use", "end_turn"],
  responses: ["completed", undefined],
};

/** How an answer with one call ends. */
export interface AnswerEnding {
  /** The arguments as they arrived. */
  readonly text: string;
  /** The reason in the protocol's words; none if left out. */
  readonly reason?: string | undefined;
  /** Whether the event that ends the protocol's stream is missing. */
  readonly isOpen?: boolean;
}

type Events = readonly (WireEvent | string)[];

/** The events of an answer with one call of `act`, arguments in three pieces. */
export function endingEvents(protocol: Exclude<Protocol, "google">, ending: AnswerEnding): Events {
  if (protocol === "chat") return chat(ending);
  return protocol === "messages" ? messages(ending) : responses(ending);
}

/** The events of an answer of Gemini's, whose calls always come whole. */
export function googleEnding(input: object, reason: string | undefined): Events {
  const part = { functionCall: { id: "a", name: "act", args: input } };
  return [
    googleChunk("end", [part]),
    googleChunk("end", [], reason === undefined ? {} : { finishReason: reason }),
  ];
}

function inPieces(text: string): string[] {
  const size = Math.ceil(text.length / 3) || 1;
  return text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
}

function chat({ text, reason, isOpen }: AnswerEnding): Events {
  const call = { index: 0, id: "a", type: "function", function: { name: "act", arguments: "" } };
  return [
    chatChunk("end", { tool_calls: [call] }),
    ...inPieces(text).map((piece) =>
      chatChunk("end", { tool_calls: [{ index: 0, function: { arguments: piece } }] }),
    ),
    ...(reason === undefined ? [] : [chatChunk("end", {}, reason)]),
    ...(isOpen ? [] : ["[DONE]"]),
  ];
}

function messages({ text, reason, isOpen }: AnswerEnding): Events {
  const deltas = inPieces(text).map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  return [
    messageStart("end"),
    ...block(0, { type: "tool_use", id: "a", name: "act", input: {} }, ...deltas),
    ...(reason === undefined ? [] : [{ type: "message_delta", delta: { stop_reason: reason } }]),
    ...(isOpen ? [] : [{ type: "message_stop" }]),
  ];
}

/** `reason` is the status of the response; a reason after a colon is why it is incomplete. */
function responses({ text, reason, isOpen }: AnswerEnding): Events {
  const item = functionCallItem({ id: "a", name: "act", arguments: text }, "fc_a");
  const [status, why] = reason?.split(":") ?? [];
  const output_index = 0;
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, arguments: "", status: "in_progress" },
    },
    ...inPieces(text).map((delta) => ({
      type: "response.function_call_arguments.delta",
      output_index,
      delta,
    })),
    { type: "response.output_item.done", output_index, item },
    ...(isOpen ? [] : [{ type: "response.completed", response: responseOf(status, why, [item]) }]),
  ];
}

function responseOf(status: string | undefined, why: string | undefined, output: WireEvent[]): WireEvent {
  return {
    ...(status !== undefined && { status }),
    ...(why && { incomplete_details: { reason: why } }),
    output,
  };
}

/** The same with two calls, `a` and `b`. */
export function twoCalls(
  protocol: Exclude<Protocol, "google">,
  first: string,
  second: string,
  reason: string | undefined,
): Events {
  const events = endingEvents(protocol, { text: first, reason });
  const others = endingEvents(protocol, { text: second, reason }).map((event) =>
    typeof event === "string" ? event : renumbered(event),
  );
  const isCall = (event: WireEvent | string): boolean =>
    /"index":|"output_index":/.test(JSON.stringify(event));
  const isEnd = (event: WireEvent | string): boolean => JSON.stringify(event).includes('"delta":{},');
  const ofCall = (event: WireEvent | string): boolean => isCall(event) && !isEnd(event);
  const end = events.slice(events.findLastIndex(ofCall) + 1).map((event) => withoutOutput(event));
  return [...events.slice(0, events.findLastIndex(ofCall) + 1), ...others.filter(ofCall), ...end];
}

/** An event of the second call. */
function renumbered(event: WireEvent): WireEvent {
  const text = JSON.stringify(event)
    .replaceAll('"id":"a"', '"id":"b"')
    .replaceAll('"call_id":"a"', '"call_id":"b"')
    .replaceAll('"output_index":0', '"output_index":1')
    .replaceAll('"tool_calls":[{"index":0', '"tool_calls":[{"index":1')
    .replaceAll(/^(\{"type":"content_block[^]*)"index":0/g, '$1"index":1');
  return JSON.parse(text);
}

/** The end of a response, without the items that have come before. */
function withoutOutput(event: WireEvent | string): WireEvent | string {
  if (typeof event === "string" || typeof event["response"] !== "object") return event;
  return { ...event, response: { ...event["response"], output: [] } };
}
