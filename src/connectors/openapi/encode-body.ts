import { isPlainObject } from "../../base/util/json.ts";
import { percent, serializePairs, memberProblem, textOf } from "./serialize.ts";
import type { BodyField, OperationBody, Serialization } from "./types.ts";

/** A body as it is sent. */
export interface EncodedBody {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** A file as a model gives it. */
interface GivenFile {
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly mediaType?: string;
}

/** A value that cannot be sent as it is, in words for the model. */
export class ArgumentError extends Error {}

/**
 * The body of a request.
 * @param boundary stands between the parts of a multipart body, and nowhere in them.
 * @throws ArgumentError for a value that cannot be written so.
 */
export function encodeBody(value: unknown, body: OperationBody, boundary: string): EncodedBody {
  const { kind, mediaType } = body;
  switch (kind) {
    case "json":
      return { contentType: mediaType, body: JSON.stringify(value) };
    case "text":
      return { contentType: withCharset(mediaType), body: textOf(value) };
    case "form":
      return { contentType: mediaType, body: formOf(value, body) };
    case "multipart":
      return { contentType: `${mediaType}; boundary=${boundary}`, body: multipartOf(value, body, boundary) };
    case "binary": {
      const file = fileOf(value, body.argument);
      const isOpen = mediaType === "application/octet-stream";
      return {
        contentType: (isOpen && mediaTypeOf(file, body.argument)) || mediaType,
        body: new Uint8Array(file.bytes),
      };
    }
  }
}

function withCharset(mediaType: string): string {
  return mediaType.includes("charset") ? mediaType : `${mediaType}; charset=utf-8`;
}

function fieldsOf(value: unknown, { argument }: OperationBody): readonly (readonly [string, unknown])[] {
  if (!isPlainObject(value))
    throw new ArgumentError(`${argument} must be an object: one property for each field`);
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

function formOf(value: unknown, body: OperationBody): string {
  const pairs = fieldsOf(value, body).flatMap(([name, member]) => {
    const { serialization, contentType } = body.fields.get(name) ?? {};
    if (serialization) {
      assertWhole("form", `${body.argument}.${name}`, member, serialization);
      return serializePairs(name, member, serialization);
    }
    // A list is repeated, an object is JSON: what OpenAPI says of fields without a style.
    const items: readonly unknown[] =
      Array.isArray(member) && !/json/i.test(contentType ?? "") ? member : [member];
    return items.map((item) => `${percent(name)}=${percent(textOf(item))}`);
  });
  return pairs.join("&").replaceAll("%20", "+");
}

/** @throws ArgumentError if an item of a field would arrive as several, or not at all. */
function assertWhole(kind: "form" | "part", place: string, value: unknown, how: Serialization): void {
  const problem = memberProblem(kind, value, how);
  if (problem !== undefined) throw new ArgumentError(`${place} ${problem}`);
}

function multipartOf(value: unknown, body: OperationBody, boundary: string): Uint8Array<ArrayBuffer> {
  const pieces: (string | Uint8Array)[] = [];
  for (const [name, member] of fieldsOf(value, body)) {
    const field = body.fields.get(name) ?? { file: false };
    for (const part of partsOf(name, member, field, `${body.argument}.${name}`)) {
      pieces.push(`--${boundary}\r\n`, ...part, "\r\n");
    }
  }
  pieces.push(`--${boundary}--\r\n`);
  return bytesOf(pieces);
}

/** The parts that a field is sent as, each with its headers. */
function partsOf(
  name: string,
  value: unknown,
  field: BodyField,
  place: string,
): readonly (readonly (string | Uint8Array)[])[] {
  if (field.file) {
    const files = (Array.isArray(value) ? value : [value]).map((each) => fileOf(each, place));
    return files.map((file) => {
      const contentType =
        field.contentType?.includes("*") || field.contentType?.includes(",") ? undefined : field.contentType;
      const type = mediaTypeOf(file, place) ?? contentType ?? "application/octet-stream";
      return [`${disposition(name, file.name ?? "file")}content-type: ${type}\r\n\r\n`, file.bytes];
    });
  }
  if (field.serialization) {
    assertWhole("part", place, value, field.serialization);
    const pairs = serializePairs(name, value, { ...field.serialization, allowReserved: false });
    return pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [
        `${disposition(decodeURIComponent(pair.slice(0, at)))}\r\n`,
        decodeURIComponent(pair.slice(at + 1)),
      ];
    });
  }
  const isJson = /json/i.test(field.contentType ?? "");
  const items: readonly unknown[] = Array.isArray(value) && !isJson ? value : [value];
  return items.map((item) => {
    const type = field.contentType ?? (typeof item === "object" ? "application/json" : undefined);
    const header = type === undefined ? "" : `content-type: ${type}\r\n`;
    return [`${disposition(name)}${header}\r\n`, isJson ? JSON.stringify(item) : textOf(item)];
  });
}

/** As browsers write it (WHATWG HTML, multipart/form-data). */
function disposition(name: string, filename?: string): string {
  const quoted = (text: string): string =>
    text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22").replaceAll("\0", "");
  const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
  return `content-disposition: form-data; name="${quoted(name)}"${file}\r\n`;
}

/** What a model gave as a file: an object with its content, or text alone. */
function fileOf(value: unknown, place: string): GivenFile {
  if (typeof value === "string") return { bytes: new TextEncoder().encode(value) };
  const { text, base64, name, mediaType } = isPlainObject(value) ? value : {};
  const named = {
    ...(typeof name === "string" && { name }),
    ...(typeof mediaType === "string" && { mediaType }),
  };
  if (typeof text === "string" && base64 === undefined)
    return { ...named, bytes: new TextEncoder().encode(text) };
  if (typeof base64 === "string" && text === undefined) return { ...named, bytes: fromBase64(base64, place) };
  throw new ArgumentError(`${place} must be a file: { "text": ... } or { "base64": ... }, one of them`);
}

function fromBase64(text: string, place: string): Uint8Array {
  try {
    const plain = text
      .replace(/^data:[^,]{0,200};base64,/, "")
      .replaceAll("-", "+")
      .replaceAll("_", "/");
    return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
  } catch {
    throw new ArgumentError(`${place}.base64 must be base64`);
  }
}

function mediaTypeOf({ mediaType }: GivenFile, place: string): string | undefined {
  if (mediaType === undefined || mediaType === "") return undefined;
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w-]+=[\w.+-]+)?$/.test(mediaType)) return mediaType;
  throw new ArgumentError(`${place}.mediaType must be a media type such as image/png`);
}

function bytesOf(pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const chunks = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
