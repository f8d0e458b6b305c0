import { SkeinError } from "../../errors.ts";
import { EventLog } from "./event-log.ts";
import type { RunResult } from "../result-types.ts";
import type { RunEvent } from "../types.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";

/** A run that has been started. */
export interface StartedRun<C, O> {
  readonly result: Promise<RunResult<C, O>>;
  readonly cancel: (reason?: unknown) => void;
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

  /** Made by `stream()`. */
  constructor(start: (publish: (event: RunEvent) => void) => StartedRun<C, O>) {
    const { result, cancel } = start((event) => this.#log.push(event));
    this.#cancel = cancel;
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

  /** Ends the run at once: its status is `cancelled`, and what was finished is kept. */
  cancel(reason?: unknown): void {
    this.#cancel(reason);
  }
}

function textMissing(count: number): SkeinError {
  return new SkeinError(
    `This reader of text() fell behind the run: ${count} events are gone, and the text would go on behind a gap. Read it as it comes, or take the whole answer from (await running.result).text.`,
    { code: "events-dropped", data: { count } },
  );
}
