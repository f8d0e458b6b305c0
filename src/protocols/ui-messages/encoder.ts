import { publicError, publicProblem } from "../../run/public/public-error.ts";
import type { AgentRunEvent } from "../../run/types.ts";
import type { Encoder, SourceEvent } from "../kit/source.ts";
import { AgentParts } from "./agent-parts.ts";
import type { UIMessageChunk } from "./chunks.ts";
import { finishReasonOf, metadataOf } from "./finish.ts";
import { HostedParts } from "./hosted-parts.ts";
import { MessageWriter } from "./message-writer.ts";
import type { EncoderOptions } from "./options.ts";
import { ToolParts } from "./tool-parts.ts";
import { filePart, userParts } from "./user-parts.ts";

type EventOf<Type extends SourceEvent["type"]> = Extract<SourceEvent, { readonly type: Type }>;

/** Writes the events of one run as chunks of the AI SDK's UI message stream. */
export class UIMessageEncoder implements Encoder<UIMessageChunk> {
  readonly #options: EncoderOptions;
  readonly #writer: MessageWriter;
  readonly #tools: ToolParts;
  readonly #hosted: HostedParts;
  readonly #agents: AgentParts;
  #hasStarted = false;
  #isOver = false;
  /** The turn that was begun last, counted over all pauses of the run. */
  #turn = 0;
  /** The piece of text just before. */
  #lastText: string | undefined;
  /** Of an output: what was left out as being the text just before it. */
  #repeated: string | undefined = "";
  #steering = 0;
  /** Whether calls of the last turn were executed: what completes a run then is a result. So it is before the first turn. */
  #hasResults = true;

  constructor(options: EncoderOptions) {
    this.#options = options;
    this.#writer = new MessageWriter(options.isContinuation);
    this.#tools = new ToolParts(this.#writer, options);
    this.#hosted = new HostedParts(this.#writer, options.show);
    this.#agents = new AgentParts(this.#writer, options);
  }

