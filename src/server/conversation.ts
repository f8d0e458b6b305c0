import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import type { UserMessage } from "../message/messages.ts";
import type { ExternalResult } from "../run/types.ts";
import { isPlainObject } from "../base/util/json.ts";
import { Refusal } from "./refusal.ts";
import { SharedCache } from "./shared-cache.ts";
import type { ServeOptions } from "./types.ts";
import { hasEnded, type UserRun, type UserRuns, type UserStart } from "./user-runs.ts";

/** What a client sends to a conversation. */
export interface Turn extends Omit<UserStart, "session"> {
  readonly session: string;
  /** The id of the message, where a client that sends it again does so under another `id`. */
  readonly messageId?: string;
  /** On calls that wait. */
  readonly decisions?: readonly ApprovalDecision[];
  /** Of calls that the client executes. */
  readonly results?: readonly ExternalResult[];
}

/** A run to follow, from behind an event. */
export interface Followed {
  readonly run: UserRun;
  readonly after: number;
  /** Whether the run was there before: the client has the beginning of its answer, unless `after` is -1. */
  readonly isContinued: boolean;
  /** The calls that were waiting, where it goes on after answers to some of them. */
  readonly pending: readonly PendingCall[];
}

/** After how many seconds a client may try again whose conversation has a run. */
const retryAfter = { "retry-after": "2" };

/** How many messages are remembered that were passed on to runs, and how many characters the calls may have that they came with. */
const mostSteered = { entries: 10_000, size: 16_777_216 } as const;

/** How many ids of clients are remembered that lead to runs with ids of their own. */
const mostAliases = { entries: 10_000, size: 10_000 } as const;

/** How many runs of a conversation are looked through for a message that is sent again. */
const lastRuns = 10;

/** Conversations in which something is being sent: one request after the other, so that two at once do not start two runs. */
export class Conversations {
  readonly #busy: NonNullable<ServeOptions["busy"]>;
  readonly #last = new Map<string, Promise<unknown>>();
  /** Messages that were passed on to runs that worked, by their ids. */
  readonly #steered = new SharedCache<Followed>(mostSteered);

  readonly #aliases = new SharedCache<string>(mostAliases);

  /** @param busy - What happens to a message while a run works. */
  constructor(busy: NonNullable<ServeOptions["busy"]>) {
    this.#busy = busy;
  }

