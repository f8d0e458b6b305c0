import { SkeinClientError } from "./client-error.ts";
import type { RemoteEvent } from "./types.ts";

/**
 * The text of a run in pieces. Where a turn is done once more, what the reader has of it is not repeated if the words are the same.
 * @throws SkeinClientError (`events-dropped`, `turn-restart`)
 */
export async function* answerText(events: AsyncIterable<RemoteEvent>): AsyncGenerator<string, void> {
  /** What the reader has of this turn, and what has come of it: less, where it is done once more. */
  let [text, current] = ["", ""];
  let start = -1;
  let isRestarted = false;
  for await (const event of events) {
    if (event.type === "events-dropped") throw missing(event.count);
    if (event.type === "turn-restart") {
      isRestarted = true;
      current = "";
      if (start < event.from) text = "";
    } else if (event.type === "turn-start") {
      start = event.index;
      if (!isRestarted) text = current = "";
      isRestarted = false;
    } else if (event.type === "text-delta") {
      const isNew = current.length === text.length;
      current += event.text;
      if (isNew) {
        text = current;
        yield event.text;
      } else if (current.length > text.length) {
        if (!current.startsWith(text)) throw different();
        const piece = current.slice(text.length);
        text = current;
        yield piece;
      } else if (!text.startsWith(current)) throw different();
    } else if (event.type === "turn-end" && current.length < text.length) throw different();
  }
}

function missing(count: number): SkeinClientError {
  return new SkeinClientError(
    `This reader of text() misses ${count} events, which are gone. Read it as it comes, or take the whole answer from (await running.result).text.`,
    { code: "events-dropped" },
  );
}

function different(): SkeinClientError {
  return new SkeinClientError(
    "The server has begun this answer again, with other words. Read the events, where turn-restart says what to forget, or take the whole answer from (await running.result).text.",
    { code: "turn-restart" },
  );
}
