import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** How much of one session is kept for clients whose stream was cut. */
const mostEvents = 1_000;
const mostChars = 8_000_000;

/** One message that was sent. */
interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

/**
 * What one session was sent last, so that a client whose stream was cut can go on where it was (`Last-Event-ID`). What is older
 * than the last 1,000 messages, or 8,000,000 characters, is gone.
 */
export class SessionEvents implements EventStore {
  readonly #events = new Map<number, StoredEvent>();
  #count = 0;
  #chars = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = ++this.#count;
    const chars = JSON.stringify(message).length;
    this.#events.set(id, { streamId, message, chars });
    this.#chars += chars;
    for (const [oldest, event] of this.#events) {
      if (oldest === id || (this.#events.size <= mostEvents && this.#chars <= mostChars)) break;
      this.#events.delete(oldest);
      this.#chars -= event.chars;
    }
    return String(id);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.get(Number(eventId))?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#events.get(Number(lastEventId));
    if (!last) throw new Error("That event is no longer kept.");
    for (const [id, { streamId, message }] of this.#events) {
      // What only marks a place has no message.
      const isSent = id > Number(lastEventId) && streamId === last.streamId && "jsonrpc" in message;
      if (isSent) await send(String(id), message);
    }
    return last.streamId;
  }
}
