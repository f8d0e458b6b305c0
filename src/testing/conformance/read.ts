import { openStream } from "../../model/open-stream.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { Trial } from "./trial.ts";

/** How one reading of a stream ended. */
export interface AnswerReading {
  readonly events: readonly ModelEvent[];
  /** Set where it threw. */
  readonly failure?: { readonly error: unknown };
}

/** Reads a stream to its end, with a limit to each wait. `onEvent` is called with each event, before the next is requested. */
export async function read(
  model: Model,
  request: ModelRequest,
  trial: Pick<Trial, "settled">,
  onEvent: (event: ModelEvent, index: number) => void = () => undefined,
): Promise<AnswerReading> {
  const events: ModelEvent[] = [];
  try {
    const iterator = openStream(model, request)[Symbol.asyncIterator]();
    for (;;) {
      const what =
        events.length === 0
          ? "The first event"
          : `What comes after event ${events.length - 1} (${events.at(-1)?.type})`;
      const next = await trial.settled(iterator.next(), what);
      if (next.done) return { events };
      onEvent(next.value, events.push(next.value) - 1);
    }
  } catch (error) {
    return { events, failure: { error } };
  }
}

/** The answer, of a stream that came to its end. */
export function generationOf({ events }: AnswerReading): Generation | undefined {
  const finish = events.find((event) => event.type === "finish");
  return finish?.type === "finish" ? finish.generation : undefined;
}

/** What of an answer does not depend on how it came. */
export function essence({
  text,
  message,
  toolCalls,
  finishReason,
  rawFinishReason,
  usage,
  refusal,
}: Generation): object {
  return { text, message, toolCalls, finishReason, rawFinishReason, usage, refusal };
}
