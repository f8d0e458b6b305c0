import type { ToolChunk, UIMessageChunk } from "./chunks.ts";

/** What a step of the message has, in its order. */
type StepEntry = TextEntry | CallPart | OtherPart;

/** A part that is one chunk. */
export interface OtherPart {
  readonly kind: "other";
  chunk: UIMessageChunk;
  /** What has become of it since, in a chunk of its own. */
  last?: UIMessageChunk;
}

/** Text of a step. */
interface TextEntry {
  /** `output` is an answer that the model wrote as the arguments of a call: a text of its own. */
  readonly kind: "text" | "output" | "reasoning";
  readonly id: string;
  text: string;
}

/** A call that the message has a part of. */
export interface CallPart {
  readonly kind: "call";
  /** The id of the part. */
  readonly id: string;
  readonly toolName: string;
  /** `input`: its arguments come; `open`: they are there; `done`: it has a result. */
  state: "input" | "open" | "done";
  /** The arguments as the model wrote them, as far as they have come. */
  inputText: string;
  /** The arguments, once they are there. */
  input: unknown;
  /** What the part was last: its result, or that it could not be read. */
  last?: ToolChunk;
  /** The decision that it waits for, if this stream has requested it. */
  approvalId?: string;
  /** Set if the part is in a step that the client has from before this stream: what it waited for. */
  readonly carried?: "decision" | "result";
  /** Whether the message has the part. */
  isPlaced: boolean;
}

/** Writes the parts of a message: each text is closed before the next part begins, and each step before the next step. */
export class MessageWriter {
  #chunks: UIMessageChunk[] = [];
  #entries: StepEntry[] = [];
  #open: TextEntry | undefined;
  #isInStep = false;
  #hasStepParts = false;
  #step = "0";
  #texts = 0;
  /** Whether the stream goes on with the client's last step, in which calls have waited. */
  #isInEarlierStep: boolean;

  constructor(isContinuation: boolean) {
    this.#isInEarlierStep = isContinuation;
  }

  /** The chunks since the last time. */
  take(): readonly UIMessageChunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** What the current step has. */
  get entries(): readonly StepEntry[] {
    return this.#entries;
  }

  /** Whether the message's last step has a call. */
  get endsWithCalls(): boolean {
    return this.#isInEarlierStep || this.#entries.some(({ kind }) => kind === "call");
  }

  /** Adds a chunk that is not a part of a step. */
  write(chunk: UIMessageChunk): void {
    this.#chunks.push(chunk);
  }

  /** @param name - Tells the ids of its texts from those of all other steps of the message. */
  startStep(name: string): void {
    this.#step = name;
    this.#texts = 0;
    // After a reset, the client is at the beginning of the step.
    if (this.#isInStep && !this.#hasStepParts) return;
    this.finishStep();
    this.#isInStep = true;
    this.#isInEarlierStep = false;
    this.write({ type: "start-step" });
  }

  finishStep(): void {
    this.endText();
    if (this.#isInStep) this.write({ type: "finish-step" });
    this.#isInStep = false;
    this.#hasStepParts = false;
    this.#entries = [];
  }

  /** Takes back what the message has of the current step. */
  resetStep(): void {
    this.endText();
    if (this.#isInStep && this.#hasStepParts) this.write({ type: "reset-step" });
    this.#hasStepParts = false;
    this.#entries = [];
  }

  text(kind: TextEntry["kind"], delta: string): void {
    if (delta === "") return;
    const entry = this.#open?.kind === kind ? this.#open : this.#startText(kind);
    entry.text += delta;
    const type = kind === "reasoning" ? "reasoning-delta" : "text-delta";
    this.write({ type, id: entry.id, delta });
  }

  endText(): void {
    if (!this.#open) return;
    const { kind, id } = this.#open;
    this.#open = undefined;
    this.write({ type: kind === "reasoning" ? "reasoning-end" : "text-end", id });
  }

  /** What the step has of the answer's text. */
  get stepText(): string {
    return this.#entries.map((entry) => (entry.kind === "text" ? entry.text : "")).join("");
  }

  /** Adds a part that is neither text nor a call. */
  addPart(chunk: UIMessageChunk, part: OtherPart = { kind: "other", chunk }): OtherPart {
    this.#beginPart();
    this.#entries.push(part);
    this.write(chunk);
    return part;
  }

  /** Writes what becomes of a part. */
  updatePart(part: OtherPart, chunk: UIMessageChunk): void {
    part.last = chunk;
    this.write(chunk);
  }

  /** Replaces a data part by one with the same id. */
  replacePart(part: OtherPart, chunk: UIMessageChunk): void {
    part.chunk = chunk;
    this.write(chunk);
  }

  /** Writes what becomes of a call; the first time, that adds its part. */
  writeCall(call: CallPart, chunk: ToolChunk): void {
    if (!call.isPlaced) {
      this.#beginPart();
      this.#entries.push(call);
      call.isPlaced = true;
    }
    this.write(chunk);
  }

  /** Writes the current step once more, without some of its calls, which the client must have in a step that follows. */
  rewriteStep(without: ReadonlySet<CallPart>): void {
    const entries = this.#entries;
    this.resetStep();
    for (const entry of entries) {
      if (entry.kind === "call") {
        if (!without.has(entry)) this.#rewriteCall(entry);
      } else if (entry.kind === "other") {
        this.addPart(entry.chunk, entry);
        if (entry.last) this.write(entry.last);
      } else {
        this.text(entry.kind, entry.text);
        this.endText();
      }
    }
  }

  #rewriteCall(call: CallPart): void {
    const { id: toolCallId, toolName, input, last } = call;
    call.isPlaced = false;
    if (last?.type === "tool-input-error") return this.writeCall(call, last);
    this.writeCall(call, { type: "tool-input-available", toolCallId, toolName, input });
    if (last) this.write(last);
  }

  #startText(kind: TextEntry["kind"]): TextEntry {
    this.#beginPart();
    const id = `${kind === "reasoning" ? "reasoning" : "text"}-${this.#step}-${(this.#texts += 1)}`;
    const entry: TextEntry = { kind, id, text: "" };
    this.#open = entry;
    this.#entries.push(entry);
    this.write({ type: kind === "reasoning" ? "reasoning-start" : "text-start", id });
    return entry;
  }

  #beginPart(): void {
    this.endText();
    // A reader that joined in the middle has seen no beginning of a turn.
    if (!this.#isInStep && !this.#isInEarlierStep) this.startStep(this.#step);
    this.#hasStepParts = true;
  }
}
