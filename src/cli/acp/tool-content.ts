import { resolve } from "node:path";
import type { ContentBlock, ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import type { ToolResult } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { printable } from "../text.ts";
import { codeBlock } from "./markdown.ts";

/** The most characters of a result that an editor is sent as text. */
const longestText = 100_000;

/** What a card shows of a result. */
export interface ShownResult {
  readonly content: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
}

/**
 * A result as an editor shows it: a diff where the tool returned `{ path, oldText?, newText }`, also as `meta`, else what the model sees.
 * @param cwd - What relative paths count from.
 * @param meta - What the tool returned for the page that shows the call.
 */
export function showResult(
  { content, structuredContent, isError }: ToolResult,
  cwd: string,
  meta?: unknown,
): ShownResult {
  const diff = isError ? undefined : (readDiff(meta, cwd) ?? readDiff(structuredContent, cwd));
  if (diff) return { content: [{ type: "diff", ...diff }], locations: [{ path: diff.path }] };
  return { content: content.map((part) => ({ type: "content", content: showPart(part) })) };
}

/** Text of a card. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Text that somebody else wrote, as it is. */
export function quoted(text: string): string {
  const isCut = text.length > longestText;
  const block = codeBlock(printable(isCut ? text.slice(0, longestText) : text));
  return isCut ? `${block}\n\n${text.length - longestText} more characters are not shown.` : block;
}

function readDiff(
  value: unknown,
  cwd: string,
): { readonly path: string; readonly oldText: string | null; readonly newText: string } | undefined {
  if (!isPlainObject(value)) return undefined;
  const { path, oldText = null, newText } = value;
  if (typeof path !== "string" || path === "" || typeof newText !== "string") return undefined;
  if (oldText !== null && typeof oldText !== "string") return undefined;
  return {
    path: resolve(cwd, printable(path)),
    oldText: oldText === null ? null : printable(oldText),
    newText: printable(newText),
  };
}

/** Images as such, everything else as text. */
function showPart(part: Part): ContentBlock {
  if (part.type === "text" || part.type === "reasoning") return { type: "text", text: quoted(part.text) };
  const data = /^data:([^;,]+)[^,]*;base64,(.*)$/s.exec(part.url);
  if (part.type === "image" && data) return { type: "image", mimeType: data[1] ?? "", data: data[2] ?? "" };
  const name = part.type === "file" ? (part.filename ?? "file") : "image";
  if (data) return { type: "text", text: `[${printable(name)}]` };
  return { type: "resource_link", name: printable(name), uri: printable(part.url) };
}
