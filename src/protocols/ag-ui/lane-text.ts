import { ownerField } from "./lane-call.ts";
import type { Wire } from "./wire.ts";

/** What a model writes: text, or a typed answer as the arguments of a call, which the client gets as text of its own. */
type Kind = "text" | "output";

/** A text message that is open. */
interface OpenText {
  readonly id: string;
  readonly kind: Kind;
}

/** The text and the reasoning of one agent, answer by answer. At most one of them is open. */
export class LaneText {
  readonly subagentRunId: string | undefined;
  readonly #wire: Wire;
  #open: OpenText | undefined;
  /** The reasoning that is open. */
  #reasoning: string | undefined;
  #answerId: string | undefined;
  #outputId: string | undefined;
  /** What the current answer has had so far. */
  #texts: Record<Kind, string> = { text: "", output: "" };
  /** What the last answer had that had any text. */
  #last: Readonly<Record<Kind, string>> = this.#texts;

  constructor(wire: Wire, subagentRunId: string | undefined) {
    this.#wire = wire;
    this.subagentRunId = subagentRunId;
  }

  /** The message of the current answer, which has its calls, too; `undefined` before it has begun. */
  get answerId(): string | undefined {
    return this.#answerId;
  }

  /** What the current answer has had so far. */
  get texts(): Readonly<Record<Kind, string>> {
    return this.#texts;
  }

  /** Whether the last answer was that text. */
  hasAnswered(text: string): boolean {
    return text === this.#last.text || text === this.#last.output;
  }

  /** The message of the current answer. */
  beginAnswer(): string {
    return (this.#answerId ??= this.#wire.messageId());
  }

  write(kind: Kind, text: string, agent: string): void {
    if (text === "") return;
    this.#endReasoning();
    this.#texts[kind] += text;
    const { id } = this.#open?.kind === kind ? this.#open : this.#start(kind, agent);
    this.#wire.send({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta: text, ...ownerField(this) });
  }

  reason(text: string): void {
    if (!this.#wire.show.reasoning || text === "") return;
    const owner = ownerField(this);
    if (this.#reasoning === undefined) {
      this.close();
      const messageId = (this.#reasoning = this.#wire.messageId());
      this.#wire.send({ type: "REASONING_START", messageId, ...owner });
      this.#wire.send({ type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...owner });
    }
    const messageId = this.#reasoning;
    this.#wire.send({ type: "REASONING_MESSAGE_CONTENT", messageId, delta: text, ...owner });
  }

  /** Closes what is open. Text may go on in the same message. */
  close(): void {
    this.#endReasoning();
    if (!this.#open) return;
    this.#wire.send({ type: "TEXT_MESSAGE_END", messageId: this.#open.id, ...ownerField(this) });
    this.#open = undefined;
  }

  /** Ends the current answer: what comes next is another message. */
  endAnswer(): void {
    this.close();
    const { text, output } = this.#texts;
    if (text + output !== "") this.#last = this.#texts;
    this.#texts = { text: "", output: "" };
    this.#answerId = this.#outputId = undefined;
  }

  /** Forgets what the last answer was. */
  forget(): void {
    this.endAnswer();
    this.#last = this.#texts;
  }

  #start(kind: Kind, agent: string): OpenText {
    this.close();
    const id = kind === "text" ? this.beginAnswer() : (this.#outputId ??= this.#wire.messageId());
    this.#wire.send({
      type: "TEXT_MESSAGE_START",
      messageId: id,
      role: "assistant",
      name: agent,
      ...ownerField(this),
    });
    return (this.#open = { id, kind });
  }

  #endReasoning(): void {
    if (this.#reasoning === undefined) return;
    const messageId = this.#reasoning;
    this.#reasoning = undefined;
    this.#wire.send({ type: "REASONING_MESSAGE_END", messageId, ...ownerField(this) });
    this.#wire.send({ type: "REASONING_END", messageId, ...ownerField(this) });
  }
}
