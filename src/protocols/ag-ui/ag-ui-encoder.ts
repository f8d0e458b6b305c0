import { toJson } from "../../base/util/to-json.ts";
import type { ToolResult } from "../../message/messages.ts";
import { publicError, type PublicError } from "../../run/public/public-error.ts";
import type { Encoder, SourceEvent } from "../kit/source.ts";
import { AgentReader } from "./agent-reader.ts";
import type { LaneCall } from "./lane-call.ts";
import { textOfParts } from "./content.ts";
import { waitingFor } from "./interrupts.ts";
import type { EncoderSettings } from "./options.ts";
import { SharedState } from "./shared-state.ts";
import { toAgUiMessages } from "./to-ag-ui-messages.ts";
import type { AgUiEvent, AgUiOutcome } from "./types.ts";
import { usageOf } from "./usage.ts";
import { Wire } from "./wire.ts";

type Of<Type extends SourceEvent["type"]> = Extract<SourceEvent, { readonly type: Type }>;
type RunEnd = Of<"run-end">;
type Result = NonNullable<RunEnd["result"]>;

/** The events of one run as those of AG-UI. Whatever happens, what was opened is closed, and the run has an end. */
export class AgUiEncoder implements Encoder<AgUiEvent> {
  readonly #settings: EncoderSettings;
  readonly #wire: Wire;
  readonly #main: AgentReader;
  readonly #state: SharedState;
  /** Reads the context as it is now, where that can be done. */
  readonly #context: (() => unknown) | undefined;
  #isFirst = true;
  #isClosed = false;
  /** Whether events are missing: what comes is the middle of something. */
  #isBlind = false;

  constructor(settings: EncoderSettings, context?: () => unknown) {
    this.#settings = settings;
    this.#wire = new Wire(settings.runId, settings.show, settings.messages);
    this.#main = new AgentReader(this.#wire);
    this.#state = new SharedState(settings.state, (event) => this.#wire.send(event));
    this.#context = settings.state && context;
  }

