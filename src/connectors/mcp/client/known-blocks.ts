import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanName } from "../../../base/util/clean-text.ts";

const knownTypes: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** Puts a note in place of content of a later revision, for which the SDK would refuse a whole result. */
export function replaceUnknownBlocks(message: JSONRPCMessage): void {
  if (!("result" in message)) return;
  const { content } = message.result;
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) {
    const type: unknown = isPlainObject(block) ? block["type"] : undefined;
    if (typeof type !== "string" || knownTypes.has(type)) continue;
    content.splice(index, 1, {
      type: "text",
      text: `[content of the unknown type "${cleanName(type)}" left out]`,
    });
  }
}
