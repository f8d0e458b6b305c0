import type { UserMessage } from "../message/messages.ts";
import type { ApprovalDecision } from "../message/run-state.ts";
import type { ExternalResult } from "../run/types.ts";
import { answerText } from "./answer-text.ts";
import { checkAfter, checkOptions } from "./check-options.ts";
import { SkeinClientError } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import { RemoteEventLog } from "./event-log.ts";
import { hasList } from "./own.ts";
import { type EventSourceOptions, RunReader } from "./event-reader.ts";
import type { RemoteApp, RemoteEvent, RemoteResult, RemoteRun, RemoteRunEnd } from "./types.ts";

/** A run of a server that is being followed. */
export class FollowedRun implements RemoteRun {
  readonly result: Promise<RemoteResult>;
  /** Fulfilled once the server has what the run was started with, or goes on with. */
  readonly accepted: Promise<void>;
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  readonly #reader: RunReader;
  readonly #log = new RemoteEventLog();
  /** Fulfilled once the server has the run. */
  readonly #start: Promise<void>;

  constructor(connection: Connection, options: EventSourceOptions) {
    this.#connection = connection;
    this.#signal = options.signal;
    const accepted = later<void>();
    const end = later<RemoteRunEnd>();
    this.#reader = new RunReader(connection, options, {
      onAccept: () => accepted.resolve(),
      onEvent: (event) => this.#log.push(event),
      onEnd: end.resolve,
    });
    this.#reader.read().catch((error: unknown) => {
      accepted.reject(error);
      end.reject(error);
    });
    this.accepted = accepted.promise;
    this.#start = options.post ? accepted.promise : Promise.resolve();
    this.result = end.promise.then((end) => resultOf(end, this.id));
    // These handlers also keep a failure that no reader looks at from being an unhandled rejection.
    this.accepted.catch(() => {});
    this.result.then(
      () => this.#log.close(),
      (error: unknown) => this.#log.close(error),
    );
  }

  get id(): string {
    return this.#reader.id;
  }

  [Symbol.asyncIterator](): AsyncIterator<RemoteEvent, void> {
    return this.#log.read(0);
  }

  events(options: { readonly after?: number | undefined } = {}): AsyncIterable<RemoteEvent> {
    checkOptions(options, { after: true }, "events()");
    return this.#log.read(checkAfter(options.after) + 1);
  }

  text(): AsyncGenerator<string, void> {
    return answerText(this.#log.read(0));
  }

  decide(decisions: readonly ApprovalDecision[]): Promise<RemoteRun> {
    return this.#goOn("decide", { decisions });
  }

  resolve(
    call: string | readonly ExternalResult[],
    content?: unknown,
    options: { readonly isError?: boolean } = {},
  ): Promise<RemoteRun> {
    checkOptions(options, { isError: true }, "resolve()");
    const results = typeof call === "string" ? [{ ...options, toolCallId: call, content }] : call;
    return this.#goOn("resolve", { results });
  }

  steer(message: string | UserMessage): Promise<void> {
    return this.#send("steer", { message }, false);
  }

  queue(message: string | UserMessage): Promise<void> {
    return this.#send("queue", { message }, false);
  }

  cancel(reason?: string): Promise<void> {
    return this.#send("cancel", { reason }, true);
  }

  async app(index: number): Promise<RemoteApp> {
    await this.#start;
    return this.#connection.read(this.#path(`apps/${index}`), isApp);
  }

  /** Sends what has the run go on. What follows is a run of its own. */
  async #goOn(action: string, body: object): Promise<RemoteRun> {
    await this.#start;
    const { id, last } = this.#reader;
    const post = { path: this.#path(action), body };
    const next = new FollowedRun(this.#connection, { id, after: last, post, signal: this.#signal });
    await next.accepted;
    return next;
  }

  async #send(action: string, body: object, canRepeat: boolean): Promise<void> {
    await this.#start;
    await this.#connection.json({ path: this.#path(action), body }, canRepeat);
  }

  #path(action: string): string {
    return `/runs/${encodeURIComponent(this.id)}/${action}`;
  }
}

function isApp(value: unknown): value is RemoteApp {
  return hasList(value, "permissions");
}

/** What a run came to. @throws SkeinClientError for one that failed. */
function resultOf({ status, agent, result, error }: RemoteRunEnd, runId: string): RemoteResult {
  if (status === "failed")
    throw new SkeinClientError(error?.message ?? "The run failed.", { code: error?.code ?? "run-failed" });
  if (status === "stuck")
    throw new SkeinClientError(
      "The run is stuck: the server lacks its agent, or one of its tools. It goes on where a server has them.",
      { code: "run-stuck" },
    );
  // A run that was cancelled while it waited has no more than its status.
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const empty = { text: "", finishReason: status, usage, turns: 0, pending: [], agent };
  return { ...empty, ...result, runId, status, ...(error && { error }) };
}

/** A promise, and what settles it. Not `Promise.withResolvers`, which browsers of 2023 do not have. */
function later<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
