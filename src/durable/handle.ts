import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { assertAtLeast } from "../base/options/at-least.ts";
import { startTimer } from "../base/util/timer.ts";
import { InvalidInputError } from "../errors.ts";
import type { UserMessage } from "../message/messages.ts";
import type { ApprovalDecision, PendingCall, SentMessage } from "../message/run-state.ts";
import { runOf } from "../message/waits.ts";
import { snapshotOf, userMessage } from "../run/resume/input.ts";
import { readEntries } from "../run/session/read-session.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import { unreadBy } from "./unreceived.ts";
import { withFinishedCalls } from "../run/session/finished-calls.ts";
import type { ExternalResult } from "../run/types.ts";
import { awaitedCalls } from "./awaited.ts";
import { cancelRun } from "./cancel-run.ts";
import { changeStored } from "./change-stored.ts";
import { deliver } from "./deliver.ts";
import { DurableRunError, notFound, overtaken } from "./errors.ts";
import { undecidedCalls } from "./inbox.ts";
import { type EventsToRead, RunEvents } from "./read-events.ts";
import { sessionOf } from "./log-session.ts";
import { infoOf, resultOf } from "./run-info.ts";
import type { DurableStore, RunChange } from "./store.ts";
import type { StoredEvent } from "./stored-event.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";
import type {
  DurableResult,
  DurableState,
  EventsOptions,
  ResultOptions,
  RunAnswers,
  RunHandle,
  RunWait,
} from "./types.ts";
import { goesOn, waitUntil } from "./wait-until.ts";

/** One run of a store. */
export class StoredRunHandle implements RunHandle {
  readonly id: string;
  readonly isNew: boolean;
  readonly #store: DurableStore;
  readonly #cancelHere: (id: string, reason: unknown) => void;

  /** @param cancelHere - Ends the run at once, if this process has it. */
  constructor(
    id: string,
    isNew: boolean,
    store: DurableStore,
    cancelHere: (id: string, reason: unknown) => void,
  ) {
    this.id = id;
    this.isNew = isNew;
    this.#store = store;
    this.#cancelHere = cancelHere;
  }