  /**
   * Has a conversation go on with what a client sends.
   * @throws Refusal (400, 409)
   */
  async send(runs: UserRuns, turn: Turn): Promise<Followed> {
    // Before anything is remembered by them.
    runs.assertNames(turn);
    const key = JSON.stringify([runs.user, turn.session]);
    const earlier = this.#last.get(key) ?? Promise.resolve();
    const mine = earlier.then(() => this.#send(runs, turn));
    const settled = mine.catch(() => {});
    this.#last.set(key, settled);
    try {
      const followed = await mine;
      if (turn.id !== undefined && turn.id !== followed.run.id)
        this.#aliases.set(runs.user, turn.id, followed.run.id);
      return followed;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** The id of the run that has taken what a client has sent under another id. */
  runOf(user: string, id: string): string | undefined {
    return this.#aliases.get(user, id);
  }

  async #send(runs: UserRuns, turn: Turn): Promise<Followed> {
    const { session, decisions = [], results = [], input } = turn;
    // The same message once more: a click too many, or a client that tries again.
    const repeated = (await this.#repeated(runs, turn)) ?? (await repeatedMessage(runs, turn));
    if (repeated) return repeated;
    const active = await runs.active(session);
    const answered = active && (await answer(runs, active, { decisions, results }));
    if (answered) {
      await steer(active, input);
      this.#note(runs, turn, answered);
      return answered;
    }
    if (input.length > 0) return active ? this.#interrupt(runs, active, turn) : this.#start(runs, turn);
    throw decisions.length + results.length > 0
      ? nothingWaits()
      : new Refusal(400, "no-message", "A message of the user is missing.");
  }

  /** What became of a message that was sent before: a run of its own, or a part of another. */
  async #repeated(runs: UserRuns, turn: Turn): Promise<Followed | undefined> {
    const { id } = turn;
    if (id === undefined) return undefined;
    const steered = this.#steered.get(runs.user, keyOf(turn));
    if (steered) return steered;
    const match = await runs.find(id);
    if (!match) return undefined;
    if (match.stored.agent !== turn.agent || runs.sessionOf(match.stored) !== turn.session) throw otherRun();
    return { run: match.run, after: -1, isContinued: false, pending: [] };
  }

  /** Notes what became of a message that has no run of its own. */
  #note(runs: UserRuns, turn: Turn, followed: Followed): Followed {
    if (turn.id === undefined) return followed;
    this.#steered.set(runs.user, keyOf(turn), followed, 1 + JSON.stringify(followed.pending).length);
    return followed;
  }

  /** A message, while a run of the conversation has not ended. */
  async #interrupt(runs: UserRuns, active: UserRun, turn: Turn): Promise<Followed> {
    const { stored } = await runs.get(active.id);
    if (hasEnded(stored)) return this.#start(runs, turn);
    // What waits for a person is given up for what the person says instead; not what waits for a webhook, say, or for a build that has its tool.
    if (stored.status === "paused" && !(await active.state()).waitsForOthers) {
      await active.handle.cancel("The user sent another message.");
      return this.#start(runs, turn);
    }
    if (this.#busy === "wait") return this.#start(runs, turn);
    if (this.#busy === "reject") throw busyRefusal();
    const after = await runs.lastEvent(active);
    await steer(active, turn.input);
    return this.#note(runs, turn, { run: active, after, isContinued: true, pending: [] });
  }

  async #start(runs: UserRuns, turn: Turn): Promise<Followed> {
    const { decisions: _decisions, results: _results, messageId, metadata, ...start } = turn;
    const marked = messageId === undefined ? metadata : { ...metadata, message: messageId };
    const run = await runs.start({ ...start, ...(marked && { metadata: marked }) });
    // A process beside this one may have started another at the same time.
    if (this.#busy === "reject" && run.isNew) {
      const first = await runs.active(turn.session);
      if (first && first.id !== run.id) {
        await run.handle.cancel("Another run of the conversation was first.");
        throw busyRefusal();
      }
    }
    return { run, after: -1, isContinued: false, pending: [] };
  }
}

/** The run that has taken a message under another id; one that failed, or was cancelled, is begun again. */
async function repeatedMessage(
  runs: UserRuns,
  { session, messageId, agent, input }: Turn,
): Promise<Followed | undefined> {
  if (messageId === undefined || input.length === 0) return undefined;
  const match = (await runs.inSession(session, lastRuns)).find(
    (run) => run.agent === agent && run.metadata?.["message"] === messageId,
  );
  if (!match || match.status === "failed" || match.status === "cancelled") return undefined;
  const { run } = await runs.get(match.id);
  return { run, after: -1, isContinued: false, pending: [] };
}

function keyOf({ session, id, messageId = id }: Turn): string {
  return JSON.stringify([session, messageId]);
}

/** What a client says about calls that wait. */
export interface Answers {
  readonly decisions?: readonly ApprovalDecision[];
  readonly results?: readonly ExternalResult[];
}

/**
 * Decides on calls of a run that wait, and passes results to it.
 * @returns where the run goes on; `undefined` if no call of it waits for any of that: a client may repeat what it has sent before.
 * @throws InvalidInputError for an answer that does not fit its call.
 */
export async function answer(
  runs: UserRuns,
  run: UserRun,
  { decisions = [], results = [] }: Answers,
): Promise<Followed | undefined> {
  if (decisions.length + results.length === 0) return undefined;
  const { handle } = run;
  const after = await runs.lastEvent(run);
  const { pending } = await run.state();
  const ids = new Set(pending.map(({ approvalId }) => approvalId));
  const open = decisions.filter(({ approvalId }) => ids.has(approvalId));
  const calls = new Set(
    pending.flatMap(({ approvalId, toolCallId }) => (approvalId === undefined ? toolCallId : [])),
  );
  const wanted = results.filter(({ toolCallId }) => calls.has(toolCallId));
  if (open.length + wanted.length === 0) return undefined;
  // At once: with the first of them alone it would go on, and pause again in the middle of the answer.
  await handle.answer({ decisions: open, results: wanted });
  await runs.goOn(run);
  return { run, after, isContinued: true, pending };
}

/** No call waits for what a client has decided, or for a result of it. */
export function nothingWaits(): Refusal {
  return new Refusal(
    409,
    "nothing-waits",
    "No call waits for that: it was answered before, or its run has ended.",
  );
}

async function steer({ handle }: UserRun, input: Turn["input"]): Promise<void> {
  for (const message of input) if (isUserMessage(message)) await handle.steer(message);
}

function otherRun(): Refusal {
  return new Refusal(409, "run-exists", "The id is that of a run of another agent or conversation.");
}

function busyRefusal(): Refusal {
  return new Refusal(
    409,
    "conversation-busy",
    "A run of this conversation works. Wait until it has ended, or steer it.",
    retryAfter,
  );
}

function isUserMessage(message: unknown): message is UserMessage {
  return isPlainObject(message) && message["role"] === "user";
}
