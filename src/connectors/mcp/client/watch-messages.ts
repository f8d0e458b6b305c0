import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { ignoreFailure } from "../../../base/util/ignore-failure.ts";
import { errorReply } from "./unreadable.ts";

/**
 * The most requests of a server that wait for their answers. One costs a server a line, and the client a request of its own; what
 * servers ask for, such as a form or an answer of the model, is asked for one by one.
 */
const mostRequests = 64;

/**
 * Looks at the messages of a server before the client does. A server that asks for too much at once is left.
 * @param look - Called once with each message, which it may change.
 */
export function watchMessages(transport: Transport, look: (message: JSONRPCMessage) => void): void {
  let handler = transport.onmessage;
  // Clients wrap the handler of a transport in further ones: a message comes by here once for each.
  const handled = new WeakSet<object>();
  const requests = new OpenRequests(transport);
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: (): Transport["onmessage"] => {
      const next = handler;
      return (
        next &&
        ((message, extra) => {
          if (!handled.has(message)) {
            handled.add(message);
            if (!requests.admits(message)) return;
            look(message);
          }
          next(message, extra);
        })
      );
    },
    set: (next: Transport["onmessage"]) => {
      handler = next;
    },
  });
}

/** What each side has asked the other for and has no answer to yet. */
class OpenRequests {
  readonly #transport: Transport;
  readonly #theirs = new Set<RequestId>();
  readonly #ours = new Set<RequestId>();
  #isLeft = false;

  constructor(transport: Transport) {
    this.#transport = transport;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if ("method" in message && "id" in message) this.#ours.add(message.id);
      try {
        await send(message, options);
      } finally {
        if (!("method" in message) && message.id !== undefined) this.#theirs.delete(message.id);
      }
    };
  }

  /** Whether the client may have a message. */
  admits(message: JSONRPCMessage): boolean {
    if (this.#isLeft) return false;
    if (!("id" in message) || message.id === undefined) return true;
    if (!("method" in message)) this.#ours.delete(message.id);
    else this.#theirs.add(message.id);
    if (this.#theirs.size <= mostRequests) return true;
    this.#leave();
    return false;
  }

  #leave(): void {
    const what = `the server asked for more than ${mostRequests} things at once, and was left`;
    this.#theirs.clear();
    for (const id of this.#ours) this.#transport.onmessage?.(errorReply(id, what));
    this.#isLeft = true;
    // The client takes answers a little later, and none of a transport that is closed.
    setTimeout(() => void ignoreFailure(() => this.#transport.close()));
  }
}
