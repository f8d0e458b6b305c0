import { InvalidInputError, SkeinError } from "../../errors.ts";
import type { UserMessage } from "../../message/messages.ts";
import type { SentMessage } from "../../message/run-state.ts";
import { userMessage } from "../resume/input.ts";
import type { EventStreamOptions } from "../public/event-stream.ts";
import { loadEventStream } from "../features.ts";
import { EventLog } from "./event-log.ts";
import type { RunResult } from "../result-types.ts";
import type { RunEvent } from "../types.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";

/** A run that has been started. */
export interface StartedRun<C, O> {
  readonly result: Promise<RunResult<C, O>>;
  readonly cancel: (reason?: unknown) => void;
  /** Passes on what the user has sent. Returns whether the run still takes it. */
  readonly send: (message: SentMessage) => boolean;
}

/**
 * A run that can be followed. Iterate it for its events from the first on; as many readers as like may do so, at any
 * time, and none of them holds the run up or stops it by leaving: `cancel` does.
 */
export class RunStream<C = unknown, O = unknown> implements AsyncIterable<RunEvent> {
  /** The result of the run. Rejects with the error that ended it. */
  readonly result: Promise<RunResult<C, O>>;
  readonly #log = new EventLog();
  readonly #cancel: (reason?: unknown) => void;
  readonly #send: StartedRun<C, O>["send"];

  /** Made by `stream()`. */
  constructor(start: (publish: (event: RunEvent) => void) => StartedRun<C, O>) {
    const { result, cancel, send } = start((event) => this.#log.push(event));
    this.#cancel = cancel;
    this.#send = send;
    this.result = result;
    // This handler also keeps a failure that nobody looks at from being an unhandled rejection.
    result.then(
      () => this.#log.close(),
      (error: unknown) => this.#log.close(error),
    );
  }

  /** The events from the first on. */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void> {
    return this.#log.read(0);
  }

  /**
   * The events after the one with index `after`: to go on where a reader left. All where that is left out or undefined.
   * @throws ConfigurationError (`invalid-option`) for an `after` that is not the index of an event.
   */
  events(options: { readonly after?: number | undefined } = {}): AsyncIterable<RunEvent> {
    assertKnownOptions(options, { after: true }, "events()");
    const { after = -1 } = options;
    if (options.after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      throw invalidOption(`after must be the index of an event, not ${describeValue(after)}.`, {
        option: "after",
      });
    return this.#log.read(after + 1);
  }

  /**
   * The pieces of text alone, of all agents, as they come.
   * @throws SkeinError (`events-dropped`) for a reader that has fallen 16,384 events behind: it would go on behind a gap. The last
   * answer is whole in `result`.
   */
  async *text(): AsyncGenerator<string, void> {
    for await (const event of this.#log.read(0)) {
      if (event.type === "events-dropped") throw textMissing(event.count);
      if (event.type === "text-delta") yield event.text;
    }
  }

  /**
   * Has the agent read a message of the user before its next model call. Calls under way finish, and the model reads their results first.
   * One that comes while the agent answers is answered after that.
   * @throws InvalidInputError if the run has stopped, for something else than a message of the user, and for more than 1,000 messages
   * that it has not read.
   */
  steer(message: string | UserMessage): void {
    this.#pass("steer", message);
  }

  /**
   * Has the agent answer a message of the user once it has answered what came before. Several are answered one after the other.
   * @throws as `steer` does.
   */
  queue(message: string | UserMessage): void {
    this.#pass("queue", message);
  }

  /** Ends the run at once: its status is `cancelled`, and what was finished is kept. */
  cancel(reason?: unknown): void {
    this.#cancel(reason);
  }

  /**
   * The events as the response of a server: server-sent events for `connect()` of `skein/client`, or any `EventSource`. Context, state, warnings,
   * calls of models and the words of errors are left out. A client that leaves does not stop the run, unless `onCancel` does.
   * @throws ConfigurationError (`invalid-option`) for unknown options.
   */
  async toResponse(options: EventStreamOptions = {}): Promise<Response> {
    const { eventStream } = await loadEventStream();
    return eventStream(this, options, "toResponse()");
  }

  #pass(when: SentMessage["when"], message: string | UserMessage): void {
    if (!this.#send({ when, message: userMessage(message, `${when}()`) })) throw stopped(`${when}()`);
  }
}

function stopped(place: string): InvalidInputError {
  return new InvalidInputError(
    `${place} was called after the run had stopped. Start another run with the message: run(agent, [...history, message]), or in the same session.`,
  );
}

function textMissing(count: number): SkeinError {
  return new SkeinError(
    `This reader of text() fell behind the run: ${count} events are gone, and the text would go on behind a gap. Read it as it comes, or take the whole answer from (await running.result).text.`,
    { code: "events-dropped", data: { count } },
  );
}
