import type { FinishReason } from "../../message/messages.ts";

/** The words by which servers say that something is missing, whatever protocol they speak. Compared in lower case, `-` as `_`. */
const cutReasons: Readonly<Record<string, FinishReason>> = {
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  max_length: "length",
  token_limit: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  incomplete: "length",
  truncated: "length",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  safety: "content-filter",
  sensitive: "content-filter",
  refusal: "content-filter",
  recitation: "content-filter",
  blocklist: "content-filter",
  prohibited_content: "content-filter",
  spii: "content-filter",
  cancelled: "cancelled",
  canceled: "cancelled",
  // For an answer that a server gave up: DeepSeek, vLLM, Z.ai and others.
  abort: "error",
  aborted: "error",
  interrupted: "error",
  error: "error",
  failed: "error",
  failure: "error",
  timeout: "error",
  network_error: "error",
  insufficient_system_resource: "error",
  malformed_function_call: "error",
  // The states of an answer that the server still works on.
  queued: "error",
  in_progress: "error",
};

/** The pieces of words by which servers say it in words of their own, such as `engine_overloaded`. The first that fits counts. */
const cutPieces: readonly (readonly [RegExp, FinishReason])[] = [
  [/length|token|context|truncat|incomplete|unfinished|partial|limit|exceed/, "length"],
  [/filter|safety|blocked|prohibited|refus|moderat/, "content-filter"],
  [/cancel/, "cancelled"],
  [/error|fail|abort|interrupt|time_?out|overload|lost|disconnect|preempt|evict|unavailable/, "error"],
  [/kill|crash|malformed|invalid|repeat|repetition|expired|exhaust|reject/, "error"],
];

/** What a word of a server's means if it says that something is missing. */
export function cutReasonOf(raw: string): FinishReason | undefined {
  const word = raw
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[\s-]/g, "_");
  if (Object.hasOwn(cutReasons, word)) return cutReasons[word];
  // `eos_token` and `stop_token` say that the model itself ended.
  if (/^(?:eos|stop|end)(?:_|$)/.test(word)) return undefined;
  return cutPieces.find(([piece]) => piece.test(word))?.[1];
}

/** What a caller should know of how an answer ended, one sentence each: no word, one that is not known, or one that names a failure. */
export function endWarnings(finishReason: FinishReason, raw: string | undefined): string[] {
  if (finishReason !== "other" && finishReason !== "error") return [];
  if (raw === undefined) return ["The answer ended without a finish reason: something may be missing."];
  const word = JSON.stringify(raw.slice(0, 100));
  return finishReason === "error"
    ? [`The answer ended with ${word}: something may be missing.`]
    : [`The answer ended with ${word}, which Skein does not know: something may be missing.`];
}

/**
 * What a server's word for its ending means; `other` if it is unknown.
 * @param good - The protocol's own words for an answer that is whole.
 */
export function finishReasonFor(raw: string, good: ReadonlyMap<string, FinishReason>): FinishReason {
  return good.get(raw) ?? cutReasonOf(raw) ?? "other";
}

/** The reason that counts where a server gives two: a later one does not undo that something is missing. */
export function laterReason(before: string | undefined, next: string | undefined): string | undefined {
  if (before !== undefined && cutReasonOf(before) !== undefined) return before;
  return next === undefined || next === "" ? before : next;
}
