import { EncodedEvents, type Encoder } from "../../base/stream/encoded-events.ts";
import { SourceIterator } from "../../base/stream/source.ts";
import {
  type SseAnswer,
  sseAnswer,
  sseFrame,
  type SseOptions,
  sseResponseOf,
} from "../../base/stream/sse-response.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";
import { publicError } from "./public-error.ts";
import { publicEvent, type StreamedEvent } from "./public-event.ts";
import { checkedShow, type ShowOptions } from "./show.ts";

/** How to send the events of a run. */
export interface EventStreamOptions extends SseOptions {
  /** What of the run a client sees. */
  readonly show?: ShowOptions;
}

const optionNames = { show: true, headers: true, keepAlive: true, onCancel: true } satisfies Record<
  keyof EventStreamOptions,
  true
>;

/**
 * The events of a run as server-sent events: each is JSON, and has its `index` as `id`, by which a reader that was cut off asks for the rest
 * (`Last-Event-ID`). What only the program may see is left out.
 * @param place - The function that the options are given to, for errors.
 */
export function eventStream(
  source: AsyncIterable<StreamedEvent>,
  options: EventStreamOptions,
  place: string,
): Response {
  return sseResponseOf(eventAnswer(source, options, place));
}

/** The same before a response is made of it. */
export function eventAnswer(
  source: AsyncIterable<StreamedEvent>,
  options: EventStreamOptions,
  place: string,
): SseAnswer {
  assertKnownOptions(options, optionNames, place);
  const { show, ...settings } = options;
  const batches = new EncodedEvents(source, new EventFrames(checkedShow(show, place)));
  return sseAnswer(new JoinedFrames(batches), settings);
}

/** What is sent of each event, in one piece. */
class JoinedFrames extends SourceIterator<string> {
  readonly #batches: EncodedEvents<StreamedEvent, string>;

  constructor(batches: EncodedEvents<StreamedEvent, string>) {
    super();
    this.#batches = batches;
  }

  take(): string | null | undefined {
    const batch = this.#batches.take();
    return batch && batch.join("");
  }

  wait(): Promise<void> {
    return this.#batches.wait();
  }

  cancel(): void {
    this.#batches.cancel();
  }
}

class EventFrames implements Encoder<StreamedEvent, string> {
  readonly #show: Required<ShowOptions>;
  #last = -1;

  constructor(show: Required<ShowOptions>) {
    this.#show = show;
  }

  encode(event: StreamedEvent): readonly string[] {
    this.#last = event.index;
    const visible = publicEvent(event, this.#show);
    return visible ? [sseFrame(JSON.stringify(visible), event.index)] : [];
  }

  /** It has no id: a reader may ask again for what comes behind the last event. */
  fail(error: unknown): readonly string[] {
    const end = { type: "stream-error", after: this.#last, error: publicError(error) };
    return [sseFrame(JSON.stringify(end))];
  }
}
