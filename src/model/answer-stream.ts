import type { ServerSentEvent } from "../base/stream/sse.ts";
import { AnswerMeter, tooLong } from "./answer-limit.ts";
import { jsonOrText, type PostAnswer } from "./http.ts";
import type { Generation, ModelEvent } from "./types.ts";

/** Reads one protocol's answer. What it finds goes to the end of `events`. */
export interface AnswerDecoder {
  /** Whether the provider has said that nothing follows. */
  readonly isComplete: boolean;
  /** Takes the data of one server-sent event. */
  push(data: string, events: ModelEvent[]): void;
  /** Takes the answer of a server that does not stream. */
  pushWhole(value: unknown, events: ModelEvent[]): void;
  /** The stream is over. Adds the finish event, or throws if the answer is not complete. */
  end(events: ModelEvent[]): void;
}

/** An answer that has begun to come, and what reads it. */
export interface OpenAnswer {
  readonly answer: PostAnswer;
  readonly decoder: AnswerDecoder;
  /** How much of the answer has come, in any unit: what leaves it as it is, such as a ping, does not prolong the wait. */
  readonly size: () => number;
}

/** A model's events, which may be taken without waiting where they are there. */
export interface ModelEventIterator extends AsyncIterator<ModelEvent, unknown, undefined> {
  /** The next event, if it is there and nobody waits for another. Bench row "20000 chunks of text": a promise for each costs more than reading it. */
  take?(): ModelEvent | undefined;
}

/** The events of an answer. */
export type ModelEvents = AsyncIterableIterator<ModelEvent, void, undefined> &
  Required<Pick<ModelEventIterator, "take">>;

/**
 * The events of one answer, decoded as its pieces come. What came before a failure is emitted before it. Calls of `next` are
 * answered in their order, however many are made at once. Leaving the loop early ends the exchange.
 * @param open - Sends the request; called with the first `next`.
 * @param signal - When it is aborted, what has not been emitted yet is dropped, and its reason is thrown.
 */
export function answerStream(open: () => Promise<OpenAnswer>, signal?: AbortSignal): ModelEvents {
  return new AnswerStream(open, signal);
}

type Result = IteratorResult<ModelEvent, void>;
type Batch = IteratorResult<readonly ServerSentEvent[], void>;

const over = { done: true, value: undefined } as const;

/** The most events that can be taken at once: the reader must have its turn between them. */
const mostAtOnce = 1000;

/** Not a generator: an event that is there already costs one settled promise, a fraction of what a `yield` costs. */
class AnswerStream implements ModelEvents {
  readonly #open: () => Promise<OpenAnswer>;
  readonly #signal: AbortSignal | undefined;
  readonly #meter = new AnswerMeter();
  #opened: OpenAnswer | undefined;
  /** The events decoded so far; those before `#position` have been handed out. */
  readonly #events: ModelEvent[] = [];
  #position = 0;
  /** The events to emit once the exchange has ended: built while waiting for its end. */
  #ending: ModelEvent[] | undefined;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  /** How many calls of `next` wait, and the last of them. */
  #waits = 0;
  #last: Promise<Result> | undefined;

  constructor(open: () => Promise<OpenAnswer>, signal: AbortSignal | undefined) {
    this.#open = open;
    this.#signal = signal;
  }

  next(): Promise<Result> {
    if (this.#waits > 0 && this.#last) {
      const pull = (): Promise<Result> => this.#pull();
      this.#last = this.#last.then(pull, pull);
    } else {
      const event = this.#next();
      if (event) return Promise.resolve({ done: false, value: event });
      this.#last = this.#pull();
    }
    this.#waits++;
    return this.#last;
  }

  take(): ModelEvent | undefined {
    return this.#waits > 0 || this.#events.length > mostAtOnce ? undefined : this.#next();
  }

  async return(): Promise<Result> {
    this.#failure = undefined;
    this.#position = this.#events.length;
    if (!this.#isOver) await this.#close();
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #pull(): Promise<Result> {
    try {
      for (;;) {
        const event = this.#next();
        if (event) return { done: false, value: event };
        if (this.#isOver) return this.#ended();
        try {
          this.#decode(await (this.#opened ? nextBatch(this.#opened) : this.#begin()));
        } catch (error) {
          const isTooDeep = error instanceof RangeError && this.#opened;
          this.#fail(isTooDeep ? isTooDeep.answer.malformed("sent data that is nested too deeply.") : error);
        }
      }
    } finally {
      this.#waits--;
    }
  }

  #next(): ModelEvent | undefined {
    if (this.#position === this.#events.length) return undefined;
    if (!this.#signal?.aborted) return this.#events[this.#position++];
    this.#position = this.#events.length;
    this.#fail(this.#signal.reason);
    return undefined;
  }

  async #begin(): Promise<Batch> {
    this.#opened = await this.#open();
    // The caller may have left meanwhile.
    if (this.#isOver) await this.#close();
    return nextBatch(this.#opened);
  }

  #decode(batch: Batch): void {
    if (this.#isOver || !this.#opened) return;
    const { answer, decoder, size } = this.#opened;
    const events = this.#events;
    events.length = this.#position = 0;
    if (batch.done) {
      this.#isOver = true;
      if (answer.kind === "json") decoder.pushWhole(answer.value, events);
      if (this.#ending) events.push(...this.#ending);
      else endInto(events, this.#opened);
      return;
    }
    const sizeBefore = size();
    for (const { event, data } of batch.value) {
      // Whatever the protocol, and after the end, too: no decoder knows all forms in which gateways write the data of such an event.
      if (event === "error") throw answer.failure(jsonOrText(data));
      if (decoder.isComplete) continue;
      const before = events.length;
      decoder.push(data, events);
      if (!this.#meter.accepts(data.length, events.length > before)) throw answer.malformed(tooLong);
    }
    if (answer.kind === "json") return;
    if (size() > sizeBefore) answer.progress();
    if (!decoder.isComplete || this.#ending) return;
    answer.ending();
    endInto((this.#ending = []), this.#opened);
  }

  /** What came before the failure is emitted before it. */
  #fail(error: unknown): void {
    this.#failure = { error };
    void this.#close();
  }

  /** All events have been emitted except the failure, which is thrown once. */
  #ended(): Result {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    return over;
  }

  async #close(): Promise<void> {
    this.#isOver = true;
    if (this.#opened?.answer.kind === "events") await this.#opened.answer.events.return?.();
  }
}

/** Adds the last events. What they say of the answer is the server's words: a secret in them is masked. */
function endInto(events: ModelEvent[], { answer: { redact }, decoder }: OpenAnswer): void {
  decoder.end(events);
  const end = events.at(-1);
  if (end?.type !== "finish") return;
  const { rawFinishReason, response, warnings } = end.generation;
  // Nearly always there is none, which one look at all of them shows.
  const words = [rawFinishReason, response.id, response.modelId, ...warnings].join("\n");
  if (redact(words) === words) return;
  const [raw, id] = [rawFinishReason, response.id].map((text) => text && redact(text));
  const generation: Generation = {
    ...end.generation,
    rawFinishReason: raw,
    response: { ...response, id, modelId: redact(response.modelId) },
    warnings: warnings.map(redact),
  };
  events[events.length - 1] = { type: "finish", generation };
}

function nextBatch({ answer }: OpenAnswer): Batch | Promise<Batch> {
  return answer.kind === "events" ? answer.events.next() : over;
}
