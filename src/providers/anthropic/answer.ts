import type { FinishReason, Usage } from "../../message/messages.ts";
import { addUsage } from "../../message/usage.ts";
import { retryAfterOf } from "../../model/http-errors.ts";
import type { RateLimit } from "../../model/types.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { isJsonObject } from "../kit/json-values.ts";

const finishReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool-calls"],
  ["refusal", "content-filter"],
]);

/** Why the model stopped; `other` for pauses and whatever is not known. */
export function finishReasonOf(stopReason: string | undefined): FinishReason {
  return finishReasons.get(stopReason ?? "") ?? "other";
}

/** Whether the model stopped amid work of the API's own: its tools (`pause_turn`), or a compaction that is to be looked at. */
export function shouldContinue(stopReason: string | undefined): boolean {
  return stopReason === "pause_turn" || stopReason === "compaction";
}

/** The figures of `usage` objects, which grow from one to the next. */
export class UsageCounter {
  #inputTokens: number | undefined;
  #cacheRead: number | undefined;
  #cacheWrite: number | undefined;
  #outputTokens: number | undefined;
  #reasoning: number | undefined;
  #compactions: readonly JsonValue[] = [];

  /** Takes up what a `usage` object says. Each figure covers the whole answer so far, so nothing is added up. */
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
    const { iterations } = usage;
    if (Array.isArray(iterations)) this.#compactions = iterations.filter(isCompaction);
  }

  /** The usage as all providers have it: input tokens include the cached ones. */
  total(): Usage {
    // The API leaves what its compactions took out of its totals.
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
    };
  }
}

function isCompaction(iteration: JsonValue): boolean {
  return isJsonObject(iteration) && iteration["type"] === "compaction";
}

function largest(known: number | undefined, said: unknown): number | undefined {
  if (typeof said !== "number" || !Number.isFinite(said)) return known;
  return known === undefined ? said : Math.max(known, said);
}

/** Reads the `anthropic-ratelimit-*` headers (https://platform.claude.com/docs/en/api/rate-limits), if there are any. */
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

/** What the model says of its refusal. */
export function refusalOf(
  stopReason: string | undefined,
  stopDetails: JsonObject | undefined,
): string | undefined {
  if (stopReason !== "refusal") return undefined;
  const said = stopDetails?.["explanation"] ?? stopDetails?.["category"];
  return typeof said === "string" ? said : undefined;
}
