import type { Part } from "../../../message/parts.ts";
import { isPlainObject, type JsonObject } from "../../../base/util/json.ts";

/** The `provider` of parts that carry a block of the protocol in them. */
export const blockProvider = "mcp";

/**
 * Content of the protocol as a part of a tool's result or of a prompt: an audio clip, an embedded resource, a link to one. A tool
 * returns it within `result({ content: [mcpContent(block)] })`: alone, it would be a value, and JSON.
 * Clients of `serveMcp` are sent the block itself; a model is shown `text`, which is that of the resource by default.
 * @param block a content block of the Model Context Protocol, such as `{ type: "resource", resource: { uri, text } }`.
 */
export function mcpContent(block: JsonObject, text: string = textIn(block)): Part {
  return { type: "text", text, providerData: { provider: blockProvider, data: structuredClone(block) } };
}

function textIn({ resource, uri }: JsonObject): string {
  const words: unknown = isPlainObject(resource) ? (resource["text"] ?? resource["uri"]) : uri;
  return typeof words === "string" ? words : "";
}
