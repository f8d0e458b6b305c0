import type { FinishReason, Usage } from "../../message/messages.ts";
import { addUsage } from "../../message/usage.ts";
import { retryAfterOf } from "../../model/http-errors.ts";
import type { RateLimit } from "../../model/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { endWarnings, finishReasonFor } from "../kit/finish-reasons.ts";
import { asCount, isJsonObject } from "../kit/json-values.ts";

const goodReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool-calls"],
]);

/** Why the model stopped; `other` for pauses and unknown reasons, and for a stop sequence that may have cut a call. */
export function finishReasonOf(stopReason: string | undefined, hasCalls: boolean): FinishReason {
  if (hasCalls && stopReason === "stop_sequence") return "other";
  return finishReasonFor(stopReason ?? "", goodReasons);
}

/** Whether the API paused: during the work of its own tools (`pause_turn`), or after a compaction that the caller may inspect. */
export function shouldContinue(stopReason: string | undefined): boolean {
  return stopReason === "pause_turn" || stopReason === "compaction";
}

/** What a caller should know of how an answer ended. The API's own pauses, and stop sequences, need no word. */
export function endWarningsOf(finishReason: FinishReason, stopReason: string | undefined): string[] {
  const isUsual = shouldContinue(stopReason) || stopReason === "stop_sequence";
  return isUsual ? [] : endWarnings(finishReason, stopReason);
}

/** Combines the `usage` objects of an answer, whose counts grow. */
export class UsageCounter {
  #inputTokens: number | undefined;
  #cacheRead: number | undefined;
  #cacheWrite: number | undefined;
  #outputTokens: number | undefined;
  #reasoning: number | undefined;
  #webSearches: number | undefined;
  #compactions: readonly JsonValue[] = [];

  /** Reads a `usage` object. Each count covers the whole answer so far, so counts are not added. */
  update(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    const details = usage["output_tokens_details"];
    this.#inputTokens = largest(this.#inputTokens, usage["input_tokens"]);
    this.#cacheRead = largest(this.#cacheRead, usage["cache_read_input_tokens"]);
    this.#cacheWrite = largest(this.#cacheWrite, usage["cache_creation_input_tokens"]);
    this.#outputTokens = largest(this.#outputTokens, usage["output_tokens"]);
    this.#reasoning = largest(
      this.#reasoning,
      isJsonObject(details) ? details["thinking_tokens"] : undefined,
    );
    const { server_tool_use: tools, iterations } = usage;
    // A count of 0 says only that the API has such tools.
    const searches = isJsonObject(tools) ? tools["web_search_requests"] : undefined;
    if (searches !== 0) this.#webSearches = largest(this.#webSearches, searches);
    if (Array.isArray(iterations)) this.#compactions = iterations.filter(isCompaction);
  }

  /** The usage in the form of all providers: input tokens include the cached ones. */
  total(): Usage {
    // The API's totals do not include its compactions.
    return this.#compactions.map((iteration) => UsageCounter.#of(iteration)).reduce(addUsage, this.#own());
  }

  static #of(iteration: JsonValue): Usage {
    const counter = new UsageCounter();
    counter.update(iteration);
    return counter.#own();
  }

  #own(): Usage {
    const inputTokens =
      this.#inputTokens === undefined
        ? undefined
        : this.#inputTokens + (this.#cacheRead ?? 0) + (this.#cacheWrite ?? 0);
    const outputTokens = this.#outputTokens;
    return {
      inputTokens,
      outputTokens,
      totalTokens:
        inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens,
      ...(this.#cacheRead !== undefined && { cachedInputTokens: this.#cacheRead }),
      ...(this.#cacheWrite !== undefined && { cacheWriteTokens: this.#cacheWrite }),
      ...(this.#reasoning !== undefined && { reasoningTokens: this.#reasoning }),
      ...(this.#webSearches !== undefined && { webSearches: this.#webSearches }),
    };
  }
}

function isCompaction(iteration: JsonValue): boolean {
  return isJsonObject(iteration) && iteration["type"] === "compaction";
}

function largest(before: number | undefined, value: unknown): number | undefined {
  const count = asCount(value);
  return count === undefined || before === undefined ? (count ?? before) : Math.max(before, count);
}

/** Reads the `anthropic-ratelimit-*` headers (https://platform.claude.com/docs/en/api/rate-limits); `undefined` if there are none. */
export function rateLimitOf(
  headers: Readonly<Record<string, string>>,
  now: number = Date.now(),
): RateLimit | undefined {
  const requests = limitOf(headers, "requests", now);
  const tokens = limitOf(headers, "tokens", now) ?? limitOf(headers, "input-tokens", now);
  const retryAfter = retryAfterOf(headers);
  if (!requests && !tokens && retryAfter === undefined) return undefined;
  return withoutUndefined({
    limitRequests: requests?.limit,
    remainingRequests: requests?.remaining,
    resetRequests: requests?.reset,
    limitTokens: tokens?.limit,
    remainingTokens: tokens?.remaining,
    resetTokens: tokens?.reset,
    retryAfter,
  });
}

interface Limit {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly reset: number | undefined;
}

function limitOf(headers: Readonly<Record<string, string>>, kind: string, now: number): Limit | undefined {
  const header = (field: string): string => headers[`anthropic-ratelimit-${kind}-${field}`] ?? "";
  const limit = countOf(header("limit"));
  const remaining = countOf(header("remaining"));
  const resetAt = Date.parse(header("reset"));
  const reset = Number.isNaN(resetAt) ? undefined : Math.max(0, resetAt - now);
  return limit === undefined && remaining === undefined && reset === undefined
    ? undefined
    : { limit, remaining, reset };
}

function countOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function withoutUndefined(values: {
  readonly [Key in keyof RateLimit]: RateLimit[Key] | undefined;
}): RateLimit {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The model's explanation of its refusal. */
export function refusalOf(
  stopReason: string | undefined,
  stopDetails: JsonObject | undefined,
): string | undefined {
  if (stopReason !== "refusal") return undefined;
  const explanation = stopDetails?.["explanation"] ?? stopDetails?.["category"];
  return typeof explanation === "string" ? explanation : undefined;
}
