import type { FilePart, ImagePart } from "../../message/parts.ts";
import { fieldOf, type Fields, limits, textAt, wrongField } from "./openai-fields.ts";

const address = /^(?:https:\/\/|data:)/i;

/** An address that a provider can read: not a path, and nothing of this machine's. */
function urlAt(value: unknown, param: string): string {
  const url = textAt(value, param, limits.url);
  if (address.test(url)) return url;
  throw wrongField(param, "must be an https: address or a data: URL.");
}

/** An image by its address. */
export function imageAt(value: unknown, param: string): ImagePart {
  return { type: "image", url: urlAt(value, param) };
}

/** A file by its data or address. Its id at OpenAI means nothing here. */
export function fileAt(fields: Fields, param: string): FilePart {
  const data = fieldOf(fields, "file_data");
  const url = data ?? fieldOf(fields, "file_url");
  if (url === undefined)
    throw wrongField(param, "must have the data of the file: uploaded files (file_id) are not here.");
  const filename = fieldOf(fields, "filename");
  return {
    type: "file",
    url: urlAt(url, `${param}.${data === undefined ? "file_url" : "file_data"}`),
    ...(filename !== undefined && { filename: textAt(filename, `${param}.filename`, limits.id) }),
  };
}
