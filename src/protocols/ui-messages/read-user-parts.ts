import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import {
  type CheckedObject,
  describe,
  invalid,
  property,
  readList,
  readObject,
  readText,
} from "./checked-json.ts";
import { mediaTypeOfData } from "./user-parts.ts";

/** The most parts of a message. */
export const mostParts = 1_000;

/**
 * What a user has written and attached.
 * @throws InvalidInputError for another part than text and files, and for an address other than `data:` and `https:`.
 */
export function readUserContent(message: CheckedObject): string | readonly Part[] {
  const path = `${message.path}.parts`;
  const parts = readList(property(message, "parts"), path, mostParts).flatMap((each, index) => {
    const part = readObject(each, `${path}[${index}]`);
    return readUserPart(part) ?? [];
  });
  const [first] = parts;
  if (!first) return invalid(path, "have neither text nor files.");
  return parts.length === 1 && first.type === "text" ? first.text : parts;
}

/** `undefined` for what pages add for themselves. */
function readUserPart(part: CheckedObject): Part | undefined {
  const type = readText(part, "type", 1_000);
  if (type === "text") return { type, text: readText(part, "text") };
  if (type === "file") return readFile(part);
  if (type.startsWith("data-")) return undefined;
  return invalid(
    `${part.path}.type`,
    `must be "text" or "file" in a message of the user, not ${describe(type)}.`,
  );
}

/** @throws InvalidInputError for an address that models' providers, or pages, must not load. */
export function readFile(part: CheckedObject): ImagePart | FilePart {
  const url = readText(part, "url");
  assertAddress(url, `${part.path}.url`);
  const mediaType = readMediaType(part) ?? mediaTypeOfData(url);
  const type = mediaType !== undefined && /^image(?:\/|$)/i.test(mediaType) ? "image" : "file";
  // `useChat` may have the first half alone.
  const isWhole = mediaType?.includes("/") === true && !mediaType.endsWith("/*");
  const filename = property(part, "filename") === undefined ? undefined : readText(part, "filename", 1_000);
  return {
    type,
    url,
    ...(isWhole && { mediaType }),
    ...(type === "file" && filename !== undefined && { filename }),
  };
}

function readMediaType(part: CheckedObject): string | undefined {
  if (property(part, "mediaType") === undefined) return undefined;
  const mediaType = readText(part, "mediaType", 200);
  // Browsers have no type for some files.
  if (mediaType === "") return undefined;
  if (/^[\w.+-]+(?:\/(?:[\w.+-]+|\*)(?:\s*;.*)?)?$/.test(mediaType)) return mediaType;
  return invalid(`${part.path}.mediaType`, `must be a media type, not ${describe(mediaType)}.`);
}

function assertAddress(url: string, path: string): void {
  const start = url.slice(0, 300);
  if (/^data:/i.test(start)) {
    if (!/^data:[^,]{0,200};base64,/i.test(start)) invalid(path, "must be a data: URL with base64 content.");
  } else if (!/^https:\/\//i.test(start) || !URL.canParse(url))
    invalid(path, "must be a data: or an https: URL.");
}