  /** Whether no event adds anything more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  encode(event: SourceEvent): readonly UIMessageChunk[] {
    if (this.#isOver) return [];
    this.#start();
    this.#encode(event);
    this.#lastText = event.type === "text-delta" ? event.text : undefined;
    return this.#writer.take();
  }

  fail(error: unknown): readonly UIMessageChunk[] {
    if (this.#isOver) return [];
    this.#start();
    this.#stop(
      error === undefined
        ? "The stream ended before the answer did. Load the conversation again to see the rest."
        : publicError(error).message,
    );
    return this.#writer.take();
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const { messageId } = this.#options;
    this.#writer.write({ type: "start", ...(messageId !== undefined && { messageId }) });
  }

  #encode(event: SourceEvent): void {
    switch (event.type) {
      case "turn-start":
        return this.#startTurn(event.turn);
      case "text-delta":
        return this.#writer.text("text", event.text);
      case "reasoning-delta":
        return this.#options.show.reasoning ? this.#writer.text("reasoning", event.text) : undefined;
      case "output-delta":
        return this.#addOutput(event.text);
      case "agent-event":
        return this.#encodeInner(event.event, event.parentToolCallId, event.parentToolCallId);
      case "hosted-call":
        return this.#hosted.add(event.call);
      case "handoff":
        this.#writer.addPart({ type: "data-handoff", data: { from: event.agent, to: event.to } });
        return;
      case "user-message":
        return this.#steer(event);
      case "turn-end":
        return this.#endTurn(event);
      case "turn-restart":
        return this.#restart();
      case "run-end":
        return this.#end(event);
      case "events-dropped":
        return this.#stop(
          "Some of the answer was lost. Load the conversation again once it has ended, to see all of it.",
        );
      case "tool-input-delta":
      case "tool-start":
      case "tool-progress":
      case "tool-end":
        return this.#encodeCall(event);
      // A call that waits is in `pending` of the end; the others are the program's affair.
      case "approval-request":
      case "model-start":
      case "model-end":
      case "retry":
      case "compaction":
      case "warning":
        return;
      default:
        return event satisfies never;
    }
  }

  #encodeCall(event: EventOf<"tool-input-delta" | "tool-start" | "tool-progress" | "tool-end">): void {
    if (event.type === "tool-input-delta")
      return this.#tools.inputDelta(event.toolCallId, event.toolName, event.text);
    const { parentToolCallId } = event;
    if (event.type === "tool-end") {
      this.#hasResults = true;
      this.#agents.end(event.result.toolCallId);
    }
    if (parentToolCallId !== undefined) return this.#encodeWithin(event, parentToolCallId, parentToolCallId);
    if (event.type === "tool-end") return this.#tools.end(event.result);
    if (event.type === "tool-start") this.#tools.start(event.toolCall);
    else this.#tools.progress(event.toolCallId, event.value);
  }

  /** A model that writes its output as text has each piece twice: as text, and then as a piece of the output. */
  #addOutput(text: string): void {
    if (this.#lastText === text && this.#repeated !== undefined) {
      this.#repeated += text;
      return;
    }
    // A call takes the output, and began like the text before it.
    this.#writer.text("output", (this.#repeated ?? "") + text);
    this.#repeated = undefined;
  }

  #startTurn(turn: number): void {
    this.#turn = turn;
    this.#repeated = "";
    this.#hasResults = false;
    this.#tools.startTurn();
    this.#writer.startStep(String(turn));
  }

  #endTurn({ message, results }: EventOf<"turn-end">): void {
    const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const { stepText } = this.#writer;
    // An answer that came without pieces, from a store, say. What a middleware streams instead of it stays.
    if (text.startsWith(stepText)) this.#writer.text("text", text.slice(stepText.length));
    this.#writer.endText();
    for (const part of message.content) {
      const file = part.type === "image" || part.type === "file" ? filePart(part) : undefined;
      if (file) this.#writer.addPart({ type: "file", url: file.url, mediaType: file.mediaType });
    }
    this.#tools.endTurn(message.toolCalls, results);
  }

  #restart(): void {
    this.#tools.reset();
    this.#hosted.reset();
    this.#agents.reset();
    this.#writer.resetStep();
  }

  /** @param top - The call of this run; the innermost one is the last of the path. */
  #encodeInner(event: AgentRunEvent, top: string, path: string, parent = top): void {
    if (event.type === "agent-event") {
      const { parentToolCallId } = event;
      return this.#encodeInner(event.event, top, `${path}/${parentToolCallId}`, parentToolCallId);
    }
    this.#agents.add(event, path, parent);
    this.#encodeWithin(event, top, path);
  }

  /** Of calls within others, those have parts that have waited. */
  #encodeWithin(event: AgentRunEvent, top: string, path: string): void {
    if (event.type !== "tool-start" && event.type !== "tool-end") return;
    const { agent, parentToolCallId } = event;
    const place = { top, agent, path: parentToolCallId === undefined ? path : `${path}/${parentToolCallId}` };
    if (event.type === "tool-start") this.#tools.startWithin(event.toolCall, place);
    else this.#tools.endWithin(event.result, place);
  }

  #steer({ message }: EventOf<"user-message">): void {
    this.#writer.finishStep();
    const id = `${this.#options.messageId ?? "user"}-${this.#turn}-${(this.#steering += 1)}`;
    this.#writer.write({ type: "steering-message", id, parts: userParts(message) });
  }

  #end({ status, result, error }: EventOf<"run-end">): void {
    if (status === "failed") return this.#stop(publicError(error).message);
    if (status === "stuck")
      return this.#stop("The run waits for a program that has its agent and its tools. Try again later.");
    this.#agents.flush();
    if (status === "paused") this.#tools.pause(result?.pending ?? [], `${this.#turn}-pending`);
    else this.#close();
    if (status === "completed" || status === "blocked") this.#writeFinalText(result?.text ?? "");
    // A client that sends its tools' results by itself does so while its last step has calls.
    if (status !== "paused" && this.#writer.endsWithCalls) this.#writer.startStep(`${this.#turn}-end`);
    this.#writer.finishStep();
    // A decision was not carried out: its call waits still.
    if (status === "paused" && error !== undefined)
      this.#writer.write({ type: "error", errorText: publicProblem(error).message });
    const messageMetadata = this.#options.metadata && result ? metadataOf(result) : undefined;
    if (status === "cancelled") {
      if (messageMetadata) this.#writer.write({ type: "message-metadata", messageMetadata });
      this.#writer.write({ type: "abort" });
    } else {
      const finishReason = finishReasonOf(status, result?.finishReason);
      this.#writer.write({ type: "finish", finishReason, ...(messageMetadata && { messageMetadata }) });
    }
    this.#isOver = status !== "paused";
  }

  /** The run has completed with what a tool returned (`final`): its text is the answer. */
  #writeFinalText(text: string): void {
    if (text === "" || !this.#hasResults) return;
    this.#writer.startStep(`${this.#turn}-final`);
    this.#writer.text("text", text);
  }

  #close(): void {
    this.#writer.endText();
    this.#hosted.close();
    this.#tools.close();
  }

  #stop(errorText: string): void {
    this.#agents.flush();
    this.#close();
    this.#writer.finishStep();
    this.#writer.write({ type: "error", errorText });
    this.#writer.write({ type: "finish", finishReason: "error" });
    this.#isOver = true;
  }
}
