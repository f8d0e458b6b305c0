import { redactKeys } from "../../base/util/redact-keys.ts";
import type { FinishReason, Usage } from "../../message/messages.ts";
import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import { cutReasonOf } from "../kit/finish-reasons.ts";
import { isJsonObject, countIn, objectIn, stringIn } from "../kit/json-values.ts";
import type { AiSdkSpecification } from "./types.ts";

/** Why a model stopped. */
export interface Finish {
  readonly finishReason: FinishReason;
  readonly rawFinishReason: string | undefined;
  /** Whether the provider gave no reason: the answer is truncated. */
  readonly isTruncated: boolean;
}

const reasons: ReadonlySet<string> = new Set<FinishReason>([
  "stop",
  "length",
  "tool-calls",
  "content-filter",
  "error",
]);

function isReason(reason: string): reason is FinishReason {
  return reasons.has(reason);
}

/** Reads `finishReason`: a string in V2, `{ unified, raw }` since V3. */
export function finishOf(reason: JsonValue | undefined, hasCalls: boolean): Finish {
  const unified = isJsonObject(reason) ? stringIn(reason, "unified") : reason;
  const raw = isJsonObject(reason) ? stringIn(reason, "raw") : undefined;
  const word = typeof unified === "string" ? unified : "other";
  const reasonWord = isReason(word) ? word : (cutReasonOf(raw ?? word) ?? "other");
  return {
    finishReason: reasonWord === "stop" && hasCalls ? "tool-calls" : reasonWord,
    rawFinishReason: raw && redactKeys(raw),
    isTruncated:
      typeof unified !== "string" ||
      word === "interrupted" ||
      word === "unknown" ||
      (word === "other" && isJsonObject(reason) && raw === undefined),
  };
}

/** Reads `usage`: flat in V2, nested since V3. What a provider did not report is `undefined`. */
export function usageOf(
  version: AiSdkSpecification,
  usage: JsonObject | undefined,
  metadata?: JsonObject,
): Usage {
  return version === "v2" ? flatUsage(usage, metadata) : nestedUsage(usage);
}

function nestedUsage(usage: JsonObject | undefined): Usage {
  const input = objectIn(usage, "inputTokens");
  const output = objectIn(usage, "outputTokens");
  return {
    ...totals(countIn(input, "total"), countIn(output, "total")),
    ...details(countIn(input, "cacheRead"), countIn(input, "cacheWrite"), countIn(output, "reasoning")),
  };
}

function flatUsage(usage: JsonObject | undefined, metadata: JsonObject | undefined): Usage {
  const cached = countIn(usage, "cachedInputTokens");
  const anthropic = objectIn(metadata, "anthropic");
  const cacheWrite = countIn(anthropic, "cacheCreationInputTokens");
  const input = countIn(usage, "inputTokens");
  // In V2, Anthropic's count of input tokens does not include cache reads and writes.
  const whole = anthropic && input !== undefined ? input + (cached ?? 0) + (cacheWrite ?? 0) : input;
  return {
    ...totals(whole, countIn(usage, "outputTokens"), anthropic ? undefined : countIn(usage, "totalTokens")),
    ...details(cached, cacheWrite, countIn(usage, "reasoningTokens")),
  };
}

function totals(inputTokens: number | undefined, outputTokens: number | undefined, total?: number): Usage {
  const isKnown = inputTokens !== undefined && outputTokens !== undefined;
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? (isKnown ? inputTokens + outputTokens : undefined),
  };
}

function details(
  cached: number | undefined,
  cacheWrite: number | undefined,
  reasoning: number | undefined,
): Partial<Usage> {
  return {
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** Formats a warning of the AI SDK as a sentence. */
export function warningOf(provider: string, warning: JsonValue): string {
  if (!isJsonObject(warning)) return `${provider}: ${JSON.stringify(warning)}`;
  const message = stringIn(warning, "message") ?? stringIn(warning, "details");
  const tool = objectIn(warning, "tool");
  const subject =
    stringIn(warning, "feature") ?? stringIn(warning, "setting") ?? stringIn(tool, "name") ?? "";
  const type = stringIn(warning, "type") ?? "warning";
  const head = type === "other" ? "" : `${type.split("-", 1)[0] ?? type}${subject && ` ${subject}`}`;
  return `${provider}: ${[head, message].filter(Boolean).join(": ") || type}`;
}
