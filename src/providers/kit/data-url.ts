import { fromBase64 } from "../../base/util/base64.ts";
import type { FilePart, ImagePart } from "../../message/parts.ts";

/** The parts of a `data:` URL. */
export interface DataUrl {
  /** In lower case; `"text/plain"` if the URL names none. */
  readonly mediaType: string;
  readonly isBase64: boolean;
  readonly data: string;
}

/** Parses a `data:` URL; returns `undefined` for any other URL. */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (!isDataUrl(url) || comma < 0) return undefined;
  const [mediaType = "", ...parameters] = url.slice(5, comma).split(";");
  return {
    mediaType: mediaType.trim().toLowerCase() || "text/plain",
    isBase64: parameters.some((parameter) => parameter.trim().toLowerCase() === "base64"),
    data: url.slice(comma + 1),
  };
}

/** Whether a URL holds its data itself, however it is spelled. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/** Whether content of a media type is text. */
export function isTextType(mediaType: string): boolean {
  return (
    mediaType.startsWith("text/") ||
    /^application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript)$/.test(mediaType)
  );
}

/** The text in a `data:` URL; `undefined` if it cannot be decoded. */
export function decodeText({ data, isBase64 }: DataUrl): string | undefined {
  // Of invalid base64 or percent-encoding there is none: the caller says that the file cannot be sent.
  if (isBase64) {
    const bytes = fromBase64(data);
    return bytes && new TextDecoder().decode(bytes);
  }
  try {
    return decodeURIComponent(data);
  } catch {
    return undefined;
  }
}

/** Whether a URL is an HTTP or HTTPS address. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** Describes an image or a file in a message, without its content. */
export function describePart(part: ImagePart | FilePart): string {
  const mediaType = parseDataUrl(part.url)?.mediaType ?? part.mediaType;
  const name = part.type === "file" ? part.filename : undefined;
  const details = [name && JSON.stringify(name), mediaType && `(${mediaType})`].filter(Boolean).join(" ");
  return `${part.type}${details && ` ${details}`}`;
}
