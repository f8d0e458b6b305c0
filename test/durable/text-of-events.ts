import type { StoredEvent } from "skein/durable";

/** The text that a reader has at the end: of turns that were done again, the last time. */
export async function textOfEvents(events: AsyncIterable<StoredEvent>): Promise<string> {
  const pieces = new Map<number, string>();
  for await (const event of events)
    if (event.type === "text-delta") pieces.set(event.index, event.text);
    else if (event.type === "turn-restart")
      for (const index of pieces.keys()) if (index >= event.from) pieces.delete(index);
  return [...pieces.values()].join("");
}
