import type { Message } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";

/** What a message costs beside its content, and an image or a file, in tokens. */
const perMessage = 4;
const perMedium = 1_000;

/** About how many tokens a text has: a quarter for a character of ASCII, a half up to U+2E7F, one beyond. */
export function tokensOfText(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    quarters += code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4;
  }
  return quarters / 4;
}

/** About how many tokens a message has. */
export function tokensOf(message: Message): number {
  if (message.role === "tool") return perMessage + tokensOfParts(message.result.content);
  const { content } = message;
  const tokens = typeof content === "string" ? tokensOfText(content) : tokensOfParts(content);
  if (message.role !== "assistant") return perMessage + tokens;
  return message.toolCalls.reduce(
    (sum, call) => sum + perMessage + tokensOfText(call.toolName) + tokensOfText(call.arguments),
    perMessage + tokens,
  );
}

/** About how many tokens messages have together. */
export function tokensOfAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

function tokensOfParts(parts: readonly AssistantPart[]): number {
  return parts.reduce((sum, part) => sum + tokensOfPart(part), 0);
}

function tokensOfPart(part: AssistantPart): number {
  if (part.type === "image" || part.type === "file") return perMedium;
  const { providerData } = part;
  const hidden = providerData ? tokensOfText(JSON.stringify(providerData.data)) : 0;
  return hidden + ("text" in part ? tokensOfText(part.text) : 0);
}
