import type { ContentBlock } from "@modelcontextprotocol/server";
import type { Part } from "../../../message/parts.ts";
import { isPlainObject } from "../../../base/util/json.ts";
import { blockProvider } from "./mcp-content.ts";
import type { Sdk } from "./sdk.ts";

/** A part as the protocol writes it. */
export function toBlock(sdk: Sdk, part: Part): ContentBlock {
  const { providerData } = part;
  if (providerData?.provider === blockProvider && sdk.isSpecType.ContentBlock(providerData.data))
    return providerData.data;
  if (part.type === "text" || part.type === "reasoning") return { type: "text", text: part.text };
  const inline = /^data:([^;,]*)[^,]*;base64,/i.exec(part.url);
  const mimeType = part.mediaType ?? inline?.[1] ?? "application/octet-stream";
  const name = part.type === "file" ? part.filename : undefined;
  if (!inline) return linkTo(part.url, name, part.mediaType);
  const data = part.url.slice(inline[0].length);
  if (part.type === "image") return { type: "image", data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
  const uri = `attachment:///${encodeURIComponent(name ?? "file")}`;
  return { type: "resource", resource: { uri, mimeType, blob: data } };
}

function linkTo(uri: string, name = uri, mimeType: string | undefined): ContentBlock {
  return { type: "resource_link", uri, name, ...(mimeType !== undefined && { mimeType }) };
}

/** The text of a block, as far as it has some. */
export function textOfBlock(block: unknown): string {
  return isPlainObject(block) && block["type"] === "text" && typeof block["text"] === "string"
    ? block["text"]
    : "";
}
