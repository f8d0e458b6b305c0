import { UnsupportedPartError } from "../../../errors.ts";
import { fromBase64, isBase64 } from "../../../base/util/base64.ts";
import { digest } from "../../../base/util/digest.ts";
import type { Message } from "../../../message/messages.ts";
import type { Part } from "../../../message/parts.ts";
import { assertParts } from "../../../model/assert-parts.ts";
import { sendFile, uploadTimeout } from "../../../model/send-file.ts";
import type { ModelRequest } from "../../../model/types.ts";
import { describePart } from "../data-url.ts";
import { fileNameOf, hasSoundType, type MediaPart, mediaTypeOf } from "../media.ts";
import { lostFiles } from "./lost-files.ts";
import { type StoredFiles, storedFilesOf } from "./stored-files.ts";
import { contentOf, partsOf, type PartsMessage, referenceTo, withParts } from "./stored-message.ts";
import type {
  FileApi,
  StoredFile,
  UploadConnection,
  UploadContext,
  UploadFile,
  UploadOptions,
} from "./types.ts";

/** How long an upload may take, in milliseconds, with the time until a video is ready. */
const longestUpload = 600_000;

/** A file that a request refers to. */
interface Reference extends StoredFile {
  readonly key: string;
}

/** A message whose large parts are stored. */
interface StoredMessage {
  readonly message: PartsMessage;
  readonly references: readonly Reference[];
}

/** A request that refers to stored files. */
interface StoredRequest {
  readonly request: ModelRequest;
  readonly references: readonly Reference[];
}

/** Throws for a request that cannot be sent, such as one with a part that the provider does not take. */
type AssertSendable = (request: ModelRequest) => void;

/** The uploads of one model. Histories keep their parts: only requests refer to files by their ids. */
export class Uploads {
  readonly #connection: UploadConnection;
  readonly #api: FileApi;
  readonly #assertSendable: AssertSendable;
  readonly #minBytes: number;
  readonly #files: StoredFiles;
  /** Who owns the files, and where they are. */
  readonly #account: Promise<string>;
  /** The keys of contents: a digest of megabytes takes its time. */
  readonly #keys = new WeakMap<MediaPart, Promise<string>>();
  /** Whether the content of a part is base64: it may have megabytes, and comes with each request. */
  readonly #readable = new WeakMap<MediaPart, boolean>();
  /** By the content of the original: the same object as long as its files are the same, since translations are remembered by it. */
  readonly #stored = new WeakMap<object, StoredMessage>();

  /** @param assertSendable - Throws for a request that would be refused: nothing of one is uploaded. */
  constructor(
    connection: UploadConnection,
    api: FileApi,
    assertSendable: AssertSendable,
    { minBytes = 262_144 }: UploadOptions,
  ) {
    this.#connection = connection;
    this.#api = api;
    this.#assertSendable = assertSendable;
    this.#minBytes = minBytes;
    this.#files = storedFilesOf(connection.fetch);
    // The headers have the key: only their digest is kept.
    this.#account = digest(JSON.stringify([connection.provider, api.url, connection.headers]));
  }

