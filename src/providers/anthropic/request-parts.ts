import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import {
  type DataUrl,
  decodeText,
  describePart,
  isTextType,
  isWebAddress,
  parseDataUrl,
} from "../kit/data-url.ts";
import type { Warn } from "../kit/turns.ts";

/** A block of a user message or a tool result. */
export type InputBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

/**
 * Translates the parts of a user message or a tool result, which `place` names in errors. A part that the API refuses is
 * replaced by text that describes it.
 * @throws InvalidInputError for a value that is not a part.
 */
export function inputBlocks(parts: readonly Part[], place: string, warn: Warn): InputBlock[] {
  assertParts(parts, place);
  return parts.flatMap((part) => inputBlock(part, warn));
}

function inputBlock(part: Part, warn: Warn): InputBlock[] {
  if (part.type === "text") return textBlocks(part.text);
  if (part.type === "reasoning") return [];
  const block = part.type === "image" ? imageBlock(part) : fileBlock(part);
  if (block) return [block];
  const description = describePart(part);
  warn(`The Messages API does not accept the ${description}: a text describes it instead.`);
  return [{ type: "text", text: `[${description}, which cannot be shown]` }];
}

/** A text block, or none for blank text, which the API refuses. */
export function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

const imageTypes: ReadonlyMap<string, Base64ImageSource["media_type"]> = new Map([
  ["image/png", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);

function imageBlock(part: ImagePart | FilePart): ImageBlockParam | undefined {
  if (isWebAddress(part.url)) return { type: "image", source: { type: "url", url: part.url } };
  const content = parseDataUrl(part.url);
  const mediaType = imageTypes.get(content?.mediaType ?? "");
  if (!content?.isBase64 || !mediaType) return undefined;
  return { type: "image", source: { type: "base64", media_type: mediaType, data: content.data } };
}

function fileBlock(part: FilePart): ImageBlockParam | DocumentBlockParam | undefined {
  const content = parseDataUrl(part.url);
  const mediaType = (content?.mediaType ?? part.mediaType)?.toLowerCase();
  if (mediaType?.startsWith("image/")) return imageBlock(part);
  const source = documentSource(part.url, content, mediaType);
  return source && { type: "document", source, ...(part.filename && { title: part.filename }) };
}

function documentSource(
  url: string,
  content: DataUrl | undefined,
  mediaType: string | undefined,
): DocumentBlockParam["source"] | undefined {
  const isPdf = mediaType === "application/pdf";
  if (!content) return isWebAddress(url) && (isPdf || !mediaType) ? { type: "url", url } : undefined;
  if (isPdf && content.isBase64) return { type: "base64", media_type: "application/pdf", data: content.data };
  const text = isTextType(mediaType ?? "") ? decodeText(content) : undefined;
  return text?.trim() ? { type: "text", media_type: "text/plain", data: text } : undefined;
}
