import { toBase64 } from "../../base/util/base64.ts";
import type { FilePart, ImagePart } from "../../message/parts.ts";
import { decodeText, isTextType, parseDataUrl } from "../kit/data-url.ts";
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
  if (!isTextType(mediaType) || /google|vertex|gateway/.test(family)) return file(mediaType);
  if (family.includes("anthropic")) return file("text/plain");
  const text = decodeText({ mediaType, isBase64: true, data: content });
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
  const content = parseDataUrl(url);
  if (!content) return undefined;
  return content.isBase64 ? content.data : toBase64(decodePercent(content.data));
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
