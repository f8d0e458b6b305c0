import type { Message, ToolMessage, UserMessage } from "../../../message/messages.ts";
import type { Part } from "../../../message/parts.ts";
import { fileUrlOf, type MediaPart, mediaTypeOf } from "../media.ts";
import type { StoredFile } from "./types.ts";

/** A message that may have large parts: what models say has none that are sent back. */
export type PartsMessage = UserMessage | ToolMessage;

/** The parts of a message; none of a text, and of what models say. */
export function partsOf(message: Message): readonly Part[] {
  if (message.role === "tool") return message.result.content;
  return message.role === "user" && typeof message.content !== "string" ? message.content : [];
}

/** By what translations of messages are remembered: one with the same content is the same message. */
export function contentOf(message: PartsMessage): object | undefined {
  if (message.role === "tool") return message.result;
  return typeof message.content === "string" ? undefined : message.content;
}

/** A message with other parts. */
export function withParts(message: PartsMessage, content: readonly Part[]): PartsMessage {
  if (message.role === "user") return { ...message, content };
  return { ...message, result: { ...message.result, content } };
}

/** A part that refers to a stored file, in place of its content. */
export function referenceTo(part: MediaPart, { id, url }: StoredFile, provider: string): MediaPart {
  const mediaType = mediaTypeOf(part);
  return { ...part, url: url ?? fileUrlOf(provider, id), ...(mediaType !== undefined && { mediaType }) };
}
