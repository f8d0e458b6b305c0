import { digest } from "../base/util/digest.ts";
import { readEntries } from "../run/session/read-session.ts";
import { answeredChange, type AnsweredRun } from "./answers.ts";
import { changeStored } from "./change-stored.ts";
import { answersTo, undecidedCalls } from "./inbox.ts";
import { resumeParents } from "./resume-parents.ts";
import type { DurableStore, RunChange } from "./store.ts";
import type { InboxItem, Outbox, StoredRun } from "./stored-run.ts";
import type { RunAnswers } from "./types.ts";

// A store that cannot change several runs at once has the whole of an answer in the run that it was sent to, written at once. Who wrote it
// passes it on, and should it not come to that, whatever executes the run next, or answers it.

/** Names an answer by what it has. */
export function digestOf({ decisions = [], results = [] }: RunAnswers): Promise<string> {
  return digest(JSON.stringify({ decisions, results }));
}

/** Notes in a run what is for others, and wakes it. */
export function outboxChange(run: StoredRun, contents: string, answered: readonly AnsweredRun[]): RunChange {
  const items = answered.map((each) => ({ run: each.run.id, items: each.items }));
  const { data, ...change } = answeredChange(run, []);
  const awaited = data.awaited && { awaited: { ...data.awaited, isAnswered: true as const } };
  return { ...change, data: { ...data, ...awaited, outbox: { contents, items } } };
}

/** Passes on what a run has noted for others: each of it once, whatever process has passed some of it on before. */
export async function passOnOutbox(store: DurableStore, id: string, outbox: Outbox): Promise<void> {
  for (const { run, items } of outbox.items) await passOn(store, run, items);
  await changeStored(store, id, ({ data: { outbox: current, ...data } }) =>
    current?.contents === outbox.contents ? { data } : undefined,
  );
}

async function passOn(store: DurableStore, id: string, items: readonly InboxItem[]): Promise<void> {
  let parent: string | undefined;
  await changeStored(store, id, async (run) => {
    parent = run.data.parent;
    const open = undecidedCalls(readEntries(await store.load(run.log)), run.data.inbox);
    const rest = items.filter(answersTo(open));
    return rest.length > 0 ? answeredChange(run, rest) : undefined;
  });
  await resumeParents(store, parent);
}
