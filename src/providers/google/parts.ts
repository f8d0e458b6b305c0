import { toBase64 } from "../../base/util/base64.ts";
import type { Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import type { JsonObject } from "../../base/util/json.ts";
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
import { ownData } from "../kit/own-data.ts";
import type { Warn } from "../kit/turns.ts";

/** One part of a content (https://ai.google.dev/api/caching#Part). */
export type WirePart = JsonObject;

/** The target of parts. */
export interface PartTarget extends MediaTarget {
  /** Data that this provider wrote is sent back unchanged. */
  readonly provider: string;
  /** Whether requests go to Google's own API, whose limits are known. */
  readonly isFirstParty: boolean;
  /** Where stored files are, such as `https://generativelanguage.googleapis.com/v1beta`; without it none can be sent. */
  readonly filesURL?: string | undefined;
  readonly warn: Warn;
}

/**
 * Translates the parts of a user message or a tool result, which `place` names in errors. What the API refuses goes to `refuse`.
 * @throws InvalidInputError for a value that is not a part.
 */
export function inputParts(
  parts: readonly Part[],
  place: string,
  target: PartTarget,
  refuse: Refuse,
): WirePart[] {
  assertParts(parts, place);
  return parts.flatMap((part): WirePart[] => {
    if (part.type === "text") return textParts(part.text);
    if (part.type === "reasoning") return [];
    return [
      translateMedia(
        part,
        (media) => mediaPart(media, target),
        refuse,
        (text) => ({ text }),
      ),
    ];
  });
}

/** A text part, or none for an empty text, which the API refuses. */
export function textParts(text: string): WirePart[] {
  return text === "" ? [] : [{ text }];
}

/** An image or a file as its content, or as a URL that the API fetches itself; why the API refuses it, as a text. */
export function mediaPart(part: MediaPart, target: PartTarget): WirePart | string {
  const mediaType = mediaTypeOf(part);
  if (part.type === "image" && mediaKindOf(part) !== "image")
    return 'it must be an image. For any other content, write { type: "file", url }.';
  if (target.isFirstParty && mediaType !== undefined && isRefusedType(mediaType))
    return "files must be PDF, text, images, audio or videos. Convert it to one of them.";
  const media = inlineData(part, mediaType) ?? fileData(part, mediaType, target);
  if (!media) return whyNotReadable(part, target);
  return withOwnData(media, ownData(part.providerData, target.provider));
}

/** Binary documents that the API answers with an error (https://ai.google.dev/gemini-api/docs/document-processing). */
export function isRefusedType(mediaType: string): boolean {
  return (
    /^application\/(?:vnd\.|msword$|zip$|x-zip|gzip$|octet-stream$)/.test(mediaType) && !isTextType(mediaType)
  );
}

/** The fields with the visible content of a part. */
const visibleFields = [
  "text",
  "thought",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
] as const;

/** A part with the data stored for this provider. The data is left out if the history has other visible content. */
export function withOwnData(part: WirePart, own: JsonObject | undefined): WirePart {
  if (!own) return part;
  const isSame = visibleFields.every(
    (field) => own[field] === undefined || JSON.stringify(own[field]) === JSON.stringify(part[field]),
  );
  // The part's fields come first, and its values win.
  return isSame ? { ...part, ...own, ...part } : part;
}

function inlineData({ url }: MediaPart, mediaType = "text/plain"): WirePart | undefined {
  const content = parseDataUrl(url);
  if (!content) return undefined;
  // The API accepts other kinds of text, such as JSON, only as plain text.
  const mimeType = !mediaType.startsWith("text/") && isTextType(mediaType) ? "text/plain" : mediaType;
  if (content.isBase64) return { inlineData: { mimeType, data: content.data } };
  const text = isTextType(mediaType) ? decodeText(content) : undefined;
  return text === undefined
    ? undefined
    : { inlineData: { mimeType, data: toBase64(new TextEncoder().encode(text)) } };
}

function fileData(
  part: MediaPart,
  mediaType: string | undefined,
  { provider, filesURL }: PartTarget,
): WirePart | undefined {
  const id = filesURL === undefined ? undefined : fileIdOf(part, provider);
  const fileUri = id === undefined ? part.url : `${filesURL}/${id}`;
  if (!isWebAddress(fileUri) && !fileUri.startsWith("gs://")) return undefined;
  return { fileData: { ...(mediaType !== undefined && { mimeType: mediaType }), fileUri } };
}
