import { InvalidInputError } from "../errors.ts";
import type { FilePart, ImagePart } from "../message/parts.ts";
import { describeValue } from "../base/options/known-options.ts";
import { fromBase64, toBase64 } from "../base/util/base64.ts";

/**
 * A part of a user's message, or of a tool's result, from bytes: an image, audio, a video, a PDF or another file. Parts by address need no
 * function: `{ type: "file", url: "https://..." }`.
 * @param content - Bytes, or a text that is base64.
 * @param mediaType - Such as `"image/png"`, `"audio/wav"`, `"video/mp4"` or `"application/pdf"`.
 * @param filename - Of a file, shown to the model where its provider takes names.
 * @returns An image part for `image/...`, else a file part.
 * @throws InvalidInputError for empty content, a text that is not base64, and a `mediaType` that is none.
 */
export function media(
  content: Uint8Array | ArrayBuffer | string,
  mediaType: string,
  filename?: string,
): ImagePart | FilePart {
  if (typeof mediaType !== "string" || !/^[\w.+-]+\/[\w.+-]+$/.test(mediaType))
    throw new InvalidInputError(
      `The mediaType of media() is ${JSON.stringify(mediaType)}. Write a type and a subtype, such as "application/pdf".`,
    );
  if (filename !== undefined && typeof filename !== "string")
    throw new InvalidInputError("The filename of media() must be text: media(bytes, mediaType, filename).");
  const url = `data:${mediaType.toLowerCase()};base64,${base64Of(content)}`;
  if (/^image\//i.test(mediaType)) return { type: "image", url };
  return { type: "file", url, ...(filename !== undefined && { filename }) };
}

function base64Of(content: Uint8Array | ArrayBuffer | string): string {
  if (typeof content !== "string") {
    if (!(content instanceof Uint8Array || content instanceof ArrayBuffer))
      throw new InvalidInputError(
        `The content of media() must be bytes or base64, not ${describeValue(content)}. Pass a Uint8Array, such as new Uint8Array(await blob.arrayBuffer()).`,
      );
    const bytes = content instanceof Uint8Array ? content : new Uint8Array(content);
    if (bytes.length === 0) throw new InvalidInputError("The content of media() is empty.");
    return toBase64(bytes);
  }
  if (content !== "" && /^[\w+/]+={0,2}$/.test(content) && fromBase64(content)) return content;
  throw new InvalidInputError(
    "The content of media() is a text that is not base64. Pass bytes, or for an address write the part itself: " +
      '{ type: "file", url: "https://..." }.',
  );
}
