import type { ContentBlock } from "@modelcontextprotocol/server";
import { toBlock } from "./content.ts";
import type { Sdk } from "./sdk.ts";
import type { McpPromptContent } from "./types.ts";

/** One message of the protocol, which has one block of content. */
export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** Messages as the protocol writes them: one for each part. */
export function messagesOf(sdk: Sdk, content: McpPromptContent): WireMessage[] {
  if (typeof content === "string") return [{ role: "user", content: { type: "text", text: content } }];
  return content.flatMap(({ role, content }) => {
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    return parts.map((part) => ({ role, content: toBlock(sdk, part) }));
  });
}
