import type { Message } from "../../message/messages.ts";
import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import { tokensOf, tokensOfText } from "../../run/compaction/estimate.ts";

/** Messages and tools never change, and are sent again with every request: each is counted countOnce. */
const counts = new WeakMap<Message | ToolSpec, number>();

/** Estimates how many tokens a request has. */
export function estimateTokens({ instructions = "", messages, tools = [] }: ModelRequest): number {
  let tokens = tokensOfText(instructions);
  for (const message of messages) tokens += countOnce(message, tokensOf);
  for (const tool of tools) tokens += countOnce(tool, (spec) => tokensOfText(JSON.stringify(spec)));
  return Math.ceil(tokens);
}

function countOnce<T extends Message | ToolSpec>(item: T, count: (item: T) => number): number {
  let tokens = counts.get(item);
  if (tokens === undefined) counts.set(item, (tokens = count(item)));
  return tokens;
}
