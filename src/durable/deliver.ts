import { InvalidInputError } from "../errors.ts";
import type { SentMessage } from "../message/run-state.ts";
import { mostMessages } from "../run/resume/input.ts";
import { readEntries } from "../run/session/read-session.ts";
import { awaitedCalls, resumeParents, sortAnswers } from "./awaited.ts";
import { changeStored } from "./change-stored.ts";
import { DurableRunError, notFound } from "./errors.ts";
import { checkedDecision, checkedResult } from "./inbox.ts";
import type { DurableStore, RunChange } from "./store.ts";
import { endedStatuses, type InboxItem, type Receipt, type RunData, type StoredRun } from "./stored-run.ts";
import type { RunAnswers } from "./types.ts";

/** How many characters the messages to a run may come to, which its row keeps. */
const mostCharacters = 4_194_304;

/** What reaches a run at once: all of it is stored with its receipts, or nothing. */
export interface Delivery {
  readonly answers?: RunAnswers;
  readonly messages?: readonly SentMessage[];
  /** One that the run has already says that this was delivered before. */
  readonly receipts?: readonly Receipt[];
  /** Noted with it: one that the run has already does not keep it from being delivered. */
  readonly marks?: readonly Receipt[];
}

/**
 * Delivers answers and messages to a run, once: whatever process has delivered them before.
 * @returns the receipt of an earlier delivery: then nothing is done.
 * @throws InvalidInputError for what does not fit the run; DurableRunError (`run-not-found`, `run-ended`)
 */
export async function deliver(
  store: DurableStore,
  id: string,
  { answers, messages = [], receipts = [], marks = [] }: Delivery,
): Promise<Receipt | undefined> {
  const ids = receipts.map((receipt) => receipt.id);
  const own = answers && (await passOn(store, id, answers, ids));
  let earlier: Receipt | undefined;
  let parent: string | undefined;
  const changed = await changeStored(store, id, async (run) => {
    parent = run.data.parent;
    earlier = receiptIn(run, ids);
    if (earlier) return undefined;
    const answered = own && (await answeredChange(store, run, own));
    const noted = [...receipts, ...marks];
    if (messages.length + noted.length === 0) return answered;
    const data = answered?.data ?? run.data;
    return { ...answered, data: { ...data, ...withMessages(run, messages), ...withReceipts(run, noted) } };
  });
  if (changed === undefined) throw notFound(id);
  if (answers) await resumeParents(store, parent);
  return earlier;
}

/**
 * Passes answers on to the runs that a run waits for.
 * @returns the others; `undefined` if there are none, or where they were delivered before.
 */
async function passOn(
  store: DurableStore,
  id: string,
  { decisions = [], results = [] }: RunAnswers,
  ids: readonly string[],
): Promise<RunAnswers | undefined> {
  const run = await store.read(id);
  if (!run) throw notFound(id);
  if (receiptIn(run, ids)) return undefined;
  // Most runs wait for no other one.
  const { calls } = await awaitedCalls(store, run.data.report?.pending ?? []);
  const { own, ofRuns } = sortAnswers({ decisions, results }, calls);
  for (const [child, answered] of ofRuns) await deliver(store, child, { answers: answered });
  // The run may have ended with what others have answered.
  return ofRuns.size > 0 && own.decisions.length + own.results.length === 0 ? undefined : own;
}

/** The receipt of a run for something with one of these ids. */
export function receiptIn({ data }: StoredRun, ids: readonly string[]): Receipt | undefined {
  return data.receipts?.findLast(({ id }) => ids.includes(id));
}

/** Puts answers into the inbox of a run, and wakes it. */
async function answeredChange(
  store: DurableStore,
  { id, log, status, data }: StoredRun,
  { decisions = [], results = [] }: RunAnswers,
): Promise<RunChange | undefined> {
  if (endedStatuses.includes(status)) throw ended(id, `${status}: no call of it waits.`);
  const conversation = readEntries(await store.load(log));
  if (conversation.state?.runId !== id)
    throw new InvalidInputError(`The run "${id}" has not begun: no call of it waits.`);
  if (decisions.length + results.length === 0) return undefined;
  const inbox: InboxItem[] = [...data.inbox];
  for (const decision of decisions) inbox.push(checkedDecision(decision, conversation, inbox));
  for (const result of results) inbox.push(checkedResult(result, conversation, inbox));
  const { error: problem, ...rest } = data;
  // Why an answer before this one was not carried out, unless some of those are still to be.
  const change = { data: { ...rest, inbox, ...(data.isOneByOne && problem && { error: problem }) } };
  // One that is queued may be asleep.
  const isToGoOn = status === "paused" || status === "queued";
  return isToGoOn ? { ...change, status: "queued", due: { in: 0 } } : change;
}

function withMessages(
  { id, status, data: { userMessages = [] } }: StoredRun,
  messages: readonly SentMessage[],
): Pick<RunData, "userMessages"> {
  if (messages.length === 0) return {};
  if (endedStatuses.includes(status)) throw ended(id, `${status}. Start another run in its conversation.`);
  const all = [...userMessages, ...messages];
  const size = all.reduce((sum, { message }) => sum + JSON.stringify(message).length, 0);
  if (size > mostCharacters)
    throw new InvalidInputError(
      `The messages to the run "${id}" come to more than ${mostCharacters} characters. Start another run in its conversation.`,
    );
  if (all.length > mostMessages)
    throw new InvalidInputError(
      `The run "${id}" has ${userMessages.length} messages already. Start another run in its conversation.`,
    );
  return { userMessages: all };
}

function withReceipts(
  { id, data: { receipts = [] } }: StoredRun,
  added: readonly Receipt[],
): Pick<RunData, "receipts"> {
  if (added.length === 0) return {};
  const all = [...receipts, ...added];
  // None is forgotten: what it stands for would be carried out again.
  if (all.length > mostMessages)
    throw new InvalidInputError(
      `The run "${id}" has received ${receipts.length} messages and answers already. Start another run in its conversation.`,
    );
  return { receipts: all };
}

function ended(id: string, what: string): DurableRunError {
  return new DurableRunError(`The run "${id}" is ${what}`, "run-ended", { id });
}
