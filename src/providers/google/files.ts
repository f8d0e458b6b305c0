import { InvalidRequestError } from "../../errors.ts";
import { sleep } from "../../base/util/sleep.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { destinationOf } from "../../model/http.ts";
import { unreadableAnswer } from "../../model/send-file.ts";
import type { Redact } from "../../model/secrets.ts";
import { isTextType } from "../kit/data-url.ts";
import { asObject, asText } from "../kit/json-values.ts";
import { mediaKindOf, type MediaPart, mediaTypeOf } from "../kit/media.ts";
import type { FileApi, StoredFile, UploadContext, UploadFile } from "../kit/uploads/types.ts";
import type { GoogleConnection } from "./options.ts";
import { isRefusedType } from "./parts.ts";

/** The waits between two looks at a file that is not ready, in milliseconds: each is twice the one before. */
const looks = { first: 250, longest: 5_000 };

/**
 * Google's API for files (https://ai.google.dev/api/files), with its resumable uploads in one piece. Google keeps files for 48 hours. Videos
 * are processed before models can read them.
 */
export function googleFiles(connection: GoogleConnection): FileApi {
  const url = connection.filesURL.replace(/\/([^/]+)$/, "/upload/$1/files");
  return {
    takes,
    url,
    upload: async (file, context) => {
      const address = await start(url, connection, file, context);
      const stored = await send(address, connection, file, context);
      return ready(stored, connection, context);
    },
  };
}

function takes(part: MediaPart): boolean {
  const mediaType = mediaTypeOf(part) ?? "";
  if (part.type === "image" && mediaKindOf(part) !== "image") return false;
  // Other texts are sent as plain text, which a file would not be.
  return !isRefusedType(mediaType) && (mediaType.startsWith("text/") || !isTextType(mediaType));
}

/** @returns where the content goes. */
async function start(
  url: string,
  { headers }: GoogleConnection,
  { bytes, mediaType, filename }: UploadFile,
  context: UploadContext,
): Promise<string> {
  const answer = await context.send({
    url,
    headers: {
      ...headers,
      accept: "application/json",
      "x-goog-upload-protocol": "resumable",
      "x-goog-upload-command": "start",
      "x-goog-upload-header-content-length": String(bytes.length),
      "x-goog-upload-header-content-type": mediaType,
    },
    body: JSON.stringify({ file: { display_name: filename.slice(0, 512) } }),
  });
  const address = answer.headers.get("x-goog-upload-url") ?? "";
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw unreadableAnswer(context, "an x-goog-upload-url");
  return address;
}

async function send(
  address: string,
  { headers, filesURL }: GoogleConnection,
  { bytes, mediaType }: UploadFile,
  context: UploadContext,
): Promise<JsonObject> {
  const isSameOrigin = new URL(address).origin === new URL(filesURL).origin;
  const answer = await context.send({
    url: address,
    headers: {
      // The address itself is the permission: the key goes nowhere but to where the model's requests go.
      ...(isSameOrigin && headers),
      accept: "application/json",
      "content-type": mediaType,
      "x-goog-upload-offset": "0",
      "x-goog-upload-command": "upload, finalize",
    },
    body: bytes,
  });
  return asObject(asObject(answer.value)["file"]);
}

/** Waits until models can read a file. */
async function ready(
  file: JsonObject,
  { headers, filesURL }: GoogleConnection,
  context: UploadContext,
): Promise<StoredFile> {
  const name = asText(file["name"]);
  if (!/^files\/[\w-]{1,100}$/.test(name)) throw unreadableAnswer(context, "a name of the file");
  let current = file;
  const { redact } = destinationOf({ ...context, url: filesURL, headers });
  for (let wait = looks.first; asText(current["state"]) === "PROCESSING"; wait *= 2) {
    await sleep(Math.min(wait, looks.longest), context.signal);
    const answer = await context.send({
      url: `${filesURL}/${name}`,
      method: "GET",
      headers: { ...headers, accept: "application/json" },
    });
    current = asObject(answer.value);
  }
  if (asText(current["state"]) === "FAILED") throw unprocessed(current, redact, context);
  const expiresAt = Date.parse(asText(current["expirationTime"]));
  return {
    id: name,
    url: asText(current["uri"]) || `${filesURL}/${name}`,
    ...(!Number.isNaN(expiresAt) && { expiresAt }),
  };
}

function unprocessed(
  file: JsonObject,
  redact: Redact,
  { provider, modelId }: UploadContext,
): InvalidRequestError {
  const reason = redact(asText(asObject(file["error"])["message"])).slice(0, 500);
  return new InvalidRequestError(
    `${provider}:${modelId} could not process an uploaded file${reason && `: ${reason}`}. Check that it is whole, and of its media type.`,
    { provider, modelId, providerMessage: reason || undefined },
  );
}
