import type { BodyKind } from "./types.ts";

/** How a body of a media type is written; `"binary"` for bytes, and for what could be anything. */
export function kindOfMediaType(mediaType: string): BodyKind {
  const type = mediaType.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  if (/^application\/(?:.*\+)?json$|^text\/json$/.test(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type.startsWith("multipart/")) return "multipart";
  if (/^text\/|[/+]xml$|yaml$|javascript$|graphql$|x-ndjson$|jsonl$|sql$/.test(type)) return "text";
  return "binary";
}

/** Whether all media types of a list, such as `image/png, image/jpeg`, are of bytes. */
export function areBytes(mediaTypes: string): boolean {
  return mediaTypes.split(",").every((each) => each.trim() !== "*/*" && kindOfMediaType(each) === "binary");
}
