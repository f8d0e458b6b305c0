import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { preview } from "../../schema/words.ts";
import type { InputObject } from "../kit/input-object.ts";
import { mediaTypeOfData } from "./user-parts.ts";

/** The most parts of a message. */
export const mostParts = 1_000;

/**
 * What a user has written and attached.
 * @throws InvalidInputError for another part than text and files, and for an address other than `data:` and `https:`.
 */
export function readUserContent(message: InputObject): string | readonly Part[] {
  const parts = message.objects("parts", mostParts).flatMap((part) => readUserPart(part) ?? []);
  const [first] = parts;
  if (!first) throw message.wrong("parts", "have neither text nor files");
  return parts.length === 1 && first.type === "text" ? first.text : parts;
}

/** `undefined` for what pages add for themselves. */
function readUserPart(part: InputObject): Part | undefined {
  const type = part.text("type", 1_000);
  if (type === "text") return { type, text: part.text("text") };
  if (type === "file") return readFile(part);
  if (type.startsWith("data-")) return undefined;
  throw part.wrong("type", `must be "text" or "file" in a message of the user, not ${preview(type)}`);
}

/** @throws InvalidInputError for an address that models' providers, or pages, must not load. */
export function readFile(part: InputObject): ImagePart | FilePart {
  const url = part.text("url");
  const problem = addressProblem(url);
  if (problem !== undefined) throw part.wrong("url", problem);
  const mediaType = readMediaType(part) ?? mediaTypeOfData(url);
  const type = mediaType !== undefined && /^image(?:\/|$)/i.test(mediaType) ? "image" : "file";
  // `useChat` may have the first half alone.
  const isWhole = mediaType?.includes("/") === true && !mediaType.endsWith("/*");
  const filename = part.optionalText("filename", 1_000);
  return {
    type,
    url,
    ...(isWhole && { mediaType }),
    ...(type === "file" && filename !== undefined && { filename }),
  };
}

function readMediaType(part: InputObject): string | undefined {
  const mediaType = part.optionalText("mediaType", 200);
  // Browsers have no type for some files.
  if (mediaType === undefined || mediaType === "") return undefined;
  if (/^[\w.+-]+(?:\/(?:[\w.+-]+|\*)(?:\s*;.*)?)?$/.test(mediaType)) return mediaType;
  throw part.wrong("mediaType", `must be a media type, not ${preview(mediaType)}`);
}

function addressProblem(url: string): string | undefined {
  const start = url.slice(0, 300);
  if (/^data:/i.test(start))
    return /^data:[^,]{0,200};base64,/i.test(start) ? undefined : "must be a data: URL with base64 content";
  return /^https:\/\//i.test(start) && URL.canParse(url) ? undefined : "must be a data: or an https: URL";
}
