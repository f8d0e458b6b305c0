import type { FilePart, ImagePart } from "../../message/parts.ts";

/** The part's media type, from a `data:` URL where the part does not say it. */
export function mediaTypeOf(part: FilePart | ImagePart): string {
  return part.mediaType ?? /^data:([^;,]+)/.exec(part.url)?.[1] ?? "";
}

/** The file's name: OpenAI wants one for every file that is sent along. */
export function fileNameOf(part: FilePart): string {
  const subtype = /\/(?:x-)?([a-z0-9]+)$/.exec(mediaTypeOf(part))?.[1];
  return part.filename ?? (subtype ? `file.${subtype}` : "file");
}
