import type { FinishReason, Usage } from "../../message/messages.ts";
import type { TokenLogprob } from "../../model/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { asNumber, asObjects, asText } from "../kit/json-values.ts";

/** https://ai.google.dev/api/generate-content#FinishReason, and the reasons for which a prompt is blocked. */
const finishReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["STOP", "stop"],
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
  ["MALFORMED_FUNCTION_CALL", "error"],
  ["MALFORMED_RESPONSE", "error"],
  ["UNEXPECTED_TOOL_CALL", "error"],
  ["TOO_MANY_TOOL_CALLS", "error"],
  ["MISSING_THOUGHT_SIGNATURE", "error"],
]);

/** Why the model stopped; `other` for whatever is not known. The API says `STOP` of calls, too. */
export function finishReasonOf(raw: string | undefined, hasCalls: boolean): FinishReason {
  const reason = finishReasons.get(raw ?? "") ?? "other";
  return hasCalls && (reason === "stop" || reason === "other") ? "tool-calls" : reason;
}

/** The usage as all providers have it: thoughts are a part of the output, and what server-side tools read is a part of the input. */
export function usageOf(metadata: JsonObject): Usage {
  const count = (name: string): number | undefined => asNumber(metadata[name]);
  const prompt = count("promptTokenCount");
  const thoughts = count("thoughtsTokenCount");
  const cached = count("cachedContentTokenCount");
  // Counts of 0 are left out.
  const inputTokens = prompt === undefined ? undefined : prompt + (count("toolUsePromptTokenCount") ?? 0);
  const candidates = count("candidatesTokenCount");
  const totalTokens = count("totalTokenCount");
  const isCounted = candidates !== undefined || thoughts !== undefined || totalTokens !== undefined;
  return {
    inputTokens,
    outputTokens: isCounted ? (candidates ?? 0) + (thoughts ?? 0) : undefined,
    totalTokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  };
}

/** Reads `logprobsResult`, in which what was chosen and what else could have been are two lists. */
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
