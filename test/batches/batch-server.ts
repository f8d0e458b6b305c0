/**
 * A server with the batch APIs of Anthropic and OpenAI, as their references describe them: it refuses what they refuse, its results are in
 * another order than the requests, and it does nothing until a batch is looked at.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { asObject, asObjects, asText } from "../../src/providers/kit/json-values.ts";
import { type Body, completion, message, response } from "./batch-answers.ts";

/** What becomes of a request in a batch. */
export type Outcome = { readonly status: number; readonly body: Body } | "expired" | "canceled";

/** What goes wrong with an exchange: the connection breaks before or after its work is done, or the server answers with a status. */
export type Trouble = "before" | "after" | number;

/** A batch, whatever its API. */
export interface Batch {
  readonly id: string;
  readonly api: "anthropic" | "openai";
  readonly requests: readonly { readonly customId: string; readonly body: Body }[];
  readonly createdAt: number;
  readonly metadata: Body | undefined;
  /** Set for what is refused once the batch is looked at. */
  readonly problem?: string | undefined;
  isCancelled: boolean;
  isOver: boolean;
}

/** An exchange that is to be answered. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** An answer: JSON, or lines of it. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

export class BatchServer {
  readonly batches: Batch[] = [];
  /** The exchanges so far, such as `POST /v1/batches`, ids as `:id`. */
  readonly exchanges: string[] = [];
  /** Whether batches stay under way. */
  isHolding = false;
  /** What becomes of a request. */
  outcomeOf: (body: Body, batch: Batch) => Outcome = (body, { api }) => ({
    status: 200,
    body: api === "anthropic" ? message(body) : "input" in body ? response(body) : completion(body),
  });
  /** The results of a batch, from its lines. */
  resultsOf: (lines: readonly string[]) => string = (lines) => lines.map((line) => `${line}\n`).join("");
  /** What goes wrong with the next exchanges of a kind, in this order. */
  readonly troubles: Map<string, Trouble[]> = new Map();
  /** Called with each exchange before it is answered. */
  onExchange: (kind: string) => Trouble | undefined | Promise<Trouble | undefined> = () => undefined;
  readonly #files: Map<string, string> = new Map();
  readonly #server: Server = createServer((request, reply) => void this.#receive(request, reply));
  #count = 0;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  /** Without a path. */
  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new TypeError("The server has no port.");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** How often there was an exchange of a kind. */
  count(kind: string): number {
    return this.exchanges.filter((each) => each === kind).length;
  }

  /** How many requests were submitted, in whatever batches. */
  get submitted(): number {
    return this.batches.reduce((sum, { requests }) => sum + requests.length, 0);
  }

  async #receive(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const whole = await buffer(request);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const method = request.method ?? "GET";
    const kind = `${method} ${pathname.replace(/\/(?:msgbatch|batch|file)_[^/]+/, "/:id")}`;
    this.exchanges.push(kind);
    const trouble = this.troubles.get(kind)?.shift() ?? (await this.onExchange(kind));
    if (trouble === "before") return void request.socket.destroy();
    const exchange = {
      method,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: whole,
    };
    const answer =
      typeof trouble === "number"
        ? failure(trouble, "api_error", "Something went wrong.")
        : await this.#answer(exchange);
    if (trouble === "after") return void request.socket.destroy();
    reply.writeHead(answer.status, { "content-type": answer.type ?? "application/json" });
    reply.end(answer.text);
  }

  async #answer(exchange: Exchange): Promise<Answer> {
    const { path, headers } = exchange;
    if (path.startsWith("/v1/messages/batches")) {
      if (headers["x-api-key"] !== "key") return failure(401, "authentication_error", "invalid x-api-key");
      if (headers["anthropic-version"] === undefined)
        return failure(400, "invalid_request_error", "anthropic-version: header is required");
      return this.#anthropic(exchange, path.slice("/v1/messages/batches".length));
    }
    if (headers.authorization !== "Bearer key")
      return failure(401, "invalid_request_error", "Incorrect API key");
    return this.#openai(exchange, path.slice("/v1".length));
  }

  #anthropic({ method, query, headers, body }: Exchange, path: string): Answer {
    if (method === "POST" && path === "") {
      if (headers["content-type"] !== "application/json")
        return failure(400, "invalid_request_error", "expected JSON");
      const requests = asObjects(asObject(JSON.parse(body.toString()))["requests"]);
      const list = requests.map((each) => ({
        customId: asText(each["custom_id"]),
        body: asObject(each["params"]),
      }));
      const problem = problemOfRequests(list);
      if (problem !== undefined) return failure(400, "invalid_request_error", problem);
      return json(anthropicBatch(this.#add("anthropic", list, undefined)));
    }
    if (method === "GET" && path === "") return json(this.#anthropicPage(query));
    const [, id = "", action] = path.split("/");
    const batch = this.#find(id);
    if (!batch) return failure(404, "not_found_error", "Not found");
    if (method === "POST" && action === "cancel") {
      batch.isCancelled = true;
      return json(anthropicBatch(batch));
    }
    if (action === undefined) {
      this.#work(batch);
      return json(anthropicBatch(batch));
    }
    if (!batch.isOver) return failure(404, "not_found_error", "The results are not available yet");
    const lines = this.#outcomes(batch).map(([customId, outcome]) =>
      JSON.stringify({ custom_id: customId, result: anthropicResult(outcome) }),
    );
    return { status: 200, type: "application/x-jsonl", text: this.resultsOf(lines) };
  }

  #anthropicPage(query: URLSearchParams): Body {
    const { data, hasMore } = this.#page("anthropic", query.get("after_id"), query.get("limit"));
    return {
      data: data.map(anthropicBatch),
      has_more: hasMore,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  async #openai({ method, query, headers, body }: Exchange, path: string): Promise<Answer> {
    if (method === "POST" && path === "/files") {
      const type = headers["content-type"] ?? "";
      const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
      const file = form.get("file");
      const purpose = form.get("purpose");
      if ((purpose !== "batch" && purpose !== "user_data") || !(file instanceof File))
        return failure(400, "invalid_request_error", "a file and its purpose are required");
      return json({ id: this.#addFile(await file.text()), object: "file", purpose });
    }
    if (method === "POST" && path === "/batches") {
      const request = asObject(JSON.parse(body.toString()));
      const text = this.#files.get(asText(request["input_file_id"]));
      if (text === undefined) return failure(404, "invalid_request_error", "No such File object");
      if (request["completion_window"] !== "24h")
        return failure(400, "invalid_request_error", "Invalid completion_window");
      return json(openaiBatch(this.#addOpenai(request, text)));
    }
    if (method === "GET" && path === "/batches") {
      const { data, hasMore } = this.#page("openai", query.get("after"), query.get("limit"));
      return json({ object: "list", data: data.map((each) => openaiBatch(each)), has_more: hasMore });
    }
    const [, room, id = "", action] = path.split("/");
    if (room === "files") {
      const text = this.#files.get(id);
      if (text === undefined) return failure(404, "invalid_request_error", "No such File object");
      return {
        status: 200,
        type: "application/octet-stream",
        text: this.resultsOf(text.split("\n").filter(Boolean)),
      };
    }
    const batch = this.#find(id);
    if (!batch) return failure(404, "invalid_request_error", `No batch found with id '${id}'.`);
    if (method === "POST" && action === "cancel") {
      batch.isCancelled = true;
      return json(openaiBatch(batch));
    }
    this.#work(batch);
    return json(openaiBatch(batch, batch.isOver ? this.#outputOf(batch) : {}));
  }

  #addOpenai({ endpoint, metadata }: Body, text: string): Batch {
    const lines = text
      .split("\n")
      .filter(Boolean)
      .map((line) => asObject(JSON.parse(line)));
    const requests = lines.map((line) => ({
      customId: asText(line["custom_id"]),
      body: asObject(line["body"]),
    }));
    const isMixed = new Set(requests.map(({ body }) => body["model"])).size > 1;
    const isWrong = lines.some(({ method, url }) => method !== "POST" || url !== endpoint);
    const isStreamed = requests.some(({ body }) => body["stream"] !== undefined);
    const isTwice = new Set(requests.map(({ customId }) => customId)).size < lines.length;
    const problem =
      isMixed || isWrong || isStreamed || isTwice ? "The batch input file is invalid." : undefined;
    return this.#add("openai", requests, asObject(metadata), problem);
  }

  #outputOf(batch: Batch): Body {
    const good: string[] = [];
    const bad: string[] = [];
    for (const [customId, outcome] of this.#outcomes(batch)) {
      const line = { id: `batch_req_${customId}`, custom_id: customId };
      if (typeof outcome === "string") {
        const code = outcome === "expired" ? "batch_expired" : "batch_cancelled";
        bad.push(JSON.stringify({ ...line, response: null, error: { code, message: "Not executed." } }));
      } else {
        const { status, body } = outcome;
        const answer = { status_code: status, request_id: "req", body };
        (status === 200 ? good : bad).push(JSON.stringify({ ...line, response: answer, error: null }));
      }
    }
    return {
      ...(good.length > 0 && { output_file_id: this.#addFile(good.join("\n")) }),
      ...(bad.length > 0 && { error_file_id: this.#addFile(bad.join("\n")) }),
    };
  }

  #add(api: Batch["api"], requests: Batch["requests"], metadata: Body | undefined, problem?: string): Batch {
    const id = `${api === "anthropic" ? "msgbatch" : "batch"}_${(this.#count += 1)}`;
    const batch = {
      id,
      api,
      requests,
      metadata,
      problem,
      createdAt: Date.now(),
      isCancelled: false,
      isOver: false,
    };
    this.batches.push(batch);
    return batch;
  }

  #addFile(text: string): string {
    const id = `file_${(this.#count += 1)}`;
    this.#files.set(id, text);
    return id;
  }

  #find(id: string): Batch | undefined {
    return this.batches.find((batch) => batch.id === id);
  }

  #work(batch: Batch): void {
    batch.isOver ||= batch.isCancelled || !this.isHolding;
  }

  /** In another order than the requests. */
  #outcomes(batch: Batch): readonly (readonly [string, Outcome])[] {
    return batch.requests
      .toReversed()
      .map(({ customId, body }) => [customId, batch.isCancelled ? "canceled" : this.outcomeOf(body, batch)]);
  }

  #page(
    api: Batch["api"],
    after: string | null,
    limit: string | null,
  ): { readonly data: readonly Batch[]; readonly hasMore: boolean } {
    const newest = this.batches.filter((batch) => batch.api === api).toReversed();
    for (const batch of newest) this.#work(batch);
    const start = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const end = start + Number(limit ?? 20);
    return { data: newest.slice(start, end), hasMore: end < newest.length };
  }
}

function json(body: Body): Answer {
  return { status: 200, text: JSON.stringify(body) };
}

function failure(status: number, type: string, text: string): Answer {
  return { status, text: JSON.stringify({ type: "error", error: { type, message: text } }) };
}

function problemOfRequests(requests: Batch["requests"]): string | undefined {
  const ids = requests.map(({ customId }) => customId);
  if (ids.length === 0) return "requests: at least one is required";
  if (!ids.every((id) => /^[\w-]{1,64}$/.test(id))) return "custom_id: invalid";
  if (new Set(ids).size < ids.length) return "custom_id: must be unique";
  for (const { body: params } of requests) {
    if (params["stream"] !== undefined) return "stream: not supported in batches";
    for (const field of ["model", "max_tokens", "messages"])
      if (params[field] === undefined) return `params.${field}: Field required`;
  }
  return undefined;
}

function anthropicBatch({ id, createdAt, requests, isOver, isCancelled }: Batch): Body {
  const counts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  counts[isOver ? (isCancelled ? "canceled" : "succeeded") : "processing"] = requests.length;
  const time = (at: number): string => new Date(at).toISOString();
  return {
    id,
    type: "message_batch",
    processing_status: isOver ? "ended" : isCancelled ? "canceling" : "in_progress",
    request_counts: counts,
    created_at: time(createdAt),
    expires_at: time(createdAt + 86_400_000),
    ended_at: isOver ? time(Date.now()) : null,
    archived_at: null,
    cancel_initiated_at: isCancelled ? time(Date.now()) : null,
    results_url: isOver ? `https://elsewhere.example/v1/messages/batches/${id}/results` : null,
  };
}

function anthropicResult(outcome: Outcome): Body {
  if (typeof outcome === "string") return { type: outcome };
  if (outcome.status === 200) return { type: "succeeded", message: outcome.body };
  return { type: "errored", error: outcome.body };
}

function openaiBatch(batch: Batch, files: Body = {}): Body {
  const { id, createdAt, isOver, isCancelled, metadata, problem } = batch;
  const over = problem === undefined ? (isCancelled ? "cancelled" : "completed") : "failed";
  return {
    id,
    object: "batch",
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    created_at: Math.floor(createdAt / 1_000),
    status: isOver ? over : isCancelled ? "cancelling" : "in_progress",
    metadata: metadata ?? null,
    ...(problem !== undefined &&
      isOver && {
        errors: { object: "list", data: [{ code: "invalid_json_line", message: problem, line: 1 }] },
      }),
    ...(problem === undefined && files),
  };
}
