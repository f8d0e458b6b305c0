import type { Message } from "../../message/messages.ts";
import type { ModelRequest, ToolSpec } from "../../model/types.ts";
import { tokensOf, tokensOfText } from "../../run/compaction/estimate.ts";

/** Messages and tools never change, and are sent again with every request: each is counted once. */
const known = new WeakMap<Message | ToolSpec, number>();

/** About how many tokens a request has. */
export function estimateTokens({ instructions = "", messages, tools = [] }: ModelRequest): number {
  let tokens = tokensOfText(instructions);
  for (const message of messages) tokens += once(message, tokensOf);
  for (const tool of tools) tokens += once(tool, (spec) => tokensOfText(JSON.stringify(spec)));
  return Math.ceil(tokens);
}

function once<T extends Message | ToolSpec>(item: T, count: (item: T) => number): number {
  let tokens = known.get(item);
  if (tokens === undefined) known.set(item, (tokens = count(item)));
  return tokens;
}
