/**
 * A server with the APIs of OpenAI, Anthropic and Google for files and for models, as their references describe them: forms are read by a
 * parser of the platform, and a request that refers to a file that is not there is refused in the words of the provider.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { asObject, asText } from "../../src/providers/kit/json-values.ts";
import { completion, message, response } from "../batches/batch-answers.ts";

/** What the server stores. */
export interface File {
  readonly id: string;
  readonly content: Buffer;
  readonly mediaType: string;
  readonly filename: string;
  /** The other fields of the form, or the headers of a resumable upload. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A request, as it came. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export class FileServer {
  readonly files: Map<string, File> = new Map();
  readonly received: Received[] = [];
  /** The statuses of the next uploads that fail. */
  readonly failures: number[] = [];
  /** How often a file of Google is looked at before it is ready. */
  looks = 0;
  /** What becomes of a file of Google. */
  end: "ACTIVE" | "FAILED" = "ACTIVE";
  /** Why Google could not process a file. */
  reason = "No frames.";
  /** Where Google has the content sent, if not to this server. */
  uploadsTo: string | undefined;
  /** Milliseconds for which Google keeps a file. */
  lifetime = 172_800_000;
  /** Called with each request before it is answered. */
  onRequest: (request: Received) => void | Promise<void> = () => undefined;
  readonly #started: Map<string, Received> = new Map();
  readonly #looked: Map<string, number> = new Map();
  readonly #server: Server = createServer((request, reply) => {
    void this.#receive(request, reply);
  });

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new TypeError("The server has no port.");
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** The bodies of the requests to models. */
  get requests(): readonly string[] {
    return this.received.filter(isToModel).map(({ body }) => body.toString());
  }

  /** The uploads, those that failed included. */
  get uploads(): readonly Received[] {
    return this.received.filter(({ path, method }) => method === "POST" && path.endsWith("/files"));
  }

  async #receive(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const received = { method, path: url.replace(/\?.*/, ""), headers, body: await buffer(request) };
    this.received.push(received);
    await this.onRequest(received);
    await this.#answer(received, reply);
  }

  async #answer(request: Received, reply: ServerResponse): Promise<void> {
    const { method, path, headers } = request;
    if (path.endsWith("/files") && this.failures.length > 0)
      return send(reply, this.failures.shift() ?? 500, { error: { message: "Not now.", type: "api_error" } });
    if (path === "/v1/files") return this.#store(request, reply);
    if (path === "/upload/v1beta/files") return this.#startGoogle(request, reply);
    if (path.startsWith("/uploading/")) return this.#finishGoogle(request, reply);
    if (method === "GET") return send(reply, 200, this.#lookAt(path.replace("/v1beta/", "")));
    const body = asObject(JSON.parse(request.body.toString()));
    const missing = idsIn(body).find((id) => !this.files.has(id));
    if (missing !== undefined) return refuse(reply, path, missing);
    if (path === "/v1/messages") {
      const hasBeta = headers["anthropic-beta"]?.includes("files-api-2025-04-14") === true;
      if (idsIn(body).length > 0 && !hasBeta) return send(reply, 400, error("source.file needs a beta"));
      return send(reply, 200, message(body));
    }
    if (path === "/v1/responses") return send(reply, 200, response(body));
    if (path === "/v1/chat/completions") return send(reply, 200, completion(body));
    const content = { role: "model", parts: [{ text: "Seen." }] };
    return send(reply, 200, { candidates: [{ content, finishReason: "STOP" }] });
  }

  async #store({ body, headers }: Received, reply: ServerResponse): Promise<void> {
    const isAnthropic = headers["anthropic-version"] !== undefined;
    if (isAnthropic && !headers["anthropic-beta"]?.includes("files-api-2025-04-14"))
      return send(reply, 404, error("Not found"));
    const type = headers["content-type"] ?? "";
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    if (!(file instanceof Blob)) return send(reply, 400, error("file is missing"));
    const fields: Record<string, string> = {};
    for (const [name, value] of form) if (typeof value === "string") fields[name] = value;
    if (!isAnthropic && fields["purpose"] === undefined) return send(reply, 400, error("purpose is missing"));
    const id = `${isAnthropic ? "file_" : "file-"}${this.files.size + 1}a`;
    const content = Buffer.from(await file.arrayBuffer());
    this.files.set(id, { id, content, mediaType: file.type, filename: file.name, fields });
    return send(reply, 200, { id, object: "file" });
  }

  #startGoogle(request: Received, reply: ServerResponse): void {
    const { headers } = request;
    if (headers["x-goog-upload-command"] !== "start" || headers["x-goog-upload-protocol"] !== "resumable")
      return send(reply, 400, error("Wrong command"));
    const id = `f${this.#started.size + 1}a`;
    this.#started.set(id, request);
    reply.writeHead(200, {
      "x-goog-upload-url": `${this.uploadsTo ?? this.url}/uploading/${id}`,
      "content-length": "0",
    });
    reply.end();
  }

  #finishGoogle({ path, headers, body }: Received, reply: ServerResponse): void {
    const id = path.replace("/uploading/", "");
    const start = this.#started.get(id);
    const size = Number(start?.headers["x-goog-upload-header-content-length"]);
    if (!start || headers["x-goog-upload-command"] !== "upload, finalize" || size !== body.length)
      return send(reply, 400, error("Wrong command or size"));
    const { file } = asObject(JSON.parse(start.body.toString()));
    this.files.set(`files/${id}`, {
      id: `files/${id}`,
      content: body,
      mediaType: asText(start.headers["x-goog-upload-header-content-type"]),
      filename: asText(asObject(file)["display_name"]),
      fields: {},
    });
    return send(reply, 200, { file: this.#lookAt(`files/${id}`) });
  }

  #lookAt(name: string): Record<string, unknown> {
    const looked = this.#looked.get(name) ?? 0;
    this.#looked.set(name, looked + 1);
    return {
      name,
      uri: `${this.url}/v1beta/${name}`,
      state: looked < this.looks ? "PROCESSING" : this.end,
      expirationTime: new Date(Date.now() + this.lifetime).toISOString(),
      ...(this.end === "FAILED" && { error: { code: 3, message: this.reason } }),
    };
  }
}

function isToModel({ path, method }: Received): boolean {
  return method === "POST" && !/files$|^\/uploading\//.test(path);
}

/** The ids of files in a body, wherever they stand. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return Object.entries(asObject(value)).flatMap(([name, field]) => {
    if (name === "file_id") return [asText(field)];
    return name === "fileUri" ? [asText(field).replace(/^.*\/v1beta\//, "")] : idsIn(field);
  });
}

/** The words in which providers refuse a request for a file that they do not have. */
function refuse(reply: ServerResponse, path: string, id: string): void {
  if (path === "/v1/messages")
    return send(reply, 404, {
      type: "error",
      error: { type: "not_found_error", message: `File not found: ${id}` },
    });
  if (path.startsWith("/v1/"))
    return send(reply, 404, error(`Files [${JSON.stringify(id)}] were not found.`));
  const name = id.replace("files/", "");
  const words = `You do not have permission to access the File ${name} or it may not exist.`;
  return send(reply, 403, { error: { code: 403, message: words, status: "PERMISSION_DENIED" } });
}

function error(words: string): object {
  return { error: { message: words, type: "invalid_request_error" } };
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { "content-type": "application/json" });
  reply.end(JSON.stringify(body));
}