  async state(): Promise<DurableState> {
    const run = await this.#read();
    const conversation = withFinishedCalls(await this.#conversation(run));
    const isOwn = conversation.state?.runId === this.id;
    const own =
      isOwn && !endedStatuses.includes(run.status) ? undecidedCalls(conversation, run.data.inbox) : [];
    return {
      ...infoOf(run),
      ...(await this.#waitsOf(own)),
      input: run.data.request.input,
      messages: conversation.messages,
      after: lastEventIn(run, isOwn ? (conversation.state?.turn ?? 0) : 0),
      hasBegun: isOwn || run.progress.hasEntries === true,
      unread: isOwn || !endedStatuses.includes(run.status) ? unreadBy(run, conversation) : [],
      ...(await this.#waitsFor(run)),
    };
  }

  async result(options: ResultOptions = {}): Promise<DurableResult> {
    assertKnownOptions(options, { timeout: true, signal: true, until: true }, "result()");
    assertAtLeast("timeout", options.timeout, 0);
    assertUntil(options.until);
    const { timeout, signal, until = "pause" } = options;
    const over = new AbortController();
    // Not AbortSignal.timeout, which keeps its timer for the whole time.
    const stop = startTimer(() => over.abort(), timeout ?? Number.POSITIVE_INFINITY);
    const signals = signal ? [signal, over.signal] : [over.signal];
    try {
      const run = await waitUntil(this.#store, this.id, AbortSignal.any(signals), async () => {
        const current = await this.#read();
        return goesOn(current, until) ? undefined : current;
      });
      const result = resultOf(run);
      return { ...result, ...(await this.#waitsOf(result.pending)) };
    } catch (error) {
      if (!over.signal.aborted || error !== over.signal.reason) throw error;
      throw new DurableRunError(
        `The run "${this.id}" has not stopped within ${timeout} milliseconds. It goes on; ask again later, or start a worker with work().`,
        "run-timeout",
        { id: this.id },
      );
    } finally {
      stop();
    }
  }

  events(options: EventsOptions = {}): AsyncIterableIterator<StoredEvent, void> {
    return new RunEvents(this.#store, this.id, () => this.#toRead(options));
  }

  async #toRead(options: EventsOptions): Promise<EventsToRead> {
    assertKnownOptions(options, { after: true, signal: true, until: true }, "events()");
    assertUntil(options.until);
    const { after = -1, signal, until = "pause" } = options;
    if (!Number.isSafeInteger(after))
      throw invalidOption(`after must be the index of an event, not ${describeValue(after)}.`, {
        option: "after",
      });
    await this.#read();
    return { after, signal, until };
  }

  async decide(decisions: readonly ApprovalDecision[]): Promise<void> {
    if (!Array.isArray(decisions))
      throw new InvalidInputError('decide() needs a list: [{ approvalId, decision: "approve" }].');
    await this.answer({ decisions });
  }

  async resolve(call: string, content: unknown, options: { readonly isError?: boolean } = {}): Promise<void> {
    assertKnownOptions(options, { isError: true }, "resolve()");
    const result: ExternalResult = {
      toolCallId: call,
      content,
      ...(options.isError !== undefined && { isError: options.isError }),
    };
    await this.answer({ results: [result] });
  }

  async answer(answers: RunAnswers): Promise<void> {
    assertKnownOptions(answers, { decisions: true, results: true }, "answer()");
    const { decisions = [], results = [] } = snapshotOf(answers, "What answer() takes");
    if (!Array.isArray(decisions) || !Array.isArray(results))
      throw new InvalidInputError("answer() needs lists: { decisions: [...], results: [...] }.");
    await deliver(this.#store, this.id, { answers: { decisions, results } });
  }

  /** What the calls of a run wait for: in place of another run, which nobody answers, there is what that one waits for. */
  async #waitsOf(waiting: readonly PendingCall[]): Promise<Pick<DurableState, "pending" | "waitsForRuns">> {
    const { calls } = await awaitedCalls(this.#store, waiting, "open");
    const pending = [...waiting.filter((call) => !runOf(call)), ...calls.map(({ call }) => call)];
    const waitsForRuns = waiting.flatMap((call): RunWait[] => {
      const id = runOf(call);
      return id === undefined ? [] : [{ id, toolCallId: call.parentToolCallId ?? call.toolCallId }];
    });
    return { pending, ...(waitsForRuns.length > 0 && { waitsForRuns }) };
  }

  steer(message: string | UserMessage): Promise<void> {
    return this.#pass("steer", message);
  }

  queue(message: string | UserMessage): Promise<void> {
    return this.#pass("queue", message);
  }

  async cancel(reason?: string): Promise<boolean> {
    if (reason !== undefined && typeof reason !== "string")
      throw invalidOption(`The reason of cancel() must be a text, not ${describeValue(reason)}.`, {
        option: "reason",
      });
    const changed = await cancelRun(this.#store, this.id, reason);
    if (changed === undefined) throw notFound(this.id);
    if (!changed) return false;
    this.#cancelHere(this.id, reason ?? new Error("The run was cancelled."));
    return true;
  }

  async retry(): Promise<void> {
    await this.#change(async (run) => {
      const { status, data, progress } = run;
      if ((status === "queued" || status === "running") && data.cancel)
        throw new DurableRunError(
          `The run "${this.id}" is being cancelled: only one that failed or is stuck can be tried again.`,
          "run-ended",
          { id: this.id },
        );
      if (status === "queued" || status === "running") return undefined;
      if (status !== "failed" && status !== "stuck")
        throw new DurableRunError(
          `The run "${this.id}" is ${status}: only one that failed or is stuck can be tried again.`,
          "run-ended",
          { id: this.id },
        );
      if (progress.hasEntries && (await this.#conversation(run)).state?.runId !== this.id)
        throw overtaken(this.id);
      const {
        error: _,
        missing: _missing,
        turns: _turns,
        spent: _spent,
        toolCalls: _toolCalls,
        isCallLimitReached: _isCallLimitReached,
        ...rest
      } = data;
      return { status: "queued", due: { in: 0 }, data: rest };
    });
  }

  async #pass(when: SentMessage["when"], input: string | UserMessage): Promise<void> {
    const message = userMessage(input, `${when}()`);
    await deliver(this.#store, this.id, { messages: [{ when, message }] });
  }

  async #change(
    changeOf: (run: StoredRun) => RunChange | undefined | Promise<RunChange | undefined>,
  ): Promise<void> {
    if ((await changeStored(this.#store, this.id, changeOf)) === undefined) throw notFound(this.id);
  }

  /** The run of the same conversation that a queued one waits for. */
  async #waitsFor({ id, log, status }: StoredRun): Promise<{ readonly waitsFor?: string }> {
    if (status !== "queued" || sessionOf(log) === undefined) return {};
    const statuses = ["queued", "running", "paused", "stuck"] as const;
    const open = await this.#store.list({ log, statuses, limit: 1_000 });
    const place = open.findIndex((run) => run.id === id);
    const earlier = place < 0 ? undefined : open[place + 1];
    return earlier ? { waitsFor: earlier.id } : {};
  }

  async #read(): Promise<StoredRun> {
    const run = await this.#store.read(this.id);
    if (run) return run;
    throw notFound(this.id);
  }

  async #conversation({ log }: StoredRun): Promise<StoredConversation> {
    return readEntries(await this.#store.load(log));
  }
}

/**
 * The last event that a conversation has what came of, as it was read after the run.
 * @param turn - The last turn of the run that the conversation has.
 */
function lastEventIn({ status, progress }: StoredRun, turn: number): number {
  const { next, turn: latest = 0, turnAt = next } = progress;
  // An answer under way is not in the conversation: its events count from the beginning.
  const isUnderWay = latest > turn && !endedStatuses.includes(status);
  return (isUnderWay ? turnAt : next) - 1;
}

function assertUntil(until: unknown): void {
  if (until === undefined || until === "pause" || until === "end") return;
  throw invalidOption(`until must be "pause" or "end", not ${describeValue(until)}.`, { option: "until" });
}
