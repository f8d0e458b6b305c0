import type { Usage } from "./messages.ts";

/** Usage before anything was used. */
export const noUsage: Usage = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };

/** The sum of two usages. A figure that only one of them has is that one's. */
export function addUsage(left: Usage, right: Usage): Usage {
  const cached = add(left.cachedInputTokens, right.cachedInputTokens);
  const cacheWrites = add(left.cacheWriteTokens, right.cacheWriteTokens);
  const reasoning = add(left.reasoningTokens, right.reasoningTokens);
  const webSearches = add(left.webSearches, right.webSearches);
  return {
    inputTokens: add(left.inputTokens, right.inputTokens),
    outputTokens: add(left.outputTokens, right.outputTokens),
    totalTokens: add(left.totalTokens, right.totalTokens),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(cacheWrites !== undefined && { cacheWriteTokens: cacheWrites }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(webSearches !== undefined && { webSearches }),
  };
}

function add(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) return right;
  return right === undefined ? left : left + right;
}

/** The share of the input tokens that was read from the provider's cache, 0 to 1; `undefined` if it was not reported. */
export function cachedInputShare({ inputTokens, cachedInputTokens }: Usage): number | undefined {
  return inputTokens === undefined || inputTokens === 0 || cachedInputTokens === undefined
    ? undefined
    : Math.min(1, cachedInputTokens / inputTokens);
}
