import type { ShowOptions } from "../../run/public/show.ts";
import { CallIds } from "./call-ids.ts";
import { Transcript } from "./transcript.ts";
import type { AgUiEvent, AgUiMessage } from "./types.ts";

/** A message that an event of the run has begun. */
interface Beginning {
  readonly id: string;
  readonly index: number;
}

/** What goes to the client for one run: the events, the ids of messages and calls, and what the client has by then. */
export class Wire {
  readonly show: Required<ShowOptions>;
  readonly callIds: CallIds;
  readonly #runId: string;
  readonly #before: readonly AgUiMessage[] | undefined;
  #transcript: Transcript | undefined;
  readonly #beginnings: Beginning[] = [];
  #events: AgUiEvent[] = [];
  /** Whether what was sent is not what the client should have. */
  #isCorrected = false;
  #index = 0;
  #count = 0;

  /** @param messages - What the client had before the run, if that is known. */
  constructor(runId: string, show: Required<ShowOptions>, messages: readonly AgUiMessage[] | undefined) {
    this.#runId = runId;
    this.show = show;
    this.callIds = new CallIds(messages);
    this.#before = messages;
    this.#transcript = messages && new Transcript(messages);
  }

  /** What is sent from now on comes of the event with that index. */
  begin(index: number): void {
    this.#index = index;
    this.#count = 0;
  }

  send(event: AgUiEvent): void {
    this.#events.push(event);
    this.#transcript?.apply(event);
  }

  /** An id for a message: the same one for every reader of the run that reads its first event. */
  messageId(): string {
    const id = `${this.#runId}-${this.#index}${this.#count === 0 ? "" : `-${this.#count}`}`;
    this.#count++;
    this.note(id);
    return id;
  }

  /** Notes the id of a message that begins with the current event. */
  note(id: string): void {
    this.#beginnings.push({ id, index: this.#index });
  }

  /** Takes what there is to send. */
  flush(): readonly AgUiEvent[] {
    this.restateIfCorrected();
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  /** All messages that the client has. */
  get messages(): readonly AgUiMessage[] {
    return this.#transcript?.messages ?? [];
  }

  /** Restates all messages, where it is known what the client had before. */
  restate(): void {
    this.#isCorrected = false;
    if (this.#transcript)
      this.#events.push({ type: "MESSAGES_SNAPSHOT", messages: [...this.#transcript.messages] });
  }

  /** Restates all messages if the client has something that it should not have. */
  restateIfCorrected(): void {
    if (this.#isCorrected) this.restate();
  }

  /** Restates all messages, those of this run as they are given, where that can be done. Whether it can. */
  replaceNew(messages: readonly AgUiMessage[]): boolean {
    if (!this.#before) return false;
    const prefix = this.messageId();
    const renamed = messages.map((message) => ({ ...message, id: `${prefix}-${message.id}` }));
    this.#transcript = new Transcript([...this.#before, ...renamed]);
    this.restate();
    return true;
  }

  /** Gives a message another text than was sent, where messages can be restated. */
  correctText(messageId: string, content: string): void {
    this.#transcript?.correctText(messageId, content);
    this.#isCorrected = true;
  }

  /** The same for the arguments of a call. */
  correctCall(toolCallId: string, text: string): void {
    this.#transcript?.correctCall(toolCallId, text);
    this.#isCorrected = true;
  }

  /** Takes back what events from that index on have begun. Returns the ids of the messages. */
  takeBack(from: number): readonly string[] {
    const place = this.#beginnings.findIndex(({ index }) => index >= from);
    const ids = place < 0 ? [] : this.#beginnings.splice(place).map(({ id }) => id);
    this.#transcript?.drop(new Set(ids));
    return ids;
  }

  /** Takes a call back, where messages can be restated. Whether they can. */
  takeBackCall(toolCallId: string): boolean {
    if (!this.#transcript) return false;
    this.#transcript.dropCall(toolCallId);
    this.#isCorrected = true;
    return true;
  }
}
