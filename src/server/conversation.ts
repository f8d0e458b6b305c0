import type { ApprovalDecision, SentMessage } from "../message/run-state.ts";
import type { UserMessage } from "../message/messages.ts";
import type { ExternalResult } from "../run/types.ts";
import { isPlainObject } from "../base/util/json.ts";
import { receiptIn } from "../durable/deliver.ts";
import type { Receipt } from "../durable/stored-run.ts";
import { ConfigurationError, InvalidInputError } from "../errors.ts";
import { DurableRunError } from "../durable/errors.ts";
import { Refusal } from "./refusal.ts";
import { SharedCache } from "./shared-cache.ts";
import {
  answeredBefore,
  assertSame,
  deliveredElsewhere,
  followedFrom,
  receiptOf,
  receivedBefore,
  secondReason,
  unreceived,
} from "./received.ts";
import type { Followed, Turn } from "./turn.ts";
import type { ServeOptions } from "./types.ts";
import { hasEnded, isUnbegun, type UserRun, type UserRuns, type UserStart } from "./user-runs.ts";

/** After how many seconds a client may try again whose conversation has a run. */
const retryAfter = { "retry-after": "2" };

/** How many ids of clients are remembered that lead to runs with ids of their own. */
const mostAliases = { entries: 10_000, size: 10_000 } as const;

/** Why a run is cancelled that waited for a person. */
export const givenUp = "The user sent another message.";

/** Conversations in which something is being sent: one request after the other, so that two at once do not start two runs. */
export class Conversations {
  readonly #busy: NonNullable<ServeOptions["busy"]>;
  readonly #report: NonNullable<ServeOptions["onError"]>;
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #aliases = new SharedCache<string>(mostAliases);

  /**
   * @param busy - What happens to a message while a run works.
   * @param report - Is called with what goes wrong behind an answer.
   */
  constructor(busy: NonNullable<ServeOptions["busy"]>, report: NonNullable<ServeOptions["onError"]>) {
    this.#busy = busy;
    this.#report = report;
  }

  /**
   * Has a conversation go on with what a client sends.
   * @throws Refusal (400, 409, 422)
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
      for (const id of [turn.id, turn.clientId])
        if (id !== undefined && id !== followed.run.id) this.#aliases.set(runs.user, id, followed.run.id);
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
    const { session, input, resume, isHistory = false } = turn;
    const refusal = await turn.refusal?.();
    const isAnswer = toSteer(input).length === 0;
    // Before the search for what was received: a run that has ended by now receives nothing more.
    const active = await runs.active(session);
    // The same message once more: a click too many, or a client that tries again.
    const { received, startId } = await receivedBefore(runs, turn);
    if (received && (received.isWhole || !resume)) return this.#unlessSecond(runs, turn, received.followed);
    const answeredAlready = refusal && isAnswer ? await answeredBefore(runs, turn) : undefined;
    if (answeredAlready) return answeredAlready;
    if (refusal) throw refusal;
    const decisions = decisionsOf(runs, turn);
    const results = received ? (resume?.results ?? []) : (turn.results ?? []);
    // A message that was received before is not new because answers come with it.
    const messages = received ? [] : toSteer(input);
    const answered = active && (await answer(runs, active, { decisions, results }, { ...turn, messages }));
    if (answered) return answered;
    const repeated = messages.length === 0 ? await answeredBefore(runs, turn) : undefined;
    if (repeated) return repeated;
    if (decisions.length > 0 && !isHistory) throw nothingWaits();
    if (received) return received.followed;
    const earlier = await unreceived(runs, turn);
    const fresh = { ...turn, input: [...earlier, ...input], ...(startId !== undefined && { startId }) };
    if (input.length > 0) return active ? this.#interrupt(runs, active, fresh) : this.#start(runs, fresh);
    throw decisions.length + results.length > 0
      ? nothingWaits()
      : new Refusal(400, "no-message", "A message of the user is missing.");
  }

  /** A message, while a run of the conversation has not ended. */
  async #interrupt(runs: UserRuns, active: UserRun, turn: FreshTurn): Promise<Followed> {
    const { stored } = await runs.get(active.id);
    // Another process may have passed the message on to it before.
    if (hasEnded(stored)) return this.#send(runs, turn);
    // What waits for a person is given up for what the person says instead; not what waits for a webhook, say, or for a build that has its tool.
    const isPaused = stored.status === "paused";
    if (isPaused && !(await active.state()).waitsForOthers) return this.#takePlace(runs, active, turn);
    // Before one that has not begun, another process may have begun a run with the same message.
    if (this.#busy === "wait" || (this.#busy === "steer" && isUnbegun(stored)))
      return this.#start(runs, turn);
    // One that waits for a webhook, say, does so for days: it reads the message once that has come.
    if (this.#busy === "reject" && !isPaused) throw busyRefusal();
    try {
      const followed = await pass(runs, active, { ...turn, messages: toSteer(turn.input) });
      // Another process may have begun a run with it at the same time, which waits for this one.
      const { startId = turn.id } = turn;
      const other = startId === undefined ? undefined : await runs.find(startId);
      if (other) await runs.withdraw(other.run, secondReason);
      return followed;
    } catch (error) {
      if (!(error instanceof DurableRunError && error.code === "run-ended")) throw error;
      // It has ended meanwhile.
      return this.#send(runs, turn);
    }
  }

  /** Begins a run, and gives up the one that waits for a person, for what the person says instead. */
  async #takePlace(runs: UserRuns, active: UserRun, turn: FreshTurn): Promise<Followed> {
    // First: what is refused gives up nothing.
    const followed = await this.#begin(runs, turn);
    if (await runs.giveUp(active, givenUp)) return this.#unlessSecond(runs, turn, followed);
    // Another person has answered meanwhile: what was allowed is done.
    await runs.withdraw(followed.run, secondReason);
    return this.#send(runs, turn);
  }

