import type { Usage } from "../../message/messages.ts";
import type { PublicError } from "../../run/public/public-error.ts";
import type { AnswerEnd } from "../kit/answer-reader.ts";
import { statusOf } from "../kit/openai-error.ts";
import type { ResponseEcho, ResponseItem, ResponseObject, ResponseStatus, ResponseUsage } from "./types.ts";

/** What a response is called, and belongs to. */
export interface ResponseDescription {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly previousResponseId: string | undefined;
  readonly background: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly echo: ResponseEcho;
}

/** How far a response is. */
export interface ResponseProgress {
  readonly status: ResponseStatus;
  readonly output: ResponseItem[];
  /** Seconds since 1970. */
  readonly completedAt: number | undefined;
  readonly end: AnswerEnd | undefined;
}

/** What a response repeats of a request that has nothing but a model and an input. */
export const emptyEcho: ResponseEcho = {
  instructions: null,
  max_output_tokens: null,
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: 1,
};

/** A response as it is sent. */
export function responseObject(
  { id, model, created, previousResponseId, background, metadata, echo }: ResponseDescription,
  { status, output, completedAt, end }: ResponseProgress,
): ResponseObject {
  return {
    id,
    object: "response",
    created_at: created,
    completed_at: completedAt ?? null,
    status,
    background,
    error: status === "failed" ? errorOf(end?.error) : null,
    incomplete_details: status === "incomplete" ? { reason: reasonOf(end) } : null,
    model,
    output,
    previous_response_id: previousResponseId ?? null,
    usage: end?.usage ? usageOf(end.usage) : null,
    metadata,
    ...echo,
    frequency_penalty: 0,
    max_tool_calls: null,
    presence_penalty: 0,
    prompt_cache_key: null,
    safety_identifier: null,
    service_tier: "default",
    top_logprobs: 0,
    truncation: "disabled",
  };
}

/** The status of a response whose run has come to an end, or waits for something that no client can send. */
export function statusOfEnd({ outcome }: AnswerEnd): ResponseStatus {
  if (outcome === "waiting") return "in_progress";
  return outcome === "length" || outcome === "content-filter" ? "incomplete" : outcome;
}

/** By the HTTP status that the failure would have. */
const codes: Readonly<Record<number, "invalid_prompt" | "rate_limit_exceeded">> = {
  400: "invalid_prompt",
  429: "rate_limit_exceeded",
};

function errorOf(error: PublicError | undefined): ResponseObject["error"] {
  const { code, message } = error ?? { code: "run-failed", message: "The run failed." };
  return { code: codes[statusOf(code)] ?? "server_error", message };
}

/** There are no other reasons: a limit of turns or money is one of tokens in the end. */
function reasonOf(end: AnswerEnd | undefined): "max_output_tokens" | "content_filter" {
  return end?.outcome === "content-filter" ? "content_filter" : "max_output_tokens";
}

function usageOf(usage: Usage): ResponseUsage {
  const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = usage;
  const { cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: totalTokens,
  };
}
