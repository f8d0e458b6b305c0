import type { Usage } from "../../message/messages.ts";
import type { HostedCall } from "../../model/hosted-call.ts";
import type { PendingCall, RunStatus } from "../../message/run-state.ts";
import { type PublicError, publicError } from "../../run/public/public-error.ts";
import type { SourceEvent } from "./source.ts";

/** How an answer ended, for protocols that know an answer and calls, and nothing of runs. */
export interface AnswerEnd {
  readonly outcome:
    | "completed"
    /** Calls wait for what none of this protocol's clients can send: the run goes on by itself later. */
    | "waiting"
    /** A limit was reached: of tokens, of model calls, or of money. */
    | "length"
    | "content-filter"
    | "cancelled"
    | "failed";
  /** Calls that the client is to execute. */
  readonly calls: readonly PendingCall[];
  /** Calls that a person has to decide on. */
  readonly approvals: readonly PendingCall[];
  readonly usage: Usage | undefined;
  /** Set where it failed. */
  readonly error?: PublicError;
}

/** What an event is to a reader of the answer. */
export type AnswerStep =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** A call that the provider of the model executes has begun, or has ended. */
  | { readonly type: "hosted"; readonly call: HostedCall }
  /** A call begins: the text before it is complete. */
  | { readonly type: "pause" }
  /** The text so far is not that of the run's end: what comes next is. */
  | { readonly type: "break" }
  /** A process has died: what came from the event with index `from` on does not count. */
  | { readonly type: "restart"; readonly from: number }
  /** The reader was too slow, and misses a part of the answer: what follows makes no sense. */
  | { readonly type: "lost"; readonly error: PublicError }
  | { readonly type: "end"; readonly end: AnswerEnd };

/** How to read an answer. */
export interface AnswerOptions {
  /**
   * Whether the run has an `output`: its text is then passed on once it is valid, in one piece, since a wrong answer that the model
   * corrects cannot be taken back. By default, that holds from the first `output-delta` of a turn on, for which the first piece of each turn
   * waits for the event behind it; with `false` it does not wait.
   */
  readonly output?: boolean;
  /** The names of the tools that the client executes. Without them, all calls that wait for a result are the client's. */
  readonly tools?: readonly string[];
}

const nothing: readonly AnswerStep[] = [];

/**
 * Reads the events of a run as one answer: its text, piece by piece, and at the end what `run` returns as `text`, whatever was streamed.
 * The calls of the agent's own tools, handoffs and agents within the run are not part of it.
 */
export class AnswerReader {
  readonly #isTyped: boolean;
  /** Whether it is not known that there is no output. */
  readonly #mayBeTyped: boolean;
  readonly #tools: ReadonlySet<string> | undefined;
  /** The text of the turn that last had any. */
  #text = "";
  /** Whether that is the current turn. */
  #isCurrent = false;
  /** Whether no call has come behind it. */
  #isOpen = false;
  /** Whether the text of the current turn is an output, which is passed on at the end. */
  #isOutput: boolean;
  /** The first piece of a turn: the event behind it says whether it is part of an output. */
  #first: string | undefined;
  /** The index of the last event that something was passed on for. */
  #last = -1;

  constructor({ output, tools }: AnswerOptions) {
    this.#isTyped = output === true;
    this.#mayBeTyped = output !== false;
    this.#isOutput = this.#isTyped;
    this.#tools = tools && new Set(tools);
  }

  /** What an event means; nothing for most. */
  read(event: SourceEvent): readonly AnswerStep[] {
    const steps = this.#stepsOf(event);
    const [step] = steps;
    if (step !== undefined && step.type !== "restart") this.#last = event.index;
    return steps;
  }

