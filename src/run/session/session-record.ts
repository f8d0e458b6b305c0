import type { ApprovalDecision, NestedWork, PendingApproval } from "../../message/run-state.ts";
import type { Message } from "../../message/messages.ts";
import { sameJson } from "../../base/util/same-json.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { leadOf, openWorkOf } from "../state/open-work.ts";
import { approvalsOf, callsOf, statusOf } from "../state/report.ts";
import { storedChanges, storedContext } from "../state/stored-context.ts";
import type { SessionRecorder } from "../state/run-config.ts";
import type { Middleware } from "../steps/middleware.ts";
import { addWriter, endOfClaim, newClaim, removeWriter, renewalInterval } from "./claim.ts";
import type { StoredConversation } from "./stored-conversation.ts";
import type { Session, SessionEntry, SessionEntryBody, SessionState } from "./session.ts";
import { isConflict, orFail, orUnanswered } from "./session-failure.ts";
import { changesOfApprovals, changesOfWork } from "./stored-work.ts";
import { workWithin } from "./session-lock.ts";
import { unref } from "../../base/util/unref.ts";

/** Keeps in a session what a run does, once only and in order. */
export class SessionRecord implements SessionRecorder {
  readonly #run: ActiveRun;
  readonly #session: Session;
  readonly #writer = crypto.randomUUID();
  #sequence: number;
  /** How many of the run's messages are kept. */
  #saved: number;
  #state: string | undefined;
  /** What is kept of the calls that wait: only what is new of it is written. */
  #work: readonly NestedWork[];
  #approvals: readonly PendingApproval[];
  #context: unknown;
  readonly #queue: SessionEntryBody[] = [];
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  readonly #unlock: () => void;
  #renewal: ReturnType<typeof setInterval> | undefined;
  readonly steps: ReadonlyMap<string, unknown>;
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
  /** The approvals whose decisions were written since. */
  readonly #decided = new Set<string>();
  /** Has what came of each of several calls kept as soon as it is there, and what is done within a call. */
  readonly middleware: Middleware = { step: (key, next) => this.#step(key, next) };

  /** @param unlock - Lets the next run of this process have the session. */
  constructor(
    run: ActiveRun,
    session: Session,
    { view, state, steps, decisions, last }: StoredConversation,
    unlock: () => void,
  ) {
    this.#run = run;
    this.#session = session;
    this.#sequence = last;
    this.#saved = view.length;
    this.#work = state?.nested ?? [];
    this.#approvals = state?.approvals ?? [];
    this.#context = state?.context;
    this.steps = new Map(steps);
    this.#unlock = unlock;
    this.decisions = decisions;
  }

  /**
   * Keeps what is new, claims the session with it, and renews the claim until it is released.
   * @throws SessionConflictError if another run was faster; SkeinError (`session-failed`)
   */
  async claim(): Promise<void> {
    const { isLeased } = this.#session;
    const claims = isLeased ? [] : [newClaim()];
    addWriter(this.#writer);
    try {
      // Where decisions or results are refused, the session stays as it is.
      await (this.#hasAnswers() ? this.#append(claims) : this.save(claims));
    } catch (error) {
      removeWriter(this.#writer);
      throw error;
    }
    if (isLeased) return;
    this.#renewal = setInterval(() => {
      this.#queue.push(newClaim());
      // Should it fail, so does the next `save`. Where another run has the session, or it was deleted, nothing of this one must go on.
      this.#write().catch((error: unknown) => isConflict(error) && this.#run.config.scope.cancel(error));
    }, renewalInterval);
    unref(this.#renewal);
  }

  within<T>(work: () => Promise<T>): Promise<T> {
    return workWithin(this.#session, work);
  }

  async end(): Promise<void> {
    const isClaimed = this.#stopRenewal();
    await this.save(isClaimed ? [endOfClaim] : []);
    this.#leave();
  }

  async release(): Promise<void> {
    if (this.#stopRenewal() && !this.#failure) {
      this.#queue.push(endOfClaim);
      // The claim of a store that fails, or does not answer, runs out by itself.
      await orUnanswered(this.#write(), AbortSignal.abort()).catch((error: unknown) => {
        this.#failure ??= { error };
      });
    }
    this.#leave();
  }

  async decide(decisions: readonly ApprovalDecision[]): Promise<void> {
    // One that did not fit any more may have been made again.
    const recorded = decisions.filter(
      (each) => !this.#decided.has(each.approvalId) && !sameJson(each, this.decisions.get(each.approvalId)),
    );
    for (const { approvalId } of recorded) this.#decided.add(approvalId);
    await this.save(recorded.map((decision) => ({ ...decision, type: "decision" }) as const));
  }

  /** Whether the run was sent decisions or results, which may be refused. */
  #hasAnswers(): boolean {
    const { approvals = [], results = [] } = this.#run.config.options;
    return approvals.length + results.length > 0;
  }

  #stopRenewal(): boolean {
    const isClaimed = this.#renewal !== undefined;
    clearInterval(this.#renewal);
    this.#renewal = undefined;
    return isClaimed;
  }

  #leave(): void {
    removeWriter(this.#writer);
    this.#unlock();
  }

  /**
   * Keeps what is new: messages, and where the run stands.
   * @throws SessionConflictError if another run has written meanwhile; SkeinError (`session-failed`)
   */
  async save(further: readonly SessionEntryBody[] = []): Promise<void> {
    this.#collect(this.#run.conversation.messages);
    const { nested } = this.#run.conversation;
    const { context, ...others } = stateEntry(this.#run);
    const approvals = approvalsOf(this.#run);
    const text = JSON.stringify(others);
    const isNew = this.#isNewContext(context);
    if (isNew || text !== this.#state || !sameJson([approvals, nested], [this.#approvals, this.#work]))
      this.#queue.push({
        ...others,
        approvals: changesOfApprovals(this.#approvals, approvals),
        ...(nested.length > 0 && { nested: changesOfWork(this.#work, nested) }),
        ...(isNew && { context: this.#context }),
      });
    this.#state = text;
    this.#work = nested;
    this.#approvals = approvals;
    await this.#append(further);
  }

  /** Whether a context is to be written: it has other data than the one that is kept. An instance with `toJSON` may have changed by itself. */
  #isNewContext(context: unknown): boolean {
    const stored = storedContext(this.#run, context);
    const isNew = !sameJson(stored, this.#context);
    this.#context = stored;
    return isNew;
  }

  #append(entries: readonly SessionEntryBody[]): Promise<void> {
    this.#queue.push(...entries);
    return this.#write();
  }

  /** Notes that the run goes on with other messages than it had `before`. */
  compacted(before: readonly Message[]): void {
    this.#collect(before);
    const { messages } = this.#run.conversation;
    this.#queue.push({ type: "compaction", messages: changes(before, messages) });
    this.#saved = messages.length;
  }

  #collect(messages: readonly Message[]): void {
    for (const message of messages.slice(this.#saved)) this.#queue.push({ type: "message", message });
    this.#saved = messages.length;
  }

  async #step<T>(step: StepKey, perform: () => Promise<T>): Promise<T> {
    const key = printStep(step);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stands under a key is what was put there
    if (this.steps.has(key)) return this.steps.get(key) as T;
    // What an agent within has done is stored before its model is called, and the answer before its calls are executed.
    const { durable, scope } = this.#run.config;
    const certainty = durable?.hold();
    if (certainty) await certainty.then(() => scope.signal.throwIfAborted());
    const isAnswerWithin = step.parent !== undefined && step.kind === "model";
    if (isAnswerWithin) await this.#write();
    const value = await perform();
    // A model's answer and a single call have their messages at once.
    const hasMessage =
      step.parent === undefined && (step.kind !== "tool" || this.#run.conversation.pending.length < 2);
    if (hasMessage) return value;
    const calls = this.#run.config.parent ? undefined : this.#run.config.limits.callsOfTools(false);
    this.#queue.push({ type: "step", key, value, ...(calls && { calls }) });
    const writing = this.#write();
    if (isAnswerWithin || step.kind === "step") await writing;
    // Should it fail, so does the next `save`: a batch of calls is never interrupted.
    else writing.catch(() => {});
    return value;
  }

  /** One entry after another, however many ask at once. */
  #write(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#writing || this.#queue.length === 0) return this.#writing ?? Promise.resolve();
    return (this.#writing = this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const entries = this.#queue.splice(0).map((body): SessionEntry => {
          this.#sequence++;
          return { sequence: this.#sequence, writer: this.#writer, ...body };
        });
        const { signal } = this.#run.config.scope;
        await orFail("written", () => orUnanswered(this.#session.append(entries), signal));
      }
      // At once: what is noted a moment later is another's to write.
      this.#writing = undefined;
    } catch (error) {
      // Nobody knows what is kept now.
      this.#failure = { error };
      throw error;
    }
  }
}

function stateEntry(run: ActiveRun): SessionState {
  // Read first: changes of a batch that is done are merged into it.
  const { context } = run;
  const { callers, changes, config, meters } = run;
  const toolNames = run.toolNames.stored;
  const calls = callsOf(run);
  const work = openWorkOf(run);
  const left = run.conversation.pending.flatMap(({ toolCallId, approvalId, input }) =>
    approvalId === undefined && input !== undefined ? { toolCallId, input } : [],
  );
  return {
    type: "state",
    runId: config.runId,
    agent: leadOf(run),
    turn: meters.turn - run.unansweredTurns,
    ...(callers.length > 0 && { callers }),
    ...(toolNames.length > 0 && { toolNames }),
    status: statusOf(run),
    ...(run.blocked && { blocked: run.blocked }),
    usage: meters.totalUsage,
    ...work,
    ...(left.length > 0 && { left }),
    ...(changes.length > 0 && { changes: storedChanges(run, changes) }),
    ...(run.unread.length > 0 && { unread: run.unread }),
    ...(run.received > 0 && { received: run.received }),
    ...(run.notes.stored && { notes: run.notes.stored }),
    ...(calls && { calls }),
    context,
  };
}

/** The messages of now, those that were there before by their places. */
function changes(
  before: readonly Message[],
  now: readonly Message[],
): readonly (Message | readonly [number, number])[] {
  const places = new Map(before.map((message, index) => [message, index]));
  const items: (Message | [number, number])[] = [];
  let range: [number, number] | undefined;
  for (const message of now) {
    const place = places.get(message);
    if (range && place === range[1]) range[1]++;
    else items.push((range = place === undefined ? undefined : [place, place + 1]) ?? message);
  }
  return items;
}
