import type { FilePart, ImagePart } from "../../message/parts.ts";

/** The media type of a part, read from its `data:` URL if the part does not state it. */
export function mediaTypeOf(part: FilePart | ImagePart): string {
  return part.mediaType ?? /^data:([^;,]+)/i.exec(part.url)?.[1] ?? "";
}

/** The name of a file. OpenAI requires one for every file. */
export function fileNameOf(part: FilePart): string {
  const subtype = /\/(?:x-)?([a-z0-9]+)$/.exec(mediaTypeOf(part))?.[1];
  return part.filename ?? (subtype ? `file.${subtype}` : "file");
}
