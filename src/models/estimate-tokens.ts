import type { Message } from "../message/messages.ts";
import type { AssistantPart } from "../message/parts.ts";
import type { ModelRequest, ToolSpec } from "../model/types.ts";

/** Characters a token, roughly, in English text and JSON. */
const charactersPerToken = 4;
/** What an image or a file counts as. */
const mediaCharacters = 4000;

/** Messages and tools never change, and are sent again with every request. */
const known = new WeakMap<Message | ToolSpec, number>();

/** About how many tokens a request has; at least 1. */
export function estimateTokens({ instructions = "", messages, tools = [] }: ModelRequest): number {
  let characters = instructions.length;
  for (const message of messages) characters += once(message, messageLength);
  for (const tool of tools) characters += once(tool, toolLength);
  return Math.ceil(characters / charactersPerToken) || 1;
}

function once<T extends Message | ToolSpec>(item: T, measure: (item: T) => number): number {
  let length = known.get(item);
  if (length === undefined) known.set(item, (length = measure(item)));
  return length;
}

function toolLength(tool: ToolSpec): number {
  return JSON.stringify(tool).length;
}

function messageLength(message: Message): number {
  if (message.role === "tool") return partsLength(message.result.content);
  if (typeof message.content === "string") return message.content.length;
  const length = partsLength(message.content);
  if (message.role !== "assistant") return length;
  return message.toolCalls.reduce(
    (sum, { toolName, arguments: text }) => sum + toolName.length + text.length,
    length,
  );
}

function partsLength(parts: readonly AssistantPart[]): number {
  let length = 0;
  for (const part of parts) {
    if (part.type === "text" || part.type === "reasoning") length += part.text.length;
    else if (part.type !== "tool-call") length += mediaCharacters;
  }
  return length;
}