  async #start(runs: UserRuns, turn: FreshTurn): Promise<Followed> {
    // A process beside this one may have passed the message on to another run: since it was looked for, or while this one is started.
    const isToLook = this.#busy === "steer";
    const earlier = isToLook ? await deliveredElsewhere(runs, turn) : undefined;
    if (earlier) return earlier;
    const followed = await this.#begin(runs, { ...turn, isHeld: isToLook });
    if (this.#busy === "reject") return this.#unlessSecond(runs, turn, followed);
    const { run } = followed;
    const passedOn = isToLook && run.isNew ? await deliveredElsewhere(runs, turn) : undefined;
    if (passedOn && (await runs.withdraw(run, secondReason))) return passedOn;
    if (isToLook && run.isNew) await runs.release(run);
    // Should this fail, or the process end, the run waits until a person has decided.
    if (run.isNew) void this.#giveUpPausedBehind(runs, turn.session, run);
    return followed;
  }

  async #begin(runs: UserRuns, turn: FreshTurn): Promise<Followed> {
    const { startId = turn.id, contents } = turn;
    const run = await runs.start({ ...startOf(turn), ...(startId !== undefined && { id: startId }) });
    if (!run.isNew) assertSame((await runs.get(run.id)).stored.data.request.metadata?.["contents"], contents);
    return { run, after: -1, isContinued: false, pending: [] };
  }

  /**
   * What a message has begun, unless another run of the conversation was first: a process beside this one may have started that.
   * @throws Refusal (409)
   */
  async #unlessSecond(runs: UserRuns, { session }: Turn, followed: Followed): Promise<Followed> {
    const { run, isContinued } = followed;
    if (this.#busy !== "reject" || isContinued) return followed;
    const first = await runs.active(session);
    const isSecond = first !== undefined && first.id !== run.id;
    if (isSecond && (await runs.withdraw(run, secondReason))) throw busyRefusal();
    // Else the first has ended, and this one has begun; unless the other process has withdrawn it.
    const { stored } = await runs.get(run.id);
    if (stored.data.cancel?.reason === secondReason) throw busyRefusal();
    return followed;
  }

  /** Never rejects. */
  async #giveUpPausedBehind(runs: UserRuns, session: string, run: UserRun): Promise<void> {
    try {
      await this.#giveUpPaused(runs, session, run);
    } catch (error) {
      const isClosed = error instanceof ConfigurationError && error.code === "closed";
      if (!isClosed) this.#report(error, { runId: run.id });
    }
  }

  /** A run that comes to wait for a person while a message waits for it is given up as well. */
  async #giveUpPaused(runs: UserRuns, session: string, run: UserRun): Promise<void> {
    for (;;) {
      const first = await runs.active(session);
      if (!first || first.id === run.id) return;
      const { status } = await first.handle.result();
      if (hasEnded({ status })) continue;
      if (status !== "paused" || (await first.state()).waitsForOthers) return;
      if (!(await runs.giveUp(first, givenUp))) return;
    }
  }
}

/**
 * The decisions of a turn. Behind one that was refused, a client with a history sends it with each message: that takes back what waits, and
 * decides on nothing.
 */
function decisionsOf(
  { mayDecide }: UserRuns,
  { decisions = [], isHistory = false, input }: Turn,
): readonly ApprovalDecision[] {
  return !mayDecide && isHistory && input.length > 0 ? [] : decisions;
}

/** A turn that was not received before, and the id of the run that it begins. */
interface FreshTurn extends Turn {
  readonly startId?: string;
}

/** What of a turn its run is started with. */
function startOf(turn: FreshTurn): UserStart {
  const { contents, clientId, startId: _s, isTriedAgain: _t, isHistory: _h, ...rest } = turn;
  const { decisions: _d, results: _r, resume: _e, refusal: _f, ...others } = rest;
  const { answersId: _a, earlier: _b, metadata, ...start } = others;
  if (contents === undefined && clientId === undefined) return { ...start, ...(metadata && { metadata }) };
  const marks = {
    ...(contents !== undefined && { contents }),
    ...(clientId !== undefined && { clientId }),
  };
  return { ...start, metadata: { ...metadata, ...marks } };
}

