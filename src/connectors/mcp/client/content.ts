import type { CallToolResult, ContentBlock, GetPromptResult } from "@modelcontextprotocol/client";
import { boundedParts } from "../../../executor/bounded-parts.ts";
import type { Message } from "../../../message/messages.ts";
import type { Part } from "../../../message/parts.ts";
import { result } from "../../../tool/result.ts";
import type { ToolReturn } from "../../../tool/types.ts";
import { cleanName } from "../../../base/util/clean-text.ts";
import type { McpContents, McpPromptResult, McpResourceResult } from "./listed.ts";

/** The most characters of a result unless the options say otherwise. */
const defaultResultChars = 100_000;

/**
 * What a call gave, as a tool of ours returns it. Its structured content is the value that programs read.
 * @param hasApp - Whether a page shows the call: then what is structured is for that, and its `_meta` as well.
 */
export function toReturn(
  { content, structuredContent, isError = false, _meta: meta }: CallToolResult,
  limit: number = defaultResultChars,
  hasApp = false,
): ToolReturn {
  const parts = content
    .map(toPart)
    .filter((part) => !isError || part.type !== "text" || part.text.trim() !== "");
  const visibleParts: readonly Part[] =
    parts.length === 0 && structuredContent !== undefined && !hasApp
      ? [{ type: "text", text: JSON.stringify(structuredContent) }]
      : parts;
  const done = hasApp && structuredContent !== undefined ? forApp : nothing;
  return result({
    content: boundedParts(visibleParts.length === 0 ? [isError ? failure : done] : visibleParts, limit),
    ...(structuredContent !== undefined && { value: structuredContent }),
    ...(hasApp && meta && { meta }),
    isError,
  });
}

const nothing: Part = { type: "text", text: "The tool is done and returned nothing." };
const forApp: Part = {
  type: "text",
  text: "The tool is done. Its result is for the app that shows it to the user.",
};
/** Not every provider has a mark for errors: the words have to say it. */
const failure: Part = { type: "text", text: "The tool failed, and did not say why." };

/** The contents of a resource as parts. */
export function toParts(
  { contents }: McpResourceResult,
  limit: number = defaultResultChars,
): readonly Part[] {
  return boundedParts(contents.map(contentsPart), limit);
}

/** The messages of a prompt as a run takes them. */
export function toPrompt(
  { description, messages }: GetPromptResult,
  limit: number = defaultResultChars,
): McpPromptResult {
  return {
    ...(description !== undefined && { description }),
    messages: messages.map(({ role, content: block }): Message => {
      const content = boundedParts([toPart(block)], limit);
      return role === "user" ? { role, content } : { role, content, toolCalls: [] };
    }),
  };
}

/** A block of content as a part: links and texts of resources as text, with where they are from. */
export function toPart(block: ContentBlock): Part {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return mediaPart(block.data, block.mimeType);
    case "audio":
      return mediaPart(block.data, block.mimeType);
    case "resource_link": {
      const { uri, name, title = name, mimeType, description } = block;
      const facts = [mimeType, description].filter((fact) => fact !== undefined).map((fact) => `; ${fact}`);
      return { type: "text", text: `[resource ${cleanName(title)}: ${uri}${facts.join("")}]` };
    }
    case "resource":
      return contentsPart(block.resource);
  }
}

function contentsPart(contents: McpContents): Part {
  const { uri, mimeType = "application/octet-stream" } = contents;
  if ("text" in contents) return { type: "text", text: `[resource ${uri}]\n${contents.text}` };
  return mediaPart(contents.blob, mimeType, uri);
}

/** Media that are none would be refused by providers, and the whole history with them. */
function mediaPart(data: string, type: string, uri?: string): Part {
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";
  const plain = /\s/.test(data) ? data.replaceAll(/\s+/g, "") : data;
  if (!/^[A-Za-z\d+/]*={0,2}$/.test(plain))
    return { type: "text", text: `[${mediaType} that is not base64 left out]` };
  const url = `data:${mediaType};base64,${plain}`;
  if (mediaType.startsWith("image/")) return { type: "image", url, mediaType };
  const filename = uri?.split(/[?#]/)[0]?.split("/").at(-1);
  return { type: "file", url, mediaType, ...(filename && { filename }) };
}
