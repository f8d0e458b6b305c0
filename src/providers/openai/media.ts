import type { FilePart } from "../../message/parts.ts";
import { isDataUrl, isWebAddress } from "../kit/data-url.ts";
import { mediaKindOf, type MediaPart, type MediaTarget, mediaTypeOf, whyNotReadable } from "../kit/media.ts";

/** A file whose media type says that it is an image is sent as one. */
export function isImage(part: MediaPart): boolean {
  return part.type === "image" || mediaKindOf(part) === "image";
}

/** Where a part goes. */
export interface PartTarget extends MediaTarget {
  /** Whether the server is OpenAI's own, whose limits are known. */
  readonly isOpenAI: boolean;
}

const imageTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/jpg",
  "image/gif",
  "image/webp",
  "image/*",
]);

/** Why an image cannot be sent as content or by its address; `undefined` if it can be. */
export function whyNoImage(part: MediaPart, target: PartTarget): string | undefined {
  if (!isDataUrl(part.url) && !isWebAddress(part.url)) return whyNotReadable(part, target);
  if (mediaKindOf(part) !== "image")
    return 'it must be an image. For any other content, write { type: "file", url }.';
  const mediaType = mediaTypeOf(part) ?? "image/*";
  if (!target.isOpenAI || imageTypes.has(mediaType)) return undefined;
  return "images must be PNG, JPEG, GIF or WebP. Convert it to one of them.";
}

/** Why a video cannot be sent. */
export const noVideo =
  "this API does not support video. Send single images of it, or use a model that supports video, such as google(...).";

/** What the data of a `data:` URL is in a format of `input_audio`: after the comma. */
export function audioDataOf({ url }: FilePart): string {
  return url.slice(url.indexOf(",") + 1);
}
