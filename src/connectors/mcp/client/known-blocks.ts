import type { JSONRPCResultResponse } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../base/util/json.ts";
import { cleanName } from "../../../base/util/clean-text.ts";

/** What is not read here: a server's mistake in it is none. */
const unreadMembers = ["annotations", "icons", "size", "_meta"] as const;

/** The types of blocks: which members have to be texts, and which have to be if they are there. */
const blockTypes: ReadonlyMap<string, readonly [required: readonly string[], optional: readonly string[]]> =
  new Map([
    ["text", [["text"], []]],
    ["image", [["data", "mimeType"], []]],
    ["audio", [["data", "mimeType"], []]],
    [
      "resource_link",
      [
        ["uri", "name"],
        ["title", "description", "mimeType"],
      ],
    ],
  ]);

/**
 * Puts a note in place of content of a later revision, for which the SDK would refuse a whole result.
 * @returns what makes a result unreadable: the SDK would describe what is wrong with each of a hundred thousand blocks.
 */
export function replaceUnknownBlocks({ result }: JSONRPCResultResponse): string | undefined {
  const { contents, messages } = result;
  if (Array.isArray(result.content)) result.content = result.content.map(readableBlock);
  return (
    malformedItem("content", result.content, isBlock) ??
    malformedItem("contents", contents, isContents) ??
    malformedItem("messages", messages, isPromptMessage)
  );
}

function malformedItem(
  name: string,
  items: unknown,
  isWellFormed: (item: unknown) => boolean,
): string | undefined {
  const index = Array.isArray(items) ? items.findIndex((item) => !isWellFormed(item)) : -1;
  return index < 0
    ? undefined
    : `the server's result is malformed: ${name}[${index}] is not what it has to be`;
}

function readableBlock(block: unknown): unknown {
  if (!isPlainObject(block) || typeof block["type"] !== "string") return block;
  const { type } = block;
  if (type !== "resource" && !blockTypes.has(type))
    return { type: "text", text: `[content of the unknown type "${cleanName(type)}" left out]` };
  for (const name of unreadMembers) delete block[name];
  return block;
}

function isBlock(block: unknown): boolean {
  if (!isPlainObject(block)) return false;
  if (block["type"] === "resource") return isContents(block["resource"]);
  const [required, optional] = blockTypes.get(String(block["type"])) ?? [["type"], []];
  return hasTexts(block, required, optional);
}

/** Whether it is what a resource holds. */
function isContents(contents: unknown): boolean {
  if (!isPlainObject(contents)) return false;
  return hasTexts(contents, ["uri", typeof contents["text"] === "string" ? "text" : "blob"], ["mimeType"]);
}

function isPromptMessage(message: unknown): boolean {
  return isPlainObject(message) && typeof message["role"] === "string" && isBlock(message["content"]);
}

function hasTexts(
  object: Readonly<Record<string, unknown>>,
  required: readonly string[],
  optional: readonly string[],
): boolean {
  const isText = (name: string): boolean => typeof object[name] === "string";
  return required.every(isText) && optional.every((name) => object[name] === undefined || isText(name));
}
