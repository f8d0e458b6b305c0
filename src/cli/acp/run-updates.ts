import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { RunEvent } from "../../run/types.ts";
import { clientEvent } from "../../run/public/client-event.ts";
import { textOfParts } from "../../protocols/ag-ui/content.ts";
import { CallUpdates } from "./call-updates.ts";
import { TextChunks } from "./text-chunks.ts";
import type { Card, ToolCards } from "./tool-cards.ts";

type Of<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;

/** What the updates of a run go to. */
export interface RunUpdatesOptions {
  readonly send: (update: SessionUpdate) => void;
  readonly cards: ToolCards;
  /** Called with what goes wrong and does not end the run. */
  readonly onWarning: (message: string) => void;
}

/** The events of a run as updates of a session: text, thoughts and calls. Of agents within the run, calls alone. */
export class RunUpdates {
  readonly #calls: CallUpdates;
  readonly #onWarning: (message: string) => void;
  readonly #text: TextChunks;
  /** What the model has said in this turn; `undefined` before the first: an earlier run has sent the rest of its last turn. */
  #answer: string | undefined;
  /** The last piece of text: an `output-delta` right behind it has the same once more. */
  #piece: { readonly text: string; readonly index: number } | undefined;
  /** The last text that was sent as a message. */
  #lastText = "";

  constructor({ send, cards, onWarning }: RunUpdatesOptions) {
    this.#calls = new CallUpdates(cards);
    this.#onWarning = onWarning;
    this.#text = new TextChunks(send);
  }

  /**
   * Sends what an event changes.
   * @returns the card of a call that waits for the user.
   */
  read(event: RunEvent): Card | undefined {
    if (event.type === "approval-request") return this.#calls.request(event);
    const visible = clientEvent(event);
    if (visible) this.#read(visible);
    return undefined;
  }

  #read(event: RunEvent): void {
    switch (event.type) {
      case "turn-start":
        return this.#beginTurn();
      case "text-delta":
        this.#piece = event;
        return this.#write(event.text);
      case "output-delta":
        return this.#writeOutput(event);
      case "reasoning-delta":
        return this.#text.write("agent_thought_chunk", event.text);
      case "tool-input-delta":
      case "tool-start":
        this.#text.end();
        return this.#calls.read(event);
      case "turn-end":
        return this.#endTurn(event);
      case "run-end":
        return this.#end(event);
      case "warning":
        return this.#onWarning(event.message);
      case "events-dropped":
        return this.#onWarning(`${event.count} events were dropped: the editor read too slowly.`);
      case "agent-event":
      case "approval-request":
      case "compaction":
      case "handoff":
      case "hosted-call":
      case "model-end":
      case "model-start":
      case "retry":
      case "tool-end":
      case "tool-progress":
      case "user-message":
        return this.#calls.read(event);
    }
  }

  #beginTurn(): void {
    this.#text.end();
    this.#answer = "";
    this.#piece = undefined;
  }

  #write(text: string): void {
    this.#answer = (this.#answer ?? "") + text;
    this.#lastText = this.#answer;
    this.#text.write("agent_message_chunk", text);
  }

  /** A model that answers in the schema itself has each piece as text already; another one writes the output as a call. */
  #writeOutput({ text, index }: Of<"output-delta">): void {
    const piece = this.#piece;
    if (piece?.index !== index - 1 || piece.text !== text) this.#write(text);
  }

  /** What a middleware or a stored step has answered comes as a whole. */
  #endTurn({ message }: Of<"turn-end">): void {
    const text = textOfParts(message.content);
    if (this.#answer === "" && text !== "") this.#write(text);
    this.#text.end();
  }

  /** The last word may be that of a tool, or of a guard. */
  #end({ status, result }: Of<"run-end">): void {
    const text = status === "completed" || status === "blocked" ? result.text : "";
    if (text !== "" && text !== this.#lastText) {
      this.#beginTurn();
      this.#write(text);
    }
    this.#text.end();
  }
}
