import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { decodeText, describePart, isTextType, isWebAddress, parseDataUrl } from "../kit/data-url.ts";
import { isJsonObject } from "../kit/json-values.ts";
import type { Warn } from "../kit/turns.ts";

/** One part of a content (https://ai.google.dev/api/caching#Part). */
export type WirePart = JsonObject;

/** Whom parts are for. */
export interface PartTarget {
  /** Data of this provider stands in the parts as it came. */
  readonly provider: string;
  readonly warn: Warn;
}

/**
 * The parts of a user's message or a tool's result; `place` names it. What the API refuses becomes text that says what it was.
 * @throws InvalidInputError for what is not a part.
 */
export function inputParts(parts: readonly Part[], place: string, target: PartTarget): WirePart[] {
  assertParts(parts, place);
  return parts.flatMap((part): WirePart[] => {
    if (part.type === "text") return textParts(part.text);
    if (part.type === "reasoning") return [];
    const media = mediaPart(part, target.provider);
    if (media) return [media];
    const description = describePart(part);
    target.warn(`The Gemini API takes no ${description}; its place is marked with text.`);
    return textParts(`[${description}, which cannot be shown]`);
  });
}

/** A part of text, or none: the API refuses empty ones. */
export function textParts(text: string): WirePart[] {
  return text === "" ? [] : [{ text }];
}

/** An image or a file: its content, or its address, which the API fetches itself; `undefined` where it can do neither. */
export function mediaPart(part: ImagePart | FilePart, provider: string): WirePart | undefined {
  const media = inlineData(part) ?? fileData(part);
  return media && withOwnData(media, ownData(part.providerData, provider));
}

/** The fields that say what a part shows. */
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

/** A part with the data stored for this provider, which is left out if it shows something other than the history does. */
export function withOwnData(part: WirePart, own: JsonObject | undefined): WirePart {
  if (!own) return part;
  const isSame = visibleFields.every(
    (field) => own[field] === undefined || JSON.stringify(own[field]) === JSON.stringify(part[field]),
  );
  // The part's fields come first in order and last in value.
  return isSame ? { ...part, ...own, ...part } : part;
}

/** The data that this provider needs to see again. */
export function ownData(
  providerData: { readonly provider: string; readonly data: unknown } | undefined,
  provider: string,
): JsonObject | undefined {
  return providerData?.provider === provider && isJsonObject(providerData.data)
    ? providerData.data
    : undefined;
}

function inlineData(part: ImagePart | FilePart): WirePart | undefined {
  const content = parseDataUrl(part.url);
  if (!content) return undefined;
  const { mediaType, isBase64, data } = content;
  // Other kinds of text, such as JSON, are known to the API as plain text only.
  const mimeType = !mediaType.startsWith("text/") && isTextType(mediaType) ? "text/plain" : mediaType;
  if (isBase64) return { inlineData: { mimeType, data } };
  const text = isTextType(mediaType) ? decodeText(content) : undefined;
  return text === undefined ? undefined : { inlineData: { mimeType, data: base64Of(text) } };
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** The media types that the end of an address tells. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  mp3: "audio/mp3",
  wav: "audio/wav",
  mp4: "video/mp4",
};

function fileData({ url, mediaType }: ImagePart | FilePart): WirePart | undefined {
  if (!isWebAddress(url) && !url.startsWith("gs://")) return undefined;
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(url)?.[1]?.toLowerCase() ?? "";
  const mimeType = mediaType ?? (Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined);
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: url } };
}
