import type { Message, ToolCall, ToolResult } from "../../message/messages.ts";
import type { NestedWork, PendingCall } from "../../message/run-state.ts";
import { unansweredCalls } from "../../message/unanswered-calls.ts";
import { frozen } from "../../base/util/snapshot.ts";
import { frozenResult } from "../../executor/finalize.ts";
import { replaceItems } from "../../base/util/replace-items.ts";

/**
 * The messages of a run, and the calls that wait for their results. It grows by `append` and `answer` alone. Every message is
 * frozen as it comes in: events, tools, models and results show them as they are.
 */
export class Conversation {
  readonly #messages: Message[];
  /** The run's own messages that a compaction has removed from `messages`. */
  readonly #compacted: Message[] = [];
  #inputLength: number;
  #pending: readonly PendingCall[];
  #nested: readonly NestedWork[] = [];
  #hasTruncated = false;
  /** The history for the next model call. One list, which grows. */
  readonly messages: readonly Message[];

  /** @param input - The history that the run begins with; calls at its end without a result are pending. */
  constructor(input: readonly Message[]) {
    this.#messages = input.map(frozen);
    this.#hasTruncated = this.#messages.some(isTruncated);
    this.messages = this.#messages;
    this.#inputLength = input.length;
    this.#pending = unansweredCalls(this.#messages);
  }

  /** How many of the messages were there before the run. */
  get inputLength(): number {
    return this.#inputLength;
  }

  /** Whether a result is truncated, of which the rest can be read. */
  get hasTruncated(): boolean {
    return this.#hasTruncated;
  }

  /** The calls of the last answer that have no result yet. */
  get pending(): readonly PendingCall[] {
    return this.#pending;
  }

  /** What pending calls have done that wait for calls within them. */
  get nested(): readonly NestedWork[] {
    if (this.#nested.length === 0) return this.#nested;
    const open = new Set(this.#pending.map(({ toolCallId }) => toolCallId));
    return this.#nested.filter(({ toolCallId }) => open.has(toolCallId));
  }

  /** The messages that the run has added. */
  get added(): readonly Message[] {
    return [...this.#compacted, ...this.#messages.slice(this.#inputLength)];
  }

  /** Appends a message of a model or the user. The calls of an answer are pending from then on. */
  append<M extends Extract<Message, { role: "assistant" | "user" }>>(message: M): M {
    const added = frozen(message);
    this.#messages.push(added);
    if (added.role !== "assistant") return added;
    this.#pending = added.toolCalls;
    // Its calls may have the ids of earlier ones, whose work and approvals are not theirs.
    this.#nested = [];
    return added;
  }

  /** Appends the results of calls, in their order: these calls are no longer pending. */
  answer(results: readonly ToolResult[]): void {
    this.#hasTruncated ||= results.some(({ truncated }) => truncated !== undefined);
    for (const result of results)
      this.#messages.push(Object.freeze({ role: "tool", result: frozenResult(result) }));
    this.#pending = withoutAnswered(this.#pending, results);
  }

  /** Replaces pending calls by the same calls with their approval ids. */
  updatePending(update: (call: PendingCall) => PendingCall): void {
    this.#pending = this.#pending.map(update);
  }

  /** Takes over what pending calls have done in an earlier run. */
  continueWork(nested: readonly NestedWork[]): void {
    this.#nested = nested;
  }

  /**
   * Notes what a pending call has done that waits for calls within it.
   * @param call - The model's own call: nobody has to decide on it any more.
   */
  suspend(work: NestedWork, call: ToolCall): void {
    const { toolCallId } = work;
    this.#nested = [...this.#nested.filter((other) => other.toolCallId !== toolCallId), work];
    this.updatePending((each) => (each.toolCallId === toolCallId ? call : each));
  }

  /** Starts over with the history of a session. */
  restart(history: readonly Message[], pending: readonly PendingCall[] = unansweredCalls(history)): void {
    replaceItems(this.#messages, history.map(frozen));
    this.#hasTruncated = this.#messages.some(isTruncated);
    this.#inputLength = history.length;
    this.#pending = frozen(pending);
    this.#nested = [];
  }

  /**
   * Continues with a shorter history. The messages that the run has added so far still count as added.
   * @param withheld - What stands for messages that nobody is to read any more; `undefined` if nothing does.
   */
  compact(shorter: readonly Message[], withheld?: ReadonlyMap<Message, Message | undefined>): void {
    const added = this.added.flatMap((each) => (withheld?.has(each) ? (withheld.get(each) ?? []) : each));
    replaceItems(this.#compacted, added);
    replaceItems(this.#messages, shorter.map(frozen));
    this.#inputLength = shorter.length;
  }
}

function isTruncated(message: Message): boolean {
  return message.role === "tool" && message.result.truncated !== undefined;
}

/** Bench row "loop, a turn of 10": mostly one batch answers all calls, in their order. */
function withoutAnswered(
  pending: readonly PendingCall[],
  results: readonly ToolResult[],
): readonly PendingCall[] {
  if (results.length === 0) return pending;
  if (pending.every(({ toolCallId }, index) => toolCallId === results[index]?.toolCallId)) return [];
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  return pending.filter(({ toolCallId }) => !answered.has(toolCallId));
}