  #stepsOf(event: SourceEvent): readonly AnswerStep[] {
    switch (event.type) {
      case "text-delta":
        return this.#addText(event.text);
      case "output-delta":
        this.#isOutput = true;
        this.#first = undefined;
        return nothing;
      case "reasoning-delta":
        return [...this.#passFirst(), { type: "reasoning", text: event.text }];
      case "hosted-call":
        return [...this.#passFirst(), { type: "hosted", call: event.call }];
      case "turn-start":
        return this.#startTurn();
      case "tool-input-delta":
      case "tool-start":
        return this.#pause();
      case "turn-restart":
        return this.#restart(event.from);
      case "events-dropped":
        return [lost];
      case "run-end":
        return [...this.#passFirst(), ...this.#finish(event)];
      case "agent-event":
      case "approval-request":
      case "compaction":
      case "handoff":
      case "model-end":
      case "model-start":
      case "retry":
      case "tool-end":
      case "tool-progress":
      case "turn-end":
      case "user-message":
      case "warning":
        return this.#passFirst();
      default:
        return event satisfies never;
    }
  }

  #startTurn(): readonly AnswerStep[] {
    const steps = this.#passFirst();
    this.#isCurrent = false;
    this.#isOutput = this.#isTyped;
    return steps;
  }

  #addText(text: string): readonly AnswerStep[] {
    if (this.#isOutput || text === "") return nothing;
    if (!this.#isCurrent && this.#first === undefined) {
      if (!this.#mayBeTyped) return this.#begin(text);
      this.#first = text;
      return nothing;
    }
    const steps = this.#passFirst();
    this.#text += text;
    this.#isOpen = true;
    return [...steps, { type: "text", text }];
  }

  #passFirst(): readonly AnswerStep[] {
    if (this.#first === undefined) return nothing;
    const text = this.#first;
    this.#first = undefined;
    return this.#begin(text);
  }

  /** The first text of a turn. */
  #begin(text: string): readonly AnswerStep[] {
    const hasOther = this.#text !== "";
    this.#text = text;
    this.#isCurrent = true;
    this.#isOpen = true;
    return hasOther ? [{ type: "break" }, { type: "text", text }] : [{ type: "text", text }];
  }

  #pause(): readonly AnswerStep[] {
    if (!this.#isOpen && this.#first === undefined) return nothing;
    const steps = this.#passFirst();
    this.#isOpen = false;
    return [...steps, { type: "pause" }];
  }

  #restart(from: number): readonly AnswerStep[] {
    const isVisible = this.#last >= from;
    this.#first = undefined;
    this.#isOutput = this.#isTyped;
    if (!isVisible) return nothing;
    this.#text = "";
    this.#isCurrent = false;
    this.#isOpen = false;
    this.#last = from - 1;
    return [{ type: "restart", from }];
  }

  #finish(event: Extract<SourceEvent, { readonly type: "run-end" }>): readonly AnswerStep[] {
    const end = endOf(event, this.#tools);
    // An output that failed is not an answer.
    const text = end.outcome === "failed" && this.#isOutput ? "" : (event.result?.text ?? "");
    return [...this.#restOf(text), { type: "end", end }];
  }

  /** What the run's text has beside what was streamed: an output, the result of a tool with the last word, or another answer. */
  #restOf(text: string): readonly AnswerStep[] {
    const before = this.#text;
    if (text === "" || (text === before && !this.#isOutput)) return nothing;
    if (this.#isOpen && this.#isCurrent && !this.#isOutput && text.startsWith(before))
      return [{ type: "text", text: text.slice(before.length) }];
    return this.#begin(text);
  }
}

const lost: AnswerStep = {
  type: "lost",
  error: { code: "events-dropped", message: "The reader was too slow: a part of the answer is missing." },
};

function endOf(
  { status, result, error }: Extract<SourceEvent, { readonly type: "run-end" }>,
  tools: ReadonlySet<string> | undefined,
): AnswerEnd {
  if (!result) {
    const code = status === "stuck" ? "stuck" : undefined;
    const failure = code === undefined ? publicError(error) : { code, message: `The run failed. (${code})` };
    return { outcome: "failed", calls: [], approvals: [], usage: undefined, error: failure };
  }
  const pending: readonly PendingCall[] = result.pending;
  const approvals = pending.filter(({ approvalId }) => approvalId !== undefined);
  const calls = pending.filter(
    (call) => call.approvalId === undefined && (tools?.has(call.toolName) ?? true),
  );
  const hasWork = approvals.length + calls.length > 0;
  const outcome = outcomeOf(status, result.finishReason, hasWork);
  return {
    outcome,
    calls,
    approvals,
    usage: result.usage,
    ...(outcome === "failed" && { error: { code: status, message: `The run failed. (${status})` } }),
  };
}

function outcomeOf(
  status: RunStatus | "failed" | "stuck",
  finishReason: string,
  hasWork: boolean,
): AnswerEnd["outcome"] {
  switch (status) {
    case "completed":
    case "cancelled":
      return status;
    case "paused":
      return hasWork ? "completed" : "waiting";
    case "max-turns":
    case "max-tool-calls":
    case "budget":
      return "length";
    case "blocked":
      return "content-filter";
    case "incomplete":
      return finishReason === "length" || finishReason === "content-filter" ? finishReason : "failed";
    case "corrections":
    case "repeating":
    case "failed":
    case "stuck":
      return "failed";
    default:
      return status satisfies never;
  }
}

/** The arguments of a call that waits, as JSON that the tool accepts: defaults are filled in, mistakes of writing are mended. */
export function argumentsOf(call: PendingCall): string {
  return call.input === undefined ? call.arguments : JSON.stringify(call.input);
}
