import { isBase64 } from "../../base/util/base64.ts";
import { UnsupportedPartError } from "../../errors.ts";
import type { FilePart, ImagePart } from "../../message/parts.ts";
import type { Message } from "../../message/messages.ts";
import { shownAddress } from "../../model/secrets.ts";
import { describePart, isDataUrl, isWebAddress, parseDataUrl } from "./data-url.ts";
import type { Warn } from "./turns.ts";

/** A part that is not text. */
export type MediaPart = ImagePart | FilePart;

/** What a part is, as providers tell them apart. */
export type MediaKind = "image" | "audio" | "video" | "file";

/** Media types by the extension of a URL. */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["heic", "image/heic"],
  ["heif", "image/heif"],
  ["pdf", "application/pdf"],
  ["mp3", "audio/mp3"],
  ["wav", "audio/wav"],
  ["mp4", "video/mp4"],
  ["mov", "video/quicktime"],
  ["webm", "video/webm"],
]);

/**
 * The media type of a part, in lower case: that of its `data:` URL, else `mediaType`, else that of the URL's extension; `undefined` if none
 * of them says it.
 */
export function mediaTypeOf({ url, mediaType }: MediaPart): string | undefined {
  const inUrl = /^data:([^;,]+)/i.exec(url.slice(0, 200))?.[1]?.trim();
  const stated = inUrl ?? mediaType ?? typeOfContent(url);
  return stated?.toLowerCase();
}

/** The type of a `data:` URL that names none is text; that of any other URL is what its extension stands for. */
function typeOfContent(url: string): string | undefined {
  if (/^data:/i.test(url)) return "text/plain";
  const extension = /\.(\w{1,8})(?:[?#].*)?$/.exec(url.slice(-2_000))?.[1]?.toLowerCase() ?? "";
  return typesByExtension.get(extension);
}

/** What a part is, by its media type; without one, what it says it is. */
export function mediaKindOf(part: MediaPart): MediaKind {
  const mediaType = mediaTypeOf(part);
  if (mediaType === undefined) return part.type;
  const [family] = mediaType.split("/");
  return family === "image" || family === "audio" || family === "video" ? family : "file";
}

/** The name of a file: its own, else one by its media type. */
export function fileNameOf(part: MediaPart): string {
  const subtype = /\/(?:x-)?([a-z0-9]+)$/.exec(mediaTypeOf(part) ?? "")?.[1];
  const stated = part.type === "file" ? part.filename : undefined;
  return stated ?? (subtype ? `file.${subtype}` : "file");
}

/** The id of a file that is stored at a provider: that of the URL `<provider>:<id>`; `undefined` for any other URL. */
export function fileIdOf({ url }: MediaPart, provider: string): string | undefined {
  if (!url.startsWith(`${provider}:`) || isWebAddress(url) || /^data:/i.test(url)) return undefined;
  const id = url.slice(provider.length + 1);
  return id === "" ? undefined : id;
}

/** The URL of a file that is stored at a provider. */
export function fileUrlOf(provider: string, id: string): string {
  return `${provider}:${id}`;
}

/** Says that a part cannot be sent, with the reason and the remedy as sentences. @returns what is sent in its place. */
export type Refuse = (part: MediaPart, why: string) => string;

/** The model that parts are sent to. */
export interface MediaTarget {
  readonly provider: string;
  readonly modelId: string;
}

/** A part for a person or a model: its kind, name and type, and its address without what may be secret. */
function describe(part: MediaPart): string {
  const hasAddress = isWebAddress(part.url) && URL.canParse(part.url);
  return describePart(part) + (hasAddress ? ` at ${shownAddress(part.url).slice(0, 500)}` : "");
}

/** Where a message of the user stands. */
export interface UserPlace {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly warn: Warn;
}

/**
 * What the user sends is refused: an answer to the rest would be one to another question. Of a message that was not answered, after which
 * the user has sent another one, it is described: the conversation goes on.
 * @param api - As warnings name it.
 */
export function refuseOfUser(
  { provider, modelId }: MediaTarget,
  api: string,
  { message, history, warn }: UserPlace,
): Refuse {
  return (part, why) => {
    const isUnanswered = history[history.indexOf(message) + 1]?.role === "user";
    if (isUnanswered) return describeOfResult(api, warn)(part, why);
    const description = describe(part);
    throw new UnsupportedPartError(
      `${provider}:${modelId} does not support the ${description} in a user's message: ${why}`,
      { provider, modelId, part: description },
    );
  };
}

/** What a tool has returned is described, with a warning: the run goes on, and the model knows what it does not see. */
export function describeOfResult(api: string, warn: Warn): Refuse {
  return (part) => {
    const description = describe(part);
    warn(`${api} does not accept the ${description}: a text describes it instead.`);
    return `[${description}, which cannot be shown]`;
  };
}

/** A type, a slash and a subtype: providers refuse a request with any other text. */
const mediaTypePattern = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+*-]{1,127}(?: *;.*)?$/;

/** Whether a part has no media type, or one that can be one. */
export function hasSoundType(part: MediaPart): boolean {
  const mediaType = mediaTypeOf(part);
  return mediaType === undefined || mediaTypePattern.test(mediaType);
}

/**
 * Translates a part into a provider's form.
 * @param translate - Returns the form, or why there is none, as a text.
 * @param asText - The form of a text, which is sent in place of a part that is not refused as a whole.
 */
export function translateMedia<T extends object>(
  part: MediaPart,
  translate: (part: MediaPart) => T | string,
  refuse: Refuse,
  asText: (text: string) => T,
): T {
  const media = hasSoundType(part)
    ? (whyNoContent(part) ?? translate(part))
    : 'its mediaType must be a media type, such as "application/pdf".';
  return typeof media === "string" ? asText(refuse(part, media)) : media;
}

/** Why the content of a `data:` URL cannot be any file; `undefined` for one that may be, and for any other URL. */
function whyNoContent({ url }: MediaPart): string | undefined {
  if (!isDataUrl(url)) return undefined;
  const content = parseDataUrl(url);
  if (!content) return "its content is missing. Write data:<media type>;base64,<content>.";
  if (content.data === "") return "its content is empty.";
  if (!content.isBase64 || isBase64(content.data)) return undefined;
  return "its content is not base64. Write it with media(bytes, mediaType).";
}

/** Why a URL cannot be sent that is neither content nor an address, or is stored elsewhere. */
export function whyNotReadable({ url }: MediaPart, { provider }: MediaTarget): string {
  if (parseDataUrl(url)) return "its content cannot be read. Write data:<media type>;base64,<content>.";
  const scheme = /^([\w.+-]{1,40}):/.exec(url)?.[1];
  const address = scheme === undefined ? "its url is not an address" : `"${scheme}:" is not read there`;
  return `${address}. Pass its content as a data: URL, an https: address, or "${provider}:<id>" of a file that is stored there.`;
}
