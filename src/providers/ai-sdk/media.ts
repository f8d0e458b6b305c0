import type { FilePart, ImagePart } from "../../message/parts.ts";
import type { FilePrompt, TextPrompt } from "./prompt-types.ts";
import type { AiSdkUrls } from "./types.ts";

/** What the form of an image or a file depends on. */
export interface MediaTarget {
  /** The model's provider, such as `"openai.chat"`. */
  readonly family: string;
  /** The URLs that the model reads itself. */
  readonly urls: AiSdkUrls;
  /** Reports something that could not be sent as requested. */
  readonly warn: (warning: string) => void;
}

const typesByExtension: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
};

/**
 * An image or a file in a form that the model accepts. A URL that the model does not read becomes text that names it, with a
 * warning. A text file becomes text, unless the provider accepts such files.
 */
export function mediaPrompt(part: ImagePart | FilePart, target: MediaTarget): FilePrompt | TextPrompt {
  const { family, urls, warn } = target;
  const mediaType = mediaTypeOf(part);
  const filename = part.type === "file" && part.filename !== undefined ? { filename: part.filename } : {};
  const content = contentOf(part.url);
  if (content === undefined) {
    const url = URL.parse(part.url);
    if (url && isSupportedUrl(url.href, mediaType, urls))
      return { type: "file", mediaType, data: { type: "url", url }, ...filename };
    return describeInText(part, target, ` at ${part.url}`);
  }
  const file = (type: string): FilePrompt => {
    return { type: "file", mediaType: type, data: { type: "data", data: content }, ...filename };
  };
  if (!isText(mediaType) || /google|vertex|gateway/.test(family)) return file(mediaType);
  if (family.includes("anthropic")) return file("text/plain");
  const text = decodeBase64(content);
  if (text === undefined) return describeInText(part, target, "");
  warn(`The ${describe(part)} is sent to ${family} as text.`);
  return { type: "text", text: `[${describe(part)}]\n${text}` };
}

/** Replaces an image or a file that the model does not accept by a text that describes it, with a warning. */
export function describeInText(part: ImagePart | FilePart, target: MediaTarget, where: string): TextPrompt {
  target.warn(`${target.family} does not accept the ${describe(part)}: a text describes it instead.`);
  return { type: "text", text: `[${describe(part)}${where}, which cannot be shown]` };
}

function mediaTypeOf({ type, url, mediaType }: ImagePart | FilePart): string {
  const named = /^data:([^;,]+)/i.exec(url)?.[1]?.trim() ?? mediaType;
  if (named) return named.toLowerCase();
  const extension = /\.(\w{1,8})(?:[?#]|$)/.exec(url.slice(-200))?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(typesByExtension, extension)) return typesByExtension[extension] ?? "";
  return type === "image" ? "image/*" : "application/octet-stream";
}

/** The content of a `data:` URL in base64; `undefined` for any other URL. */
function contentOf(url: string): string | undefined {
  const comma = url.indexOf(",");
  if (!/^data:/i.test(url) || comma < 0) return undefined;
  const content = url.slice(comma + 1);
  return /;\s*base64\s*$/i.test(url.slice(0, comma)) ? content : toBase64(decodePercent(content));
}

function decodePercent(text: string): Uint8Array {
  const encoder = new TextEncoder();
  try {
    return encoder.encode(decodeURIComponent(text));
  } catch {
    // Not percent-encoded: the text is used unchanged.
    return encoder.encode(text);
  }
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function decodeBase64(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    // Invalid base64: the caller warns that the file cannot be sent.
    return undefined;
  }
}

function isText(mediaType: string): boolean {
  return /^(?:text\/|application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript)$)/.test(mediaType);
}

/** Whether the model reads a URL: one of its patterns for the media type, such as `image/*`, matches. */
function isSupportedUrl(url: string, mediaType: string, urls: AiSdkUrls): boolean {
  return Object.entries(urls).some(([pattern, addresses]) => {
    const prefix = pattern.toLowerCase().replace(/\*.*$/, "");
    const fits = pattern.includes("*") ? mediaType.startsWith(prefix) : mediaType === prefix;
    return fits && addresses.some((address) => url.search(address) === 0);
  });
}

function describe(part: ImagePart | FilePart): string {
  const name = part.type === "file" && part.filename ? ` ${JSON.stringify(part.filename)}` : "";
  return `${part.type}${name} (${mediaTypeOf(part)})`;
}
