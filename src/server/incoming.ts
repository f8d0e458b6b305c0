/** A request as the server reads it: one that a fetch handler has received, or one of `node:http`, which is not made one of the former first. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: URL;
  /** What the address had before the path, where a framework has taken that away and says so: `/ai`. */
  readonly mount: string;
  readonly headers: Pick<Headers, "get" | "has">;
  /** Aborted once the client is gone. */
  readonly signal: AbortSignal;
  /** The same, where what sends the answer does not learn of it by itself. */
  readonly departure: AbortSignal | undefined;
  /** The body, to be read once; `undefined` if there is none. */
  openBody(): BodyReader | undefined;
  /** The request for functions of the program, always the same. Its body is the one that `openBody` reads. */
  toRequest(): Request;
}

/** Reads a body, piece by piece. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** The rest is not wanted. */
  cancel(reason?: unknown): Promise<void>;
}

/** A request that a fetch handler has received. */
export class FetchedRequest implements IncomingRequest {
  readonly #request: Request;
  readonly url: URL;
  readonly mount = "";

  constructor(request: Request) {
    this.#request = request;
    this.url = new URL(request.url);
  }

  get method(): string {
    return this.#request.method;
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get departure(): AbortSignal {
    return this.#request.signal;
  }

  openBody(): BodyReader | undefined {
    return this.#request.body?.getReader();
  }

  toRequest(): Request {
    return this.#request;
  }
}
