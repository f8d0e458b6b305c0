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
};

/** What a word of a server's means if it says that something is missing. */
export function cutReasonOf(raw: string): FinishReason | undefined {
  const word = raw.toLowerCase().replaceAll("-", "_");
  return Object.hasOwn(cutReasons, word) ? cutReasons[word] : undefined;
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
