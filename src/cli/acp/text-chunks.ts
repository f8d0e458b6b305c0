import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { printable } from "../text.ts";

/** Whose words a chunk has. */
export type Speaker = "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";

/** Half a character at the end of a piece: the other half is in the next one. */
const half = /[\uD800-\uDBFF]$/;

/** Text as chunks of messages: what would drive a terminal or hide in the text is left out. */
export class TextChunks {
  readonly #send: (update: SessionUpdate) => void;
  #speaker: Speaker | undefined;
  #messageId = "";
  #rest = "";

  constructor(send: (update: SessionUpdate) => void) {
    this.#send = send;
  }

  /** Adds a piece to the message of that speaker, or begins one. */
  write(speaker: Speaker, piece: string): void {
    if (speaker !== this.#speaker) {
      this.end();
      this.#speaker = speaker;
      this.#messageId = crypto.randomUUID();
    }
    const text = this.#rest + piece;
    this.#rest = half.exec(text)?.[0] ?? "";
    const clean = printable(this.#rest === "" ? text : text.slice(0, -1));
    if (clean === "") return;
    const content = { type: "text", text: clean } as const;
    this.#send({ sessionUpdate: speaker, content, messageId: this.#messageId });
  }

  /** Ends the message: what follows is another one. */
  end(): void {
    this.#speaker = undefined;
    this.#rest = "";
  }
}