  /**
   * Sends a request whose large parts are stored. Each file that the provider does not have any more is uploaded again, once.
   * @throws UnsupportedPartError before anything is uploaded, for a part that cannot be sent.
   * @throws ModelError of an upload, and of the request.
   */
  async send<T>(request: ModelRequest, send: (request: ModelRequest) => Promise<T>): Promise<T> {
    if (!request.messages.some((message) => this.#hasLargePart(message))) return send(request);
    await this.#check(request);
    const renewed = new Set<string>();
    for (;;) {
      const stored = await this.#store(request);
      try {
        return await send(stored.request);
      } catch (error) {
        // Providers name one of them at a time.
        const lost = lostFiles(error, stored.references).filter(({ key }) => !renewed.has(key));
        if (lost.length === 0) throw error;
        for (const { key, id } of lost) {
          this.#files.forget(key, id);
          renewed.add(key);
        }
      }
    }
  }

  /** Checks the whole of a request before the first upload; one whose files are all stored is checked when it is sent. */
  async #check(request: ModelRequest): Promise<void> {
    const parts = request.messages.flatMap(partsOf).filter((part) => this.#isLarge(part));
    const keys = await Promise.all(parts.map((part) => this.#keyOf(part)));
    if (keys.every((key) => this.#files.has(key))) return;
    const messages = request.messages.map((message) =>
      this.#hasLargePart(message) ? this.#withAnyId(message) : message,
    );
    this.#assertSendable({ ...request, messages });
  }

  /** What a message will be when its large parts are stored, but for their ids. */
  #withAnyId(message: PartsMessage): PartsMessage {
    const { provider } = this.#connection;
    const parts = partsOf(message).map((part) =>
      this.#isLarge(part) ? referenceTo(part, { id: "any" }, provider) : part,
    );
    return withParts(message, parts);
  }

  async #store(request: ModelRequest): Promise<StoredRequest> {
    const references: Reference[] = [];
    const messages = await Promise.all(
      request.messages.map(async (message) => {
        if (!this.#hasLargePart(message)) return message;
        const stored = await this.#storeMessage(message, request.signal);
        references.push(...stored.references);
        return stored.message;
      }),
    );
    return { request: { ...request, messages }, references };
  }

  async #storeMessage(message: PartsMessage, signal: AbortSignal | undefined): Promise<StoredMessage> {
    const references: Reference[] = [];
    const stored = await Promise.all(
      partsOf(message).map(async (part): Promise<Part> => {
        if (!this.#isLarge(part)) return part;
        const reference = await this.#reference(part, signal);
        references.push(reference);
        return referenceTo(part, reference, this.#connection.provider);
      }),
    );
    return this.#remembered(message, { message: withParts(message, stored), references });
  }

  #remembered(original: PartsMessage, stored: StoredMessage): StoredMessage {
    const content = contentOf(original);
    const earlier = content && this.#stored.get(content);
    const isSame = idsOf(earlier) === idsOf(stored);
    if (earlier && isSame && original.role === "tool") return earlier;
    if (earlier && isSame) return { ...earlier, message: withParts(original, partsOf(earlier.message)) };
    if (content) this.#stored.set(content, stored);
    return stored;
  }

  /** @throws InvalidInputError for a value that is not a part. */
  #hasLargePart(message: Message): message is PartsMessage {
    const parts = partsOf(message);
    assertParts(
      parts,
      message.role === "tool" ? `a result of ${message.result.toolName}` : "a user's message",
    );
    return parts.some((part) => this.#isLarge(part));
  }

  #isLarge(part: Part): part is MediaPart {
    if (part.type !== "image" && part.type !== "file") return false;
    // Base64 has four characters for three bytes, some of them for none.
    const characters = part.url.length - part.url.indexOf(",") - 1;
    const padding = /={0,2}$/.exec(part.url.slice(-2))?.[0].length ?? 0;
    if (characters * 0.75 - padding < this.#minBytes) return false;
    if (!/^data:[^,]*;base64,/i.test(part.url.slice(0, 400)) || !hasSoundType(part)) return false;
    return this.#api.takes(part) && this.#isReadable(part);
  }

  /** What cannot be read is not uploaded: it is refused as without uploads. */
  #isReadable(part: MediaPart): boolean {
    const earlier = this.#readable.get(part);
    if (earlier !== undefined) return earlier;
    const isReadable = isBase64(base64Of(part));
    this.#readable.set(part, isReadable);
    return isReadable;
  }

  async #reference(part: MediaPart, signal: AbortSignal | undefined): Promise<Reference> {
    const key = await this.#keyOf(part);
    const file = await this.#files.get(key, (ending) => this.#upload(part, key, ending), signal);
    return { ...file, key };
  }

  #keyOf(part: MediaPart): Promise<string> {
    const earlier = this.#keys.get(part);
    if (earlier) return earlier;
    const key = this.#account.then((account) =>
      digest(`${account}\n${JSON.stringify([mediaTypeOf(part), fileNameOf(part)])}\n${base64Of(part)}`),
    );
    this.#keys.set(part, key);
    return key;
  }

  async #upload(part: MediaPart, key: string, ending: AbortSignal): Promise<StoredFile> {
    const { provider, modelId, fetch, agent } = this.#connection;
    const file = fileOf(part, key, this.#connection);
    const timeout = AbortSignal.timeout(longestUpload);
    const signal = AbortSignal.any([ending, timeout]);
    const context: UploadContext = {
      provider,
      modelId,
      signal,
      send: (request) => sendFile({ provider, modelId, fetch, agent, signal, ...request }),
    };
    try {
      return await this.#api.upload(file, context);
    } catch (error) {
      if (timeout.aborted && !ending.aborted) throw uploadTimeout(context, longestUpload);
      throw error;
    }
  }
}

function idsOf(stored: StoredMessage | undefined): string | undefined {
  // In any order: uploads end as they come.
  return stored?.references
    .map(({ id }) => id)
    .toSorted()
    .join("\n");
}

function base64Of({ url }: MediaPart): string {
  return url.slice(url.indexOf(",") + 1);
}

/** @throws UnsupportedPartError for content that is not base64. */
function fileOf(part: MediaPart, key: string, { provider, modelId }: UploadConnection): UploadFile {
  const bytes = fromBase64(base64Of(part));
  if (!bytes)
    throw new UnsupportedPartError(
      `The ${describePart(part)} cannot be uploaded to ${provider}: its content is not base64. Write it with media(bytes, mediaType).`,
      { provider, modelId },
    );
  return { bytes, mediaType: mediaTypeOf(part) ?? "", filename: fileNameOf(part), digest: key };
}
