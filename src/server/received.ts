import { canonicalJson } from "../base/util/canonical-json.ts";
import { digest } from "../base/util/digest.ts";
import { receiptIn } from "../durable/deliver.ts";
import type { Receipt, StoredRun } from "../durable/stored-run.ts";
import type { PendingCall } from "../message/run-state.ts";
import { Refusal } from "./refusal.ts";
import type { InputMessage } from "../run/types.ts";
import type { Followed, Turn } from "./turn.ts";
import type { UserRun, UserRuns } from "./user-runs.ts";

// The store decides whether a message is the same as an earlier one: another process may have taken that. A message that began a run is known
// by the id of the run, and one that was passed on to a run by a receipt in it.

/** How many runs of a conversation are looked through for a message that was passed on to one of them. */
const lastRuns = 20;

/** How often a message may begin a run, where those before have failed. */
const mostAttempts = 100;

/** Why a run is cancelled that was started while another process started the first of the conversation. Its message was refused. */
export const secondReason = "Another run of the conversation was first.";

/** What became of a message that was sent before. */
export interface Received {
  readonly followed: Followed;
  /** Whether all of the request was received, answers to calls too. */
  readonly isWhole: boolean;
}

/** A digest of what must be the same where an id comes again. */
export async function digestOf(contents: unknown): Promise<string> {
  return (await digest(canonicalJson(contents))).slice(0, 32);
}

/** @throws Refusal (422) where an id comes again with something else. */
export function assertSame(earlier: unknown, contents: string | undefined): void {
  if (earlier === undefined || contents === undefined || earlier === contents) return;
  throw new Refusal(
    422,
    "id-reused",
    "This id, or idempotency-key, was used before for something else. Send what was sent before, or use a new id.",
  );
}

/** The receipt for what a client sends under an id. */
export function receiptOf(
  id: string,
  after: number,
  { contents, clientId }: { readonly contents: string | undefined; readonly clientId: string | undefined },
): Receipt {
  return {
    id,
    after,
    ...(contents !== undefined && { contents }),
    ...(clientId !== undefined && { clientId }),
  };
}

/** Where an earlier delivery to a run is followed from. */
export async function followedFrom(runs: UserRuns, run: UserRun, { after }: Receipt): Promise<Followed> {
  return { run, after, isContinued: true, pending: await pendingAt(runs, run, after) };
}

/**
 * What became of a message that was sent before: a run of its own, or a part of another.
 * @throws Refusal (409, 422) for an id that stands for something else.
 */
export async function receivedBefore(
  runs: UserRuns,
  turn: Turn,
): Promise<{ readonly received?: Received; readonly startId?: string }> {
  const { id, resume, session } = turn;
  const ids = [resume?.id, id].filter((each) => each !== undefined);
  if (ids.length === 0) return {};
  const match = await receiptOfLast(runs, session, ids);
  if (match) assertSame(match.receipt.contents, turn.contents);
  // One that was passed on to a run which came to nothing may begin a run itself, and have begun one.
  const isLost = match && match.receipt.id === id && isToBeginAgain(match.stored, turn);
  if (match && !isLost) {
    const { run, receipt } = match;
    const isWhole = receipt.id === (resume?.id ?? id);
    return { received: { followed: await followedFrom(runs, run, receipt), isWhole } };
  }
  return id === undefined ? {} : attemptOf(runs, turn, id);
}

/** What became of answers that were sent before; `undefined` if they were not. */
export async function answeredBefore(
  runs: UserRuns,
  { answersId, session }: Pick<Turn, "answersId" | "session">,
): Promise<Followed | undefined> {
  if (answersId === undefined) return undefined;
  const match = await receiptOfLast(runs, session, [answersId]);
  return match && followedFrom(runs, match.run, match.receipt);
}

/** What became of a message that was passed on to a run; `undefined` if it was not. */
export async function deliveredElsewhere(
  runs: UserRuns,
  { id, session }: Pick<Turn, "id" | "session">,
): Promise<Followed | undefined> {
  const match = id === undefined ? undefined : await receiptOfLast(runs, session, [id]);
  return match && followedFrom(runs, match.run, match.receipt);
}

/** The messages before a turn's own that were not received: those behind the last one that was. */
export async function unreceived(
  runs: UserRuns,
  { earlier = [], session }: Pick<Turn, "earlier" | "session">,
): Promise<readonly InputMessage[]> {
  if (earlier.length === 0) return [];
  const last = await runs.list({ session, limit: lastRuns });
  for (const [index, { id, isInHistory }] of [...earlier.entries()].toReversed()) {
    const isReceived =
      last.some(({ stored }) => receiptIn(stored, [id]) !== undefined) ||
      (await runs.find(id)) !== undefined ||
      (await isInHistory());
    if (isReceived) return earlier.slice(index + 1).map(({ message }) => message);
  }
  return earlier.map(({ message }) => message);
}

/** The receipt of one of the last runs of a conversation for something with one of these ids. */
async function receiptOfLast(
  runs: UserRuns,
  session: string,
  ids: readonly string[],
): Promise<{ readonly run: UserRun; readonly stored: StoredRun; readonly receipt: Receipt } | undefined> {
  for (const { run, stored } of await runs.list({ session, limit: lastRuns })) {
    const receipt = receiptIn(stored, ids);
    if (receipt) return { run, stored, receipt };
  }
  return undefined;
}

/** The last run that a message has begun, or the id of the one that it is to begin. */
async function attemptOf(
  runs: UserRuns,
  turn: Turn,
  id: string,
): Promise<{ readonly received?: Received; readonly startId?: string }> {
  for (let attempt = 1; ; attempt++) {
    const startId = await attemptId(id, attempt);
    const match = await runs.find(startId);
    if (!match) return { startId };
    const { stored, run } = match;
    assertSame(stored.data.request.metadata?.["contents"], turn.contents);
    if (stored.agent !== turn.agent || runs.sessionOf(stored) !== turn.session) throw otherRun();
    if (!isToBeginAgain(stored, turn) || attempt === mostAttempts) {
      const followed: Followed = { run, after: -1, isContinued: false, pending: [] };
      return { received: { followed, isWhole: turn.resume === undefined } };
    }
  }
}

/** The id of the run that a message begins the second time, and so on: each is one, whatever process starts it. */
async function attemptId(id: string, attempt: number): Promise<string> {
  if (attempt === 1) return id;
  return id.length <= 90 ? `${id}~${attempt}` : (await digest(`${id}~${attempt}`)).slice(0, 32);
}

function isToBeginAgain({ status, data }: StoredRun, { isTriedAgain = false }: Turn): boolean {
  if (data.cancel?.reason === secondReason) return true;
  return isTriedAgain && (status === "failed" || status === "cancelled");
}

/** The calls that waited when the event came that an answer is followed from. */
async function pendingAt(runs: UserRuns, run: UserRun, after: number): Promise<readonly PendingCall[]> {
  if (after < 0) return [];
  const [group] = await runs.events(run, after - 1, 1);
  const event = group?.events.find(({ index }) => index === after);
  return event?.type === "run-end" ? (event.result?.pending ?? []) : [];
}

function otherRun(): Refusal {
  return new Refusal(409, "run-exists", "The id is that of a run of another agent or conversation.");
}
