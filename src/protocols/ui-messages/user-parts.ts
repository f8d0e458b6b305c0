import type { UserMessage } from "../../message/messages.ts";
import type { FilePart as SourceFile, ImagePart } from "../../message/parts.ts";
import type { FilePart, TextPart } from "./ui-message.ts";

/** What the user has written, as parts of a UI message. */
export function userParts({ content }: Pick<UserMessage, "content">): (TextPart | FilePart)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap((part): readonly (TextPart | FilePart)[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    const file = part.type === "reasoning" ? undefined : filePart(part);
    return file ? [file] : [];
  });
}

/** A file as a part of a UI message; `undefined` for an address that a page must not load. */
export function filePart(part: ImagePart | SourceFile): FilePart | undefined {
  const { type, url } = part;
  if (!/^(?:https|data):/i.test(url)) return undefined;
  const general = type === "image" ? "image" : "application/octet-stream";
  const mediaType = part.mediaType ?? mediaTypeOfData(url) ?? general;
  const filename = type === "file" ? part.filename : undefined;
  return { type: "file", url, mediaType, ...(filename !== undefined && { filename }) };
}

/** The media type that a `data:` URL names. */
export function mediaTypeOfData(url: string): string | undefined {
  return /^data:([\w.+-]+\/[\w.+-]+)[;,]/i.exec(url.slice(0, 300))?.[1]?.toLowerCase();
}
