import { InvalidInputError } from "../errors.ts";
import type { SentMessage } from "../message/run-state.ts";
import { mostMessages } from "../run/resume/input.ts";
import { answeredChange, type AnsweredRun, checkedAnswers, ended } from "./answers.ts";
import { notFound } from "./errors.ts";
import { digestOf, outboxChange, passOnOutbox } from "./outbox.ts";
import { addParents, resumeParents } from "./resume-parents.ts";
import { RunChanges } from "./run-changes.ts";
import type { DurableStore, RunChange } from "./store.ts";
import { endedStatuses, type Receipt, type RunData, type StoredRun } from "./stored-run.ts";
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
 * Delivers answers and messages to a run and those that it waits for: all of it, or nothing where it rejects; and once, whatever process has
 * delivered them before.
 * @returns the receipt of an earlier delivery: then nothing is done.
 * @throws InvalidInputError for what does not fit the run; DurableRunError (`run-not-found`, `run-ended`)
 */
export async function deliver(
  store: DurableStore,
  id: string,
  delivery: Delivery,
): Promise<Receipt | undefined> {
  const { answers, receipts = [] } = delivery;
  const ids = receipts.map((receipt) => receipt.id);
  for (;;) {
    const run = await store.read(id);
    if (!run) throw notFound(id);
    const { outbox } = run.data;
    if (answers && outbox) {
      await passOnOutbox(store, id, outbox);
      // It was interrupted, and is repeated.
      if (ids.length === 0 && outbox.contents === (await digestOf(answers))) return undefined;
      continue;
    }
    const earlier = receiptIn(run, ids);
    if (earlier) return earlier;
    const answered = answers ? await checkedAnswers(store, run, answers) : [];
    if (await write(store, run, delivery, answered)) return undefined;
  }
}

/** @returns `false`, and writes nothing, where a run has changed since it was read. */
async function write(
  store: DurableStore,
  run: StoredRun,
  delivery: Delivery,
  answered: readonly AnsweredRun[],
): Promise<boolean> {
  const changes = new RunChanges();
  for (const { run: each, items } of answered) changes.add(each, (current) => answeredChange(current, items));
  changes.add(run, (current) => addition(current, delivery));
  if (store.updateAll) {
    for (const { run: each } of answered) await addParents(store, changes, each.data.parent);
    return changes.write(store);
  }
  if (changes.size > 1) return writeInto(store, run, delivery, answered);
  if (!(await changes.write(store))) return false;
  for (const { run: each } of answered) await quietly(() => resumeParents(store, each.data.parent));
  return true;
}

/** Writes all of it into the run, in one write, and passes on from there what is for others. */
async function writeInto(
  store: DurableStore,
  run: StoredRun,
  delivery: Delivery,
  answered: readonly AnsweredRun[],
): Promise<boolean> {
  const contents = await digestOf(delivery.answers ?? {});
  const others = answered.filter((each) => each.run.id !== run.id);
  const changes = new RunChanges();
  for (const { run: each, items } of answered)
    if (each.id === run.id) changes.add(each, (current) => answeredChange(current, items));
  changes.add(run, (current) => addition(current, delivery));
  changes.add(run, (current) => outboxChange(current, contents, others));
  if (!(await changes.write(store))) return false;
  const outbox = changes.get(run.id)?.data.outbox;
  await quietly(async () => {
    if (outbox) await passOnOutbox(store, run.id, outbox);
    await resumeParents(store, run.data.parent);
  });
  return true;
}

/** Does what is done later as well, where the store fails: what was written before counts, and must not look as if it did not. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    // The next execution of the run passes it on; a run that ends or pauses wakes the one that waits for it.
  }
}

function addition(
  run: StoredRun,
  { messages = [], receipts = [], marks = [] }: Delivery,
): RunChange | undefined {
  const all = [...receipts, ...marks];
  if (messages.length + all.length === 0) return undefined;
  return { data: { ...run.data, ...withMessages(run, messages), ...withReceipts(run, all) } };
}

/** The receipt of a run for something with one of these ids. */
export function receiptIn({ data }: StoredRun, ids: readonly string[]): Receipt | undefined {
  return data.receipts?.findLast(({ id }) => ids.includes(id));
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
