import type {
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputText,
} from "openai/resources/responses/responses";
import type { Part } from "../../../message/parts.ts";
import { isDataUrl, isWebAddress } from "../../kit/data-url.ts";
import {
  fileIdOf,
  fileNameOf,
  mediaKindOf,
  type MediaPart,
  type Refuse,
  translateMedia,
  whyNotReadable,
} from "../../kit/media.ts";
import { isImage, noVideo, type PartTarget, whyNoImage } from "../media.ts";

type ContentPart = ResponseInputText | ResponseInputImage | ResponseInputFile;

const noAudio =
  "the Responses API does not support audio. Use Chat Completions, openai(...), with a model that supports audio, or send a transcript.";

/** A part of a user's message or of a call's output; what cannot be sent goes to `refuse`. */
export function contentPart(part: Part, target: PartTarget, refuse: Refuse): ContentPart[] {
  if (part.type === "text") return [{ type: "input_text", text: part.text }];
  if (part.type === "reasoning") return [];
  const translate = (media: MediaPart): ContentPart | string => mediaPart(media, target);
  return [translateMedia(part, translate, refuse, (text) => ({ type: "input_text", text }))];
}

/** An image or a file, as content, by address, or by id; why it cannot be sent, as a text. */
function mediaPart(part: MediaPart, target: PartTarget): ContentPart | string {
  const id = fileIdOf(part, target.provider);
  if (isImage(part)) {
    if (id !== undefined) return { type: "input_image", file_id: id, detail: "auto" };
    return whyNoImage(part, target) ?? { type: "input_image", image_url: part.url, detail: "auto" };
  }
  const kind = mediaKindOf(part);
  if (kind === "audio") return noAudio;
  if (kind === "video") return noVideo;
  if (id !== undefined) return { type: "input_file", file_id: id };
  if (isDataUrl(part.url)) return { type: "input_file", filename: fileNameOf(part), file_data: part.url };
  return isWebAddress(part.url) ? { type: "input_file", file_url: part.url } : whyNotReadable(part, target);
}
