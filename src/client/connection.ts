import { connectionLost, invalidOption, refusalOf, SkeinClientError } from "./client-error.ts";
import { checkDuration, checkOptions } from "./check-options.ts";
import { startTimer } from "./own.ts";
import { Patience } from "./patience.ts";
import type { ConnectOptions, RequestHeaders } from "./types.ts";

/** A request to the server. */
export interface ServerRequest {
  /** From the server's address on. */
  readonly path: string;
  /** Sent as JSON, by POST. */
  readonly body?: object;
  readonly headers?: RequestHeaders;
}

/**
 * Reads an answer.
 * @param onLife - To be called whenever some of it has come.
 * @param signal - Aborted when the rest of it is given up.
 */
type AnswerReader<T> = (response: Response, onLife: () => void, signal: AbortSignal) => Promise<T>;

const optionNames = {
  headers: true,
  fetch: true,
  credentials: true,
  retryFor: true,
  idleTimeout: true,
} satisfies Record<keyof ConnectOptions, true>;

/** @throws SkeinClientError (`invalid-option`) for what is neither a URL nor, where there is a page, a path. */
function addressOf(url: unknown): string {
  const text = url instanceof URL ? url.href : url;
  const base = globalThis.location?.href;
  if (typeof text === "string" && /^https?:$/.test(URL.parse(text, base)?.protocol ?? "")) return text;
  throw invalidOption(
    `The address of connect() must be an http(s) URL, not ${text === undefined ? "undefined: is it set?" : JSON.stringify(text)}.`,
  );
}

/** Sends requests to a server. */
export class Connection {
  readonly #url: string;
  readonly #options: ConnectOptions;

  /** @throws SkeinClientError (`invalid-option`) */
  constructor(url: string | URL, options: ConnectOptions) {
    checkOptions(options, optionNames, "connect()");
    checkDuration("retryFor", options.retryFor ?? 0);
    checkDuration("idleTimeout", options.idleTimeout ?? 0);
    this.#url = addressOf(url).replace(/\/+$/, "");
    this.#options = options;
  }

  patience(signal?: AbortSignal): Patience {
    return new Patience(this.#options.retryFor ?? 60_000, signal);
  }

  /**
   * Sends a request once, and reads the answer. What is left of it is given up.
   * @throws SkeinClientError; the signal's reason; what `headers` of the options throws.
   */
  async attempt<T>(request: ServerRequest, read: AnswerReader<T>, signal?: AbortSignal): Promise<T> {
    const { headers = {}, fetch = globalThis.fetch, credentials, idleTimeout = 45_000 } = this.#options;
    const { body } = request;
    const own = typeof headers === "function" ? await headers() : headers;
    signal?.throwIfAborted();
    const url = this.#url + request.path;
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal?.addEventListener("abort", abort);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onLife = (): void => {
      clearTimeout(timer);
      timer = startTimer(abort, idleTimeout);
    };
    onLife();
    try {
      const response = await fetch(url, {
        ...(body && { method: "POST", body: JSON.stringify(body) }),
        headers: { ...own, ...(body && { "content-type": "application/json" }), ...request.headers },
        ...(credentials && { credentials }),
        signal: controller.signal,
      });
      if (!response.ok) throw await refusalOf(response);
      return await read(response, onLife, controller.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SkeinClientError) throw error;
      const why = controller.signal.aborted ? `nothing came for ${idleTimeout} ms` : String(error);
      throw connectionLost(url, why, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      controller.abort();
    }
  }

  /**
   * Reads something, over all connections that this takes.
   * @throws as `attempt` does; SkeinClientError (`invalid-answer`) for what is not what was wanted.
   */
  async read<T>(path: string, isWanted: (value: unknown) => value is T): Promise<T> {
    const answer = await this.json({ path }, true);
    if (isWanted(answer)) return answer;
    throw new SkeinClientError(`${path} answered with something else. Is it the address of a Skein server?`, {
      code: "invalid-answer",
    });
  }

  /**
   * Sends a request until it has an answer of JSON.
   * @param canRepeat - Whether it may be sent again though the server may have received it.
   * @throws as `attempt` does.
   */
  async json(request: ServerRequest, canRepeat: boolean, signal?: AbortSignal): Promise<unknown> {
    const patience = this.patience(signal);
    for (;;) {
      try {
        return await this.attempt(request, (response) => response.json(), signal);
      } catch (error) {
        if (!canRepeat && !isRefusal(error)) throw error;
        await patience.wait(error);
      }
    }
  }
}

/** Whether the server, or what stands before it, has refused a request without doing anything. */
function isRefusal(error: unknown): boolean {
  return error instanceof SkeinClientError && (error.status === 429 || error.status === 503);
}
