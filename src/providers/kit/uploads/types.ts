import type { FileAnswer, FileRequest } from "../../../model/send-file.ts";
import type { MediaPart } from "../media.ts";

/** How large parts are sent. */
export interface UploadOptions {
  /** The least size of a part that is uploaded, in bytes; 262,144 by default. Smaller ones are sent with each request. */
  readonly minBytes?: number;
}

/** The connection of a model, as far as uploads need it. */
export type UploadConnection = Pick<FileRequest, "provider" | "modelId" | "headers" | "fetch" | "agent">;

/** Content to upload. */
export interface UploadFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  readonly filename: string;
  /** The same for the same content and account; letters and digits. */
  readonly digest: string;
}

/** A file that a provider stores. */
export interface StoredFile {
  readonly id: string;
  /** Its address, where requests refer to files by that. */
  readonly url?: string | undefined;
  /** When it will be gone, in milliseconds since 1970, if that is known. */
  readonly expiresAt?: number | undefined;
}

/** Sends a request of an upload with the connection of the model. */
export type SendFile = (
  request: Pick<FileRequest, "url" | "method" | "headers" | "body">,
) => Promise<FileAnswer>;

/** What an upload needs to know of its surroundings. */
export interface UploadContext {
  readonly provider: string;
  readonly modelId: string;
  readonly send: SendFile;
  readonly signal: AbortSignal;
}

/** A provider's API for files. */
export interface FileApi {
  /** Whether requests may refer to a part by an id. */
  readonly takes: (part: MediaPart) => boolean;
  /** Where files are stored: with the account, it tells uploads of the same content apart. */
  readonly url: string;
  /** Stores a file, and waits until models can read it. */
  readonly upload: (file: UploadFile, context: UploadContext) => Promise<StoredFile>;
}
