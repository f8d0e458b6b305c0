import { longestText } from "../../message/longest-text.ts";
import type { Part } from "../../message/parts.ts";
import type { InvalidInputError } from "../../errors.ts";
import { addressProblem, isReadable } from "../kit/addresses.ts";
import { type InputObject, invalidInput } from "../kit/input-object.ts";
import { limits } from "./limits.ts";
import type { AgUiContent, AgUiPart, AgUiSource } from "./types.ts";

/** What a message holds, in the form of Skein and in that of the client. */
export interface InputContent {
  readonly content: string | readonly Part[];
  readonly original: AgUiContent;
  /** What is wrong with the first part that no model could be sent; such parts are in `original` alone. */
  readonly problem?: InvalidInputError;
}

/** The content of a message: text, or parts. */
export function readContent(message: InputObject): InputContent {
  const content = message.get("content");
  if (typeof content === "string" || content === undefined) {
    const text = message.optionalText("content") ?? "";
    return { content: text, original: text };
  }
  const parts = message.objects("content", limits.parts).map(readPart);
  const problem = parts.find((part) => part.problem)?.problem;
  return {
    content: parts.flatMap(({ part }) => part ?? []),
    original: parts.flatMap(({ original }) => original ?? []),
    ...(problem && { problem }),
  };
}

const partTypes = ["text", "image", "audio", "video", "document", "binary"] as const;

interface ReadPart {
  readonly part?: Part;
  readonly original?: AgUiPart;
  readonly problem?: InvalidInputError;
}

function readPart(object: InputObject): ReadPart {
  const type = object.choice("type", partTypes);
  switch (type) {
    case "text": {
      const text = object.optionalText("text") ?? "";
      return {
        ...(text !== "" && { part: { type, text } }),
        original: { type, text, ...attachmentsOf(object) },
      };
    }
    case "image":
    case "audio":
    case "video":
    case "document":
      return mediaPart(object, type, readSource(object.object("source")), "source.value");
    case "binary":
      return binaryPart(object);
  }
}

const binaryProblem =
  'must have "data" with a "mimeType", or an https: address as "url": the files that an "id" stands for are not here';

/** A part of the time before AG-UI 1.0. */
function binaryPart(object: InputObject): ReadPart {
  const mimeType = mimeTypeOf(object);
  const [url, data] = [object.optionalText("url"), object.optionalText("data")];
  const kind = mimeType?.split("/")[0];
  const type = kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
  if (data !== undefined && mimeType !== undefined)
    return mediaPart(object, type, dataSource(object, "data", mimeType), "data");
  if (url === undefined) return { problem: invalidInput(object.path, binaryProblem) };
  const source = { type: "url", value: url, ...(mimeType !== undefined && { mimeType }) } as const;
  return mediaPart(object, type, source, "url");
}

function mediaPart(
  object: InputObject,
  type: Exclude<AgUiPart["type"], "text">,
  source: AgUiSource,
  place: string,
): ReadPart {
  const original = { type, source, ...attachmentsOf(object) };
  const url = addressOf(source);
  if (url === undefined) return { original, problem: object.wrong(place, problemOf(source)) };
  const mediaType = source.mimeType;
  const more = { url, ...(mediaType !== undefined && { mediaType }) };
  if (type === "image") return { part: { type, ...more }, original };
  const filename = filenameOf(object);
  return { part: { type: "file", ...more, ...(filename !== undefined && { filename }) }, original };
}

/** What a model can be sent: neither a handle of some provider, nor an address that is not for everybody. */
function addressOf({ type, value, mimeType = "" }: AgUiSource): string | undefined {
  if (type === "data") return `data:${mimeType};base64,${value}`;
  return type === "url" && isReadable(value) ? value : undefined;
}

function problemOf({ type }: AgUiSource): string {
  if (type === "url") return addressProblem;
  return 'must be the content of the file, with a source of the type "data" or "url": files that a provider stores are not here';
}

function readSource(source: InputObject): AgUiSource {
  const type = source.choice("type", ["data", "url", "file"]);
  const value = source.id("value", longestText);
  const mimeType = mimeTypeOf(source);
  const more = { value, ...(mimeType !== undefined && { mimeType }) };
  if (type === "url") return { type, ...more };
  const provider = source.optionalText("provider", limits.name);
  if (type === "file") return { type, ...more, ...(provider !== undefined && { provider }) };
  if (mimeType === undefined) throw source.wrong("mimeType", "must be there");
  return dataSource(source, "value", mimeType);
}

function dataSource(object: InputObject, name: string, mimeType: string): AgUiSource {
  const value = object.text(name);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw object.wrong(name, "must be base64");
  return { type: "data", value, mimeType };
}

function mimeTypeOf(object: InputObject): string | undefined {
  const mimeType = object.optionalText("mimeType", limits.name);
  if (mimeType === undefined || /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/.test(mimeType)) return mimeType;
  throw object.wrong("mimeType", 'must be a media type such as "image/png"');
}

/** What a client wants back as it is. */
function attachmentsOf(object: InputObject): Pick<AgUiPart, "id" | "metadata"> {
  const id = object.optionalText("id", limits.id);
  const metadata = object.optionalJson("metadata");
  return { ...(id !== undefined && { id }), ...(metadata !== undefined && { metadata }) };
}

function filenameOf(object: InputObject): string | undefined {
  const metadata = object.get("metadata");
  if (typeof metadata !== "object" || metadata === null) return undefined;
  for (const name of ["filename", "title"]) {
    const value: unknown = Object.hasOwn(metadata, name) ? Reflect.get(metadata, name) : undefined;
    if (typeof value === "string" && value !== "" && value.length <= limits.name) return value;
  }
  return undefined;
}
