import type { ChatCompletionContentPart as ContentPart } from "openai/resources/chat/completions";
import type { FilePart, Part } from "../../../message/parts.ts";
import { isDataUrl, isWebAddress } from "../../kit/data-url.ts";
import {
  fileIdOf,
  fileNameOf,
  mediaKindOf,
  type MediaPart,
  mediaTypeOf,
  type Refuse,
  translateMedia,
  whyNotReadable,
} from "../../kit/media.ts";
import { audioDataOf, isImage, noVideo, type PartTarget, whyNoImage } from "../media.ts";

/** What compatible servers take, and OpenAI's package does not know (vLLM, OpenRouter, DashScope). */
type ServerPart =
  | { readonly type: "input_audio"; readonly input_audio: { readonly data: string; readonly format: string } }
  | { readonly type: "video_url"; readonly video_url: { readonly url: string } };

function serverPart(part: ServerPart): ContentPart {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package's types are those of OpenAI's own server
  return part as ContentPart;
}

/** A part of a user's message or of a tool's result; what cannot be sent goes to `refuse`. */
export function contentPart(part: Part, target: PartTarget, refuse: Refuse): ContentPart[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type === "reasoning") return [];
  const translate = (media: MediaPart): ContentPart | string => mediaPart(media, target);
  return [translateMedia(part, translate, refuse, (text) => ({ type: "text", text }))];
}

/** An image, audio, a video or a file; why it cannot be sent, as a text. */
function mediaPart(part: MediaPart, target: PartTarget): ContentPart | string {
  const id = fileIdOf(part, target.provider);
  if (part.type === "image" || isImage(part)) return imagePart(part, target, id !== undefined);
  const kind = mediaKindOf(part);
  if (kind === "audio") return audioPart(part, target);
  if (kind === "video") return videoPart(part, target);
  if (id !== undefined) return { type: "file", file: { file_id: id } };
  if (isDataUrl(part.url)) return { type: "file", file: { filename: fileNameOf(part), file_data: part.url } };
  if (!isWebAddress(part.url)) return whyNotReadable(part, target);
  return "Chat Completions does not fetch files. Pass its content as a data: URL, or use openai.responses(...), which fetches them.";
}

function imagePart(part: MediaPart, target: PartTarget, isStored: boolean): ContentPart | string {
  if (isStored)
    return "Chat Completions does not support ids of images. Pass its content as a data: URL, or use openai.responses(...).";
  return whyNoImage(part, target) ?? { type: "image_url", image_url: { url: part.url, detail: "auto" } };
}

function audioPart(part: FilePart, { isOpenAI, ...target }: PartTarget): ContentPart | string {
  if (!isDataUrl(part.url))
    return isWebAddress(part.url) || fileIdOf(part, target.provider) !== undefined
      ? "audio must be content. Pass it as a data: URL."
      : whyNotReadable(part, target);
  const subtype = /^audio\/(?:x-)?([\w.-]+)/.exec(mediaTypeOf(part) ?? "")?.[1] ?? "";
  const format = subtype === "mpeg" ? "mp3" : subtype === "wave" ? "wav" : subtype;
  // Compatible servers take other formats, too.
  if (isOpenAI && format !== "wav" && format !== "mp3")
    return "audio must be WAV or MP3. Convert it to one of them.";
  return serverPart({ type: "input_audio", input_audio: { data: audioDataOf(part), format } });
}

function videoPart(part: FilePart, target: PartTarget): ContentPart | string {
  if (target.isOpenAI) return noVideo;
  if (!isDataUrl(part.url) && !isWebAddress(part.url)) return whyNotReadable(part, target);
  return serverPart({ type: "video_url", video_url: { url: part.url } });
}
