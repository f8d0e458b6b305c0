import { toBase64 } from "../../base/util/base64.ts";
import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { decodeText, describePart, isTextType, isWebAddress, parseDataUrl } from "../kit/data-url.ts";
import { ownData } from "../kit/own-data.ts";
import type { Warn } from "../kit/turns.ts";

/** One part of a content (https://ai.google.dev/api/caching#Part). */
export type WirePart = JsonObject;

/** The target of parts. */
export interface PartTarget {
  /** Data that this provider wrote is sent back unchanged. */
  readonly provider: string;
  readonly warn: Warn;
}

/**
 * Translates the parts of a user message or a tool result, which `place` names in errors. A part that the API refuses is replaced by
 * text that describes it.
 * @throws InvalidInputError for a value that is not a part.
 */
export function inputParts(parts: readonly Part[], place: string, target: PartTarget): WirePart[] {
  assertParts(parts, place);
  return parts.flatMap((part): WirePart[] => {
    if (part.type === "text") return textParts(part.text);
    if (part.type === "reasoning") return [];
    const media = mediaPart(part, target.provider);
    if (media) return [media];
    const description = describePart(part);
    target.warn(`The Gemini API does not accept the ${description}: a text describes it instead.`);
    return textParts(`[${description}, which cannot be shown]`);
  });
}

/** A text part, or none for an empty text, which the API refuses. */
export function textParts(text: string): WirePart[] {
  return text === "" ? [] : [{ text }];
}

/** An image or a file as its content, or as a URL that the API fetches itself; `undefined` if the API accepts neither. */
export function mediaPart(part: ImagePart | FilePart, provider: string): WirePart | undefined {
  const media = inlineData(part) ?? fileData(part);
  return media && withOwnData(media, ownData(part.providerData, provider));
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

function inlineData(part: ImagePart | FilePart): WirePart | undefined {
  const content = parseDataUrl(part.url);
  if (!content) return undefined;
  const { mediaType, isBase64, data } = content;
  // The API accepts other kinds of text, such as JSON, only as plain text.
  const mimeType = !mediaType.startsWith("text/") && isTextType(mediaType) ? "text/plain" : mediaType;
  if (isBase64) return { inlineData: { mimeType, data } };
  const text = isTextType(mediaType) ? decodeText(content) : undefined;
  return text === undefined
    ? undefined
    : { inlineData: { mimeType, data: toBase64(new TextEncoder().encode(text)) } };
}

/** Media types by the extension of a URL. */
const typesByExtension: Readonly<Record<string, string>> = {
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
  const extension = /\.(\w+)(?:[?#].*)?$/.exec(url)?.[1]?.toLowerCase() ?? "";
  const mimeType =
    mediaType ?? (Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined);
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: url } };
}
