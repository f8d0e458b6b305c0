import type { ToolCall } from "../message/messages.ts";

/** A call as a person approved it. It passes once: what is called otherwise, or again, needs another approval. */
export class ApprovedCall {
  readonly #toolName: string;
  readonly #arguments: string;
  #isUsed = false;
  /** The arguments that the person wrote in place of those shown. */
  readonly edited: string | undefined;

  constructor(call: ToolCall, edited?: string) {
    this.#toolName = call.toolName;
    this.#arguments = edited ?? call.arguments;
    this.edited = edited;
  }

  /** Whether the approval holds for a call; from then on it holds for no other. */
  use(call: ToolCall): boolean {
    if (this.#isUsed || call.toolName !== this.#toolName || call.arguments !== this.#arguments) return false;
    this.#isUsed = true;
    return true;
  }
}
