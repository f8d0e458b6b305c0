import type { FilePart, ImagePart, Part } from "../../message/parts.ts";
import { addressProblem, isReadable } from "./addresses.ts";
import { type InputObject, invalidInput } from "./input-object.ts";
import { limits } from "./openai-limits.ts";

function readUrl(object: InputObject, name: string): string {
  const url = object.text(name, limits.url);
  if (isReadable(url)) return url;
  throw object.wrong(name, addressProblem);
}

/** An image by its address. */
export function readImage(object: InputObject, name: string): ImagePart {
  return { type: "image", url: readUrl(object, name) };
}

/** A file by its data or address. Its id at OpenAI means nothing here. */
export function readFile(file: InputObject): FilePart {
  const name = ["file_data", "file_url"].find((each) => file.get(each) !== undefined);
  if (name === undefined)
    throw invalidInput(file.path, "must have the data of the file: uploaded files (file_id) are not here");
  const filename = file.optionalText("filename", limits.id);
  return { type: "file", url: readUrl(file, name), ...(filename !== undefined && { filename }) };
}

/** A text, or parts. */
export function readContent(
  object: InputObject,
  name: string,
  readPart: (part: InputObject) => Part,
): string | readonly Part[] {
  if (typeof object.get(name) === "string") return object.text(name, limits.text);
  return object.objects(name, limits.parts).map(readPart);
}

/** The text of a message that can have nothing else. */
export function plainText(content: string | readonly Part[], path: string): string {
  if (typeof content === "string") return content;
  return content
    .map((part, index) => {
      if (part.type === "text") return part.text;
      throw invalidInput(`${path}[${index}].type`, "must be a text in a message that is not the user's");
    })
    .join("");
}
