import type { Part } from "../../message/parts.ts";
import {
  field,
  jsonField,
  type InputObject,
  limits,
  objectField,
  objectsOf,
  pathOf,
  textField,
  wrong,
} from "./input-checks.ts";
import type { AgUiContent, AgUiPart, AgUiSource } from "./types.ts";

/** What a message holds, in the form of Skein and in that of the client. */
export interface InputContent {
  readonly content: string | readonly Part[];
  readonly original: AgUiContent;
}

/** The content of a message: text, or parts. Parts that no model could be sent are left out, as AG-UI has it. */
export function readContent(message: InputObject): InputContent {
  const content = field(message, "content");
  if (typeof content === "string" || content === undefined) {
    const text = textField(message, "content") ?? "";
    return { content: text, original: text };
  }
  const parts = objectsOf(content, pathOf(message, "content"), limits.parts).map(readPart);
  return {
    content: parts.flatMap(({ part }) => part ?? []),
    original: parts.flatMap(({ original }) => original ?? []),
  };
}

interface ReadPart {
  readonly part?: Part;
  readonly original?: AgUiPart;
}

function readPart(object: InputObject): ReadPart {
  const type = textField(object, "type", limits.name);
  switch (type) {
    case "text": {
      const text = textField(object, "text") ?? "";
      return {
        ...(text !== "" && { part: { type, text } }),
        original: { type, text, ...attachmentsOf(object) },
      };
    }
    case "image":
    case "audio":
    case "video":
    case "document":
      return mediaPart(object, type, readSource(objectField(object, "source")));
    case "binary":
      return binaryPart(object);
    case undefined:
    default:
      throw wrong(pathOf(object, "type"), 'must be "text", "image", "audio", "video" or "document"');
  }
}

/** A part of the time before AG-UI 1.0. */
function binaryPart(object: InputObject): ReadPart {
  const mimeType = mimeTypeOf(object);
  const [url, data] = [textField(object, "url"), textField(object, "data")];
  const kind = mimeType?.split("/")[0];
  const type = kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
  if (data !== undefined && mimeType !== undefined)
    return mediaPart(object, type, dataSource(pathOf(object, "data"), data, mimeType));
  if (url === undefined) return {};
  return mediaPart(object, type, { type: "url", value: url, ...(mimeType !== undefined && { mimeType }) });
}

function mediaPart(
  object: InputObject,
  type: Exclude<AgUiPart["type"], "text">,
  source: AgUiSource,
): ReadPart {
  const original = { type, source, ...attachmentsOf(object) };
  const url = addressOf(source);
  if (url === undefined) return { original };
  const mediaType = source.mimeType;
  const more = { url, ...(mediaType !== undefined && { mediaType }) };
  if (type === "image") return { part: { type, ...more }, original };
  const filename = filenameOf(object);
  return { part: { type: "file", ...more, ...(filename !== undefined && { filename }) }, original };
}

/** What a model can be sent: neither a handle of some provider, nor an address that is not for everybody. */
function addressOf({ type, value, mimeType = "" }: AgUiSource): string | undefined {
  if (type === "data") return `data:${mimeType};base64,${value}`;
  return type === "url" && /^(?:https:\/\/|data:)/i.test(value) ? value : undefined;
}

function readSource(source: InputObject): AgUiSource {
  const type = textField(source, "type", limits.name);
  const value = textField(source, "value");
  if (value === undefined || value === "")
    throw wrong(pathOf(source, "value"), "must be a text that is not empty");
  const mimeType = mimeTypeOf(source);
  const more = { value, ...(mimeType !== undefined && { mimeType }) };
  if (type === "url") return { type, ...more };
  const provider = textField(source, "provider", limits.name);
  if (type === "file") return { type, ...more, ...(provider !== undefined && { provider }) };
  if (type !== "data") throw wrong(pathOf(source, "type"), 'must be "data", "url" or "file"');
  if (mimeType === undefined) throw wrong(pathOf(source, "mimeType"), "must be there");
  return dataSource(pathOf(source, "value"), value, mimeType);
}

function dataSource(path: string, value: string, mimeType: string): AgUiSource {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw wrong(path, "must be base64");
  return { type: "data", value, mimeType };
}

function mimeTypeOf(object: InputObject): string | undefined {
  const mimeType = textField(object, "mimeType", limits.name);
  if (mimeType === undefined || /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/.test(mimeType)) return mimeType;
  throw wrong(pathOf(object, "mimeType"), 'must be a media type such as "image/png"');
}

/** What a client wants back as it is. */
function attachmentsOf(object: InputObject): Pick<AgUiPart, "id" | "metadata"> {
  const id = textField(object, "id", limits.id);
  const metadata = jsonField(object, "metadata");
  return { ...(id !== undefined && { id }), ...(metadata !== undefined && { metadata }) };
}

function filenameOf(object: InputObject): string | undefined {
  const metadata = field(object, "metadata");
  if (typeof metadata !== "object" || metadata === null) return undefined;
  for (const name of ["filename", "title"]) {
    const value: unknown = Object.hasOwn(metadata, name) ? Reflect.get(metadata, name) : undefined;
    if (typeof value === "string" && value !== "" && value.length <= limits.name) return value;
  }
  return undefined;
}