/** What a client says about calls that wait. */
export interface Answers {
  readonly decisions?: readonly ApprovalDecision[];
  readonly results?: readonly ExternalResult[];
}

/** What is delivered with answers, and the ids that it is known by. */
export interface Accompaniment extends Pick<Turn, "id" | "contents" | "clientId" | "resume" | "answersId"> {
  readonly messages?: readonly SentMessage[];
  /** Whether each answer must be for a call that waits. */
  readonly isStrict?: boolean;
}

/**
 * Decides on calls of a run that wait, and passes results to it, with messages of the user: once for each id.
 * @returns where the run goes on; `undefined` if no call of it waits for any of that: a client may repeat what it has sent before.
 * @throws InvalidInputError for an answer that does not fit its call; Refusal (422) for other answers under the same id.
 */
export async function answer(
  runs: UserRuns,
  run: UserRun,
  { decisions = [], results = [] }: Answers,
  beside: Accompaniment = {},
): Promise<Followed | undefined> {
  if (decisions.length + results.length === 0) return undefined;
  const after = await runs.lastEvent(run);
  const { pending } = await run.state();
  const ids = new Set(pending.map(({ approvalId }) => approvalId));
  const open = decisions.filter(({ approvalId }) => ids.has(approvalId));
  const calls = new Set(
    pending.flatMap(({ approvalId, toolCallId }) => (approvalId === undefined ? toolCallId : [])),
  );
  const wanted = results.filter(({ toolCallId }) => calls.has(toolCallId));
  const isNothing = open.length + wanted.length === 0;
  const isPart = open.length < decisions.length || wanted.length < results.length;
  if (isNothing || (isPart && beside.isStrict === true)) {
    const repeated = (await deliveredBefore(runs, run, beside)) ?? (await markedBefore(runs, run, beside));
    if (repeated || isNothing) return repeated;
    throw nothingWaits();
  }
  // At once: with the first of them alone it would go on, and pause again in the middle of the answer.
  const answers = { decisions: open, results: wanted };
  try {
    const followed = await deliverOnce(runs, { run, after, isContinued: true, pending }, beside, answers);
    await runs.goOn(run);
    return followed;
  } catch (error) {
    // Another process may have taken the same meanwhile.
    const repeated = error instanceof InvalidInputError && (await markedBefore(runs, run, beside));
    if (repeated) return repeated;
    throw error;
  }
}

/**
 * Has a run that works read messages of the user, or answer them afterwards, once for each id.
 * @throws Refusal (422) for other messages under the same id.
 */
export async function pass(runs: UserRuns, run: UserRun, beside: Accompaniment): Promise<Followed> {
  const after = await runs.lastEvent(run);
  return deliverOnce(runs, { run, after, isContinued: true, pending: [] }, beside);
}

/** Where what was delivered to a run under an id is followed from. @throws Refusal (422) for something else under the same id. */
export async function deliveredBefore(
  runs: UserRuns,
  run: UserRun,
  { id, contents, resume }: Accompaniment,
): Promise<Followed | undefined> {
  const name = resume?.id ?? id;
  const receipt = name === undefined ? undefined : receiptIn((await runs.get(run.id)).stored, [name]);
  if (!receipt) return undefined;
  assertSame(receipt.contents, contents);
  return followedFrom(runs, run, receipt);
}

async function markedBefore(
  runs: UserRuns,
  run: UserRun,
  { answersId }: Accompaniment,
): Promise<Followed | undefined> {
  if (answersId === undefined) return undefined;
  const receipt = receiptIn((await runs.get(run.id)).stored, [answersId]);
  return receipt && followedFrom(runs, run, receipt);
}

async function deliverOnce(
  runs: UserRuns,
  followed: Followed,
  { id, contents, clientId, resume, answersId, messages = [] }: Accompaniment,
  answers?: Answers,
): Promise<Followed> {
  const { run, after } = followed;
  const receiptsOf = (...ids: readonly (string | undefined)[]): readonly Receipt[] =>
    ids.flatMap((each) => (each === undefined ? [] : receiptOf(each, after, { contents, clientId })));
  const earlier = await runs.deliver(run, {
    ...(answers && { answers }),
    messages,
    receipts: receiptsOf(resume?.id, resume && messages.length === 0 ? undefined : id),
    marks: receiptsOf(answers && answersId),
  });
  if (!earlier) return followed;
  assertSame(earlier.contents, contents);
  return followedFrom(runs, run, earlier);
}

/** No call waits for what a client has decided, or for a result of it. */
export function nothingWaits(): Refusal {
  return new Refusal(
    409,
    "nothing-waits",
    "No call waits for that, or for a part of it: it was answered before, or its run has ended. Nothing was done.",
  );
}

function toSteer(input: Turn["input"]): readonly SentMessage[] {
  return input.filter(isUserMessage).map((message) => ({ when: "steer", message }));
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
