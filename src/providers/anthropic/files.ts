import { asObject, asText } from "../kit/json-values.ts";
import { mediaKindOf, type MediaPart, mediaTypeOf } from "../kit/media.ts";
import { unreadableAnswer } from "../../model/send-file.ts";
import { fileForm } from "../kit/uploads/form.ts";
import type { FileApi } from "../kit/uploads/types.ts";
import { type AnthropicConnection, headersWith } from "./options.ts";
import { filesBeta, imageTypes } from "./request-parts.ts";

/** Anthropic's API for files (https://platform.claude.com/docs/en/api/files-create). It keeps them until they are deleted. */
export function anthropicFiles(connection: AnthropicConnection): FileApi {
  const url = connection.url.replace(/\/messages$/, "/files");
  return {
    takes,
    url,
    upload: async (file, context) => {
      const { contentType, body } = fileForm({}, file);
      const headers = headersWith(connection, [filesBeta]);
      const answer = await context.send({
        url,
        headers: { ...headers, accept: "application/json", "content-type": contentType },
        body,
      });
      const id = asText(asObject(answer.value)["id"]);
      if (id === "") throw unreadableAnswer(context, "an id");
      return { id };
    },
  };
}

/** Images, PDFs and plain text: other texts are sent as plain text, which a file would not be. */
function takes(part: MediaPart): boolean {
  const mediaType = mediaTypeOf(part) ?? "";
  if (mediaKindOf(part) === "image") return imageTypes.has(mediaType);
  return part.type === "file" && (mediaType === "application/pdf" || mediaType === "text/plain");
}
