import type { AgUiMessage } from "./types.ts";

/** What a client's id of a call has behind the call's own. */
const ending = /#(\d+)$/;

/**
 * The ids of calls as clients have them. Models use an id again in a later answer; clients add the arguments of a second call to those of the first. So a later one has its number behind it, which `ownCallId` takes away.
 */
export class CallIds {
  readonly #counts = new Map<string, number>();
  /** By the calls' own ids, those that the client had before; `undefined` where nobody knows what it had. */
  readonly #earlier: Map<string, string> | undefined;

  /** @param messages - What the client has. */
  constructor(messages?: readonly AgUiMessage[]) {
    if (!messages) return;
    this.#earlier = new Map();
    for (const message of messages)
      if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) this.#note(id);
  }

  #note(id: string): void {
    const own = ownCallId(id);
    this.#earlier?.set(own, id);
    const count = Number(ending.exec(id)?.[1] ?? 1);
    this.#counts.set(own, Math.max(this.#counts.get(own) ?? 0, count));
  }

  /** The id of a call that the client does not have yet. */
  claim(toolCallId: string): string {
    const count = (this.#counts.get(toolCallId) ?? 0) + 1;
    this.#counts.set(toolCallId, count);
    return count === 1 && !ending.test(toolCallId) ? toolCallId : `${toolCallId}#${count}`;
  }

  /** The id that the client had for a call before; `null` if it did not have the call, `undefined` if nobody knows. */
  earlier(toolCallId: string): string | null | undefined {
    return this.#earlier && (this.#earlier.get(toolCallId) ?? null);
  }

  /** The id of a call that the client is taken to have. */
  assume(toolCallId: string): string {
    const id = this.#earlier?.get(toolCallId) ?? toolCallId;
    if (!this.#counts.has(toolCallId)) this.#counts.set(toolCallId, 1);
    return id;
  }
}

/** The id that a call has in the run, of the one that a client has. */
export function ownCallId(id: string): string {
  return id.replace(ending, "");
}
