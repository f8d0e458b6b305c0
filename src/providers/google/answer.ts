import type { FinishReason, Usage } from "../../message/messages.ts";
import type { TokenLogprob } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { asCount, asNumber, asObjects, asText } from "../kit/json-values.ts";

/** https://ai.google.dev/api/generate-content#FinishReason */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["STOP", "stop"],
  // Sent for calls by servers that imitate the API.
  ["FUNCTION_CALL", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "content-filter"],
  ["RECITATION", "content-filter"],
  ["BLOCKLIST", "content-filter"],
  ["PROHIBITED_CONTENT", "content-filter"],
  ["SPII", "content-filter"],
  ["MODEL_ARMOR", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
  ["IMAGE_RECITATION", "content-filter"],
  ["OTHER", "other"],
  ["LANGUAGE", "other"],
  ["NO_IMAGE", "other"],
  ["IMAGE_OTHER", "other"],
  ["MALFORMED_FUNCTION_CALL", "error"],
  ["MALFORMED_RESPONSE", "error"],
  ["UNEXPECTED_TOOL_CALL", "error"],
  ["TOO_MANY_TOOL_CALLS", "error"],
  ["MISSING_THOUGHT_SIGNATURE", "error"],
]);

/** The properties of an answer that its finish reason depends on. */
export interface AnswerContent {
  readonly hasCalls: boolean;
  /** Whether it has anything but thoughts. */
  readonly hasContent: boolean;
}

/**
 * Why the model stopped; `error` for an unknown reason. The API sends `STOP` for calls too. Calls with any other reason of its own are
 * not executed, since their arguments may be incomplete.
 */
export function finishReasonOf(raw: string, { hasCalls, hasContent }: AnswerContent): FinishReason {
  const reason = finishReasons.get(raw) ?? "error";
  if (reason === "stop" && hasCalls) return "tool-calls";
  return reason === "other" && (hasCalls || !hasContent) ? "error" : reason;
}

/** The finish reason of a candidate; `undefined` for the values that mean that none is set. */
export function readFinishReason(candidate: JsonObject): string | undefined {
  const raw = asText(candidate["finishReason"]);
  return raw === "" || raw === "FINISH_REASON_UNSPECIFIED" ? undefined : raw;
}

/**
 * Adds the counts of a chunk to the counts so far. A chunk that counts both prompt and total replaces them all, since counts of 0 are
 * left out; any other chunk replaces the fields that it has. Negative counts are ignored.
 */
export function joinCounts(counts: JsonObject | undefined, metadata: JsonObject): JsonObject {
  const fields = Object.entries(metadata).filter(([, count]) => asCount(count) !== undefined);
  const next: JsonObject = Object.fromEntries(fields);
  const isWhole = next["promptTokenCount"] !== undefined && next["totalTokenCount"] !== undefined;
  return isWhole ? next : { ...counts, ...next };
}

/** The usage in the form of all providers: thoughts count as output, and what server-side tools read counts as input. */
export function usageOf(metadata: JsonObject): Usage {
  const count = (name: string): number | undefined => asCount(metadata[name]);
  const prompt = count("promptTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const cached = count("cachedContentTokenCount");
  // Counts of 0 are left out.
  const inputTokens = prompt === undefined ? undefined : prompt + (count("toolUsePromptTokenCount") ?? 0);
  const candidates = count("candidatesTokenCount");
  const total = count("totalTokenCount");
  const isCounted = candidates !== undefined || thoughts !== undefined || total !== undefined;
  const outputTokens = isCounted ? (candidates ?? 0) + (thoughts ?? 0) : undefined;
  const sum =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? sum,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  };
}

/** Reads `logprobsResult`, which has one list of chosen tokens and one of alternatives. */
export function logprobsOf(result: JsonObject): TokenLogprob[] {
  const alternatives = asObjects(result["topCandidates"]);
  return asObjects(result["chosenCandidates"]).map((chosen, index) => {
    const others = asObjects(alternatives[index]?.["candidates"]).map(logprobOf);
    return { ...logprobOf(chosen), ...(others.length > 0 && { topLogprobs: others }) };
  });
}

function logprobOf(candidate: JsonObject): { token: string; logprob: number } {
  return {
    token: asText(candidate["token"]),
    logprob: asNumber(candidate["logProbability"]) ?? Number.NEGATIVE_INFINITY,
  };
}
