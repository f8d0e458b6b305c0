import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type {
  BetaFileDocumentSource,
  BetaFileImageSource,
} from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { FilePart, Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import { decodeText, isTextType, isWebAddress, parseDataUrl } from "../kit/data-url.ts";
import {
  fileIdOf,
  mediaKindOf,
  type MediaPart,
  type MediaTarget,
  mediaTypeOf,
  type Refuse,
  translateMedia,
  whyNotReadable,
} from "../kit/media.ts";

/** A document or an image, which may be a file that Anthropic stores. The types of the API without betas do not have those. */
type StoredBlock =
  | (Omit<ImageBlockParam, "source"> & { source: BetaFileImageSource })
  | (Omit<DocumentBlockParam, "source"> & { source: BetaFileDocumentSource });

/** A block of a user message or a tool result. */
export type InputBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam | StoredBlock;

/** The beta that files stored at Anthropic need (https://platform.claude.com/docs/en/build-with-claude/files). */
export const filesBeta = "files-api-2025-04-14";

/**
 * Translates the parts of a user message or a tool result, which `place` names in errors. What the API refuses goes to `refuse`.
 * @throws InvalidInputError for a value that is not a part.
 */
export function inputBlocks(
  parts: readonly Part[],
  place: string,
  target: MediaTarget,
  refuse: Refuse,
): InputBlock[] {
  assertParts(parts, place);
  return parts.flatMap((part): InputBlock[] => {
    if (part.type === "text") return textBlocks(part.text);
    if (part.type === "reasoning") return [];
    const translate = (media: MediaPart): InputBlock | string => mediaBlock(media, target);
    return [translateMedia(part, translate, refuse, (text) => ({ type: "text", text }))];
  });
}

/** Whether a part is a file that is stored at the provider. */
export function isStoredFile(part: Part, provider: string): boolean {
  return (part.type === "image" || part.type === "file") && fileIdOf(part, provider) !== undefined;
}

/** A text block, or none for blank text, which the API refuses. */
export function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** The media types of images that the API takes, each as it calls it. */
export const imageTypes: ReadonlyMap<string, Base64ImageSource["media_type"]> = new Map([
  ["image/png", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);

/** An image or a document; why it cannot be sent, as a text. */
function mediaBlock(part: MediaPart, target: MediaTarget): InputBlock | string {
  const kind = mediaKindOf(part);
  if (kind === "audio" || kind === "video")
    return `the Messages API does not support ${kind}. ${remedies[kind]}`;
  const id = fileIdOf(part, target.provider);
  if (part.type === "image" || kind === "image") {
    if (id !== undefined) return { type: "image", source: { type: "file", file_id: id } };
    return imageBlock(part, target);
  }
  const title = part.filename ? { title: part.filename } : {};
  if (id !== undefined) return { type: "document", source: { type: "file", file_id: id }, ...title };
  const source = documentSource(part, target);
  return typeof source === "string" ? source : { type: "document", source, ...title };
}

const remedies = {
  audio: "Send a transcript, or use a model that supports audio, such as google(...).",
  video: "Send single images of it, or use a model that supports video, such as google(...).",
};

function imageBlock(part: MediaPart, target: MediaTarget): ImageBlockParam | string {
  if (isWebAddress(part.url)) return { type: "image", source: { type: "url", url: part.url } };
  const content = parseDataUrl(part.url);
  if (!content) return whyNotReadable(part, target);
  const mediaType = imageTypes.get(mediaTypeOf(part) ?? "");
  if (!mediaType) return "images must be PNG, JPEG, GIF or WebP. Convert it to one of them.";
  if (!content.isBase64) return whyNotReadable(part, target);
  return { type: "image", source: { type: "base64", media_type: mediaType, data: content.data } };
}

function documentSource(part: FilePart, target: MediaTarget): DocumentBlockParam["source"] | string {
  const { url } = part;
  const content = parseDataUrl(url);
  const mediaType = mediaTypeOf(part);
  const isPdf = mediaType === "application/pdf";
  if (!content) {
    if (!isWebAddress(url)) return whyNotReadable(part, target);
    if (isPdf || mediaType === undefined) return { type: "url", url };
    return "only PDFs and images are fetched. Pass its content as a data: URL.";
  }
  if (isPdf && content.isBase64) return { type: "base64", media_type: "application/pdf", data: content.data };
  if (!isTextType(mediaType ?? "")) return "documents must be PDF or text. Convert it to one of them.";
  const text = decodeText(content);
  if (text === undefined) return whyNotReadable(part, target);
  return text.trim() === ""
    ? "it is empty. Leave it out."
    : { type: "text", media_type: "text/plain", data: text };
}
