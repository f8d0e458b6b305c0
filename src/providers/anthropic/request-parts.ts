import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";

/** A block that a user's message or a tool's result can have. */
export type InputBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

/** Tells the caller of something that could not be sent as asked. */
export type Warn = (warning: string) => void;

/**
 * The parts of a user's message or a tool's result as blocks; `place` names it. What the API refuses becomes text that
 * says what it was.
 * @throws InvalidInputError for what is no part.
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
  const description = describe(part);
  warn(`The Messages API takes no ${description}; its place is marked with text.`);
  return [{ type: "text", text: `[${description}, which cannot be shown]` }];
}

/** A text block, or none: the API refuses text without anything but white space. */
export function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** A `data:` URL, taken apart. */
interface DataUrl {
  readonly mediaType: string;
  readonly isBase64: boolean;
  readonly data: string;
}

function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (!/^data:/i.test(url) || comma < 0) return undefined;
  const [mediaType = "", ...parameters] = url.slice(5, comma).split(";");
  return {
    mediaType: mediaType.trim().toLowerCase() || "text/plain",
    isBase64: parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"),
    data: url.slice(comma + 1),
  };
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
  const text = isText(mediaType ?? "") ? decodeText(content) : undefined;
  return text?.trim() ? { type: "text", media_type: "text/plain", data: text } : undefined;
}

function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    /^application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript)$/.test(mediaType)
  );
}

function decodeText({ data, isBase64 }: DataUrl): string | undefined {
  try {
    if (!isBase64) return decodeURIComponent(data);
    return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  } catch {
    // No base64, or no percent-encoding: the caller is told that the file cannot be sent.
    return undefined;
  }
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** Names an image or a file without its content. */
export function describe(part: ImagePart | FilePart): string {
  const mediaType = parseDataUrl(part.url)?.mediaType ?? part.mediaType;
  const name = part.type === "file" ? part.filename : undefined;
  const details = [name && JSON.stringify(name), mediaType && `(${mediaType})`].filter(Boolean).join(" ");
  return `${part.type}${details && ` ${details}`}`;
}
