import { asNumber, asObject, asText } from "../kit/json-values.ts";
import { mediaKindOf, type MediaPart } from "../kit/media.ts";
import { unreadableAnswer } from "../../model/send-file.ts";
import { fileForm } from "../kit/uploads/form.ts";
import type { FileApi } from "../kit/uploads/types.ts";
import type { Connection } from "./options.ts";

/** How long OpenAI keeps what is uploaded, in seconds: its longest time, instead of for ever. */
const lifetime = 2_592_000;

/**
 * OpenAI's API for files (https://platform.openai.com/docs/api-reference/files/create).
 * @param baseURL - As of the model, such as `https://api.openai.com/v1`.
 * @param takes - Whether requests may refer to a part by an id.
 */
export function openaiFiles(
  { headers, isOpenAI }: Connection,
  baseURL: string,
  takes: FileApi["takes"],
): FileApi {
  const url = `${baseURL}/files`;
  return {
    takes,
    url,
    upload: async (file, context) => {
      const fields = {
        purpose: file.mediaType.startsWith("image/") ? "vision" : "user_data",
        // Compatible servers may refuse what they do not know.
        ...(isOpenAI && {
          "expires_after[anchor]": "created_at",
          "expires_after[seconds]": String(lifetime),
        }),
      };
      const { contentType, body } = fileForm(fields, file);
      const answer = await context.send({
        url,
        headers: { ...headers, accept: "application/json", "content-type": contentType },
        body,
      });
      const stored = asObject(answer.value);
      const id = asText(stored["id"]);
      if (id === "") throw unreadableAnswer(context, "an id");
      const seconds = asNumber(stored["expires_at"]);
      return { id, ...(seconds !== undefined && { expiresAt: seconds * 1_000 }) };
    },
  };
}

/** Files other than images, audio and videos: Chat Completions takes ids of those alone. */
export function isDocument(part: MediaPart): boolean {
  return part.type === "file" && mediaKindOf(part) === "file";
}

/** Images and documents, which the Responses API takes by their ids. */
export function isImageOrDocument(part: MediaPart): boolean {
  return isDocument(part) || mediaKindOf(part) === "image";
}