  /** What begins the stream, before the run has an event. */
  start(): readonly AgUiEvent[] {
    const { threadId, runId } = this.#settings;
    return [{ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" }];
  }

  encode(event: SourceEvent): readonly AgUiEvent[] {
    if (this.#isClosed) return [];
    this.#wire.begin(event.index);
    // A reader that comes in the middle may not have what was before.
    if (this.#isFirst && event.index > 0) this.#wire.restate();
    this.#isFirst = false;
    this.#read(event);
    return this.#wire.flush();
  }

  fail(error: unknown): readonly AgUiEvent[] {
    const lost = { code: "stream-error", message: "The events of the run ended before the run did." };
    this.#failWith(error === undefined ? lost : publicError(error));
    return this.#wire.flush();
  }

  #read(event: SourceEvent): void {
    if (event.type === "run-end") return this.#end(event);
    if (this.#isBlind) return;
    switch (event.type) {
      case "events-dropped":
        return this.#goBlind();
      case "turn-start":
        return this.#startTurn(event);
      case "turn-restart":
        return this.#restart(event);
      case "user-message":
        return this.#addUserMessage(event);
      case "agent-event":
      case "approval-request":
      case "compaction":
      case "handoff":
      case "hosted-call":
      case "model-end":
      case "model-start":
      case "output-delta":
      case "reasoning-delta":
      case "retry":
      case "text-delta":
      case "tool-end":
      case "tool-input-delta":
      case "tool-progress":
      case "tool-start":
      case "turn-end":
      case "warning":
        return this.#main.read(event);
    }
  }

  /** What the calls before it have changed of the context is there by then. */
  #startTurn(event: Of<"turn-start">): void {
    this.#main.read(event);
    if (!this.#context) return;
    try {
      this.#state.update(this.#context());
    } catch (failure) {
      // The program's own function has failed: `state`.
      this.#failWith(publicError(failure));
    }
  }

  /** Only the end of the run says what came meanwhile. */
  #goBlind(): void {
    this.#main.close();
    this.#isBlind = true;
  }

  #restart({ from, turn }: Of<"turn-restart">): void {
    this.#main.restart();
    const messageIds = this.#wire.takeBack(from);
    if (messageIds.length === 0) return;
    this.#wire.send({ type: "CUSTOM", name: "turn-restart", value: { turn, messageIds } });
    this.#wire.restate();
  }

  #addUserMessage({ message: { content } }: Of<"user-message">): void {
    // Text is all that can be streamed.
    const delta = typeof content === "string" ? content : textOfParts(content);
    if (delta === "") return;
    this.#main.lane.text.close();
    const messageId = this.#wire.messageId();
    this.#wire.send({ type: "TEXT_MESSAGE_START", messageId, role: "user" });
    this.#wire.send({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
    this.#wire.send({ type: "TEXT_MESSAGE_END", messageId });
  }

  #end(event: RunEnd): void {
    const { status, result, error } = event;
    if (status === "stuck") return this.#failWith({ code: status, message: "The run cannot go on here." });
    if (!result) return this.#failWith(publicError(error));
    if (this.#isBlind && !this.#restateResult(result))
      return this.#failWith({
        code: "events-dropped",
        message: "Events were lost: the reader was too slow.",
      });
    try {
      this.#finish(event, result);
    } catch (failure) {
      // The program's own function has failed: `state`.
      this.#failWith(publicError(failure));
    }
  }

  #finish({ status, agent, error }: RunEnd, result: Result): void {
    const isPaused = status === "paused";
    const cut = this.#main.close(isPaused);
    if (!isPaused) this.#giveUp(cut, result);
    if (["completed", "incomplete", "blocked"].includes(status)) this.#completeText(result, agent);
    const { interrupts, byAgent } = waitingFor(isPaused ? result.pending : [], this.#main, error);
    this.#main.suspend(byAgent);
    if ("context" in result) this.#state.update(result.context);
    // What a tool waits for is not the client's: an interrupt would block the thread, since nobody on its side can answer it.
    const isOwnPause = isPaused && result.pending.length === 0;
    const [first, ...others] = interrupts;
    if (first) this.#wire.restate();
    if (isOwnPause || !isUsual(status)) this.#sendStatus(status, result.finishReason);
    const outcome: AgUiOutcome = first
      ? { type: "interrupt", interrupts: [first, ...others] }
      : this.#outcomeOf(status, isOwnPause);
    const usage = usageOf(result);
    const { threadId, runId } = this.#settings;
    this.#isClosed = true;
    this.#wire.send({
      type: "RUN_FINISHED",
      threadId,
      runId,
      ...(status === "completed" && result.output !== undefined && { result: toJson(result.output).value }),
      outcome,
      ...(usage && { usage }),
    });
  }

  #failWith(error: PublicError): void {
    if (this.#isClosed) return;
    this.#main.close();
    this.#isClosed = true;
    this.#wire.send({ type: "RUN_ERROR", message: error.message, code: error.code });
  }

  /** Has every call end, those of an answer that was cut included. */
  #giveUp(cut: readonly LaneCall[], result: Result): void {
    const { lane } = this.#main;
    for (const call of cut) if (!call.isExecuting) lane.calls.discard(call);
    const results = resultsOf(result);
    for (const { calls, subagentRunId } of this.#main.lanes())
      for (const call of calls.unanswered) {
        const isWhole = subagentRunId === lane.subagentRunId && !cut.includes(call);
        const end = isWhole ? results.get(call.toolCallId) : undefined;
        if (end) calls.answer(call, end);
        else calls.giveUp(call);
      }
    this.#wire.restateIfCorrected();
  }

  /** The run's text is what comes last, also where it is the result of a tool, or was not streamed. */
  #completeText(result: Result, agent: string): void {
    const { text } = result;
    const { lane } = this.#main;
    // A run that had ended before says once more what it had said.
    const isOver = "messages" in result && result.messages.length === 0;
    if (text === "" || isOver || lane.text.hasAnswered(text) || this.#isBlind) return;
    // A reader that came late has it in the messages.
    const last = this.#wire.messages.findLast(({ role }) => role === "assistant");
    if (!lane.hasTurn && last?.content === text) return;
    lane.text.write("text", text, agent);
    lane.text.close();
  }

  #sendStatus(status: string, finishReason: string): void {
    this.#wire.send({ type: "CUSTOM", name: "run-status", value: { status, finishReason } });
  }

  #outcomeOf(status: RunEnd["status"], isOwnPause: boolean): AgUiOutcome {
    if (status === "completed" || isOwnPause) return { type: "success" };
    if (status !== "paused") return { type: "cancelled" };
    const pendingToolCallIds = this.#main.lane.calls.unanswered.map(({ wireId }) => wireId);
    return { type: "success", ...(pendingToolCallIds.length > 0 && { pendingToolCallIds }) };
  }

  /** Restates what a reader has missed, if it is there. Whether that could be done. */
  #restateResult(result: Result): boolean {
    if (result.status === "paused" || !("messages" in result)) return false;
    return this.#wire.replaceNew(toAgUiMessages(result.messages, { show: this.#settings.show }));
  }
}

/** The results in the messages of a run, the last of each call. Those of a durable run are not there. */
function resultsOf(result: Result): ReadonlyMap<string, ToolResult> {
  const messages = "messages" in result ? result.messages : [];
  return new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? [[message.result.toolCallId, message.result]] : [],
    ),
  );
}

/** Whether a client learns of an end by the outcome alone. */
function isUsual(status: RunEnd["status"]): boolean {
  return status === "completed" || status === "paused" || status === "cancelled";
}
