import type { Usage } from "../../message/messages.ts";
import { addUsage, noUsage } from "../../message/usage.ts";
import type { SourceEvent } from "../kit/source.ts";
import type { AgUiUsage } from "./types.ts";

type RunEnd = Extract<SourceEvent, { readonly type: "run-end" }>;

/** What a run has used, agents within it included; whose models they were is not for clients. */
export function usageOf(result: RunEnd["result"]): readonly AgUiUsage[] | undefined {
  if (!result) return undefined;
  const usage =
    "modelCalls" in result && result.modelCalls.length > 0
      ? result.modelCalls.reduce<Usage>((sum, call) => addUsage(sum, call.usage), noUsage)
      : result.usage;
  const entry = toUsage(usage);
  return Object.keys(entry).length > 0 ? [entry] : undefined;
}

function toUsage(usage: Usage): AgUiUsage {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, cacheWriteTokens } = usage;
  const total =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    ...count("inputTokens", inputTokens),
    ...count("outputTokens", outputTokens),
    ...count("totalTokens", total),
    ...count("reasoningTokens", reasoningTokens),
    ...count("cachedInputTokens", cachedInputTokens),
    ...count("cacheWriteInputTokens", cacheWriteTokens),
  };
}

/** A count that the provider has reported, and that JSON carries as it is. */
function count(name: keyof AgUiUsage, value: number | undefined): AgUiUsage {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {};
}
