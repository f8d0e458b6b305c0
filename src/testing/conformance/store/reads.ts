import { sleep } from "../../../base/util/sleep.ts";
import type { EventGroup } from "../../../durable/store.ts";
import type { StoredEvent } from "../../../durable/stored-event.ts";
import type { Trial } from "../trial.ts";
import { claim, codeOf, newRun, type StoreSubject } from "./subject.ts";

/** An id is one run, however many programs add it at once. */
export async function createdOnce(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "create");
  const created = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      (number % 2 === 0 ? store : other).create([{ ...run, priority: number }]),
    ),
  );
  const isNew = created.flat().filter((each) => each.isNew).length;
  if (isNew !== 1) trial.fail(`A run that is added 8 times at once is new ${isNew} times.`);
  const stored = await store.read(run.id);
  if (stored?.status !== "queued" || stored.attempts !== 0 || stored.due === undefined)
    trial.fail("A run that was added is not queued and due.");
  if (created.flat().some(({ run: each }) => each.priority !== stored?.priority))
    trial.fail("A run that was there before is changed by adding it again.");
  if ((await store.read(`${run.id}/none`)) !== undefined) trial.fail("It returns a run that is not there.");
  await claim(subject, store);
}

/** Events come back after an index, and are cut and deleted as they are to be. */
export async function events(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "events");
  await store.create([run]);
  await claim(subject, store, { ids: [run.id] });
  const lease = { id: run.id, owner: "owner" };
  const write = (groups: readonly EventGroup[], others: { from?: number; before?: number } = {}) =>
    store.commit(lease, {
      events: { groups, progress: { next: (groups.at(-1)?.last ?? 0) + 1 }, ...others },
    });
  const indexes = async (after: number): Promise<string> => {
    const groups = await other.events(run.id, after, 100);
    return groups.flatMap((group) => group.events.map(({ index }) => index)).join();
  };
  await write([group(0, 3), group(4, 6)]);
  await write([group(7, 7)]);
  if ((await indexes(-1)) !== "0,1,2,3,4,5,6,7") trial.fail("It does not return all events, in order.");
  if ((await indexes(6)) !== "7") trial.fail("It does not return the groups after an index alone.");
  if ((await other.events(run.id, -1, 2)).length !== 2) trial.fail("It returns more groups than asked for.");
  await write([group(8, 8)], { from: 5 });
  if ((await indexes(-1)) !== "0,1,2,3,4,8")
    trial.fail("It does not delete the events from an index on, and those alone.");
  await write([group(9, 9)], { before: 4 });
  if ((await indexes(-1)) !== "4,8,9") trial.fail("It does not delete the groups before an index.");
  await store.prune(0);
  if ((await indexes(-1)) === "") trial.fail("It deletes the events of a run that has not ended.");
  await store.commit(lease, { change: { status: "completed", due: null, owner: null } });
  await store.prune(3_600_000);
  if ((await indexes(-1)) === "") trial.fail("It deletes the events of a run that has just ended.");
  await sleep(5);
  await store.prune(0);
  if ((await indexes(-1)) !== "") trial.fail("It does not delete the events of a run that ended long ago.");
}

/** What a store adds at once is there as if `commit` had written it, and is of the owner alone. */
export async function eventsAtOnce(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  if (!store.append) return;
  const run = newRun(subject, "events-at-once");
  await store.create([run]);
  await claim(subject, store, { ids: [run.id] });
  store.append({ id: run.id, owner: "owner" }, { groups: [group(0, 1)], progress: { next: 2 } });
  const groups = await other.events(run.id, -1, 100);
  const indexes = groups.flatMap((each) => each.events.map(({ index }) => index)).join();
  if (indexes !== "0,1" || (await other.read(run.id))?.progress.next !== 2)
    trial.fail("It does not have the events that were added at once, or how far they are.");
  const append = async (): Promise<void> =>
    store.append?.({ id: run.id, owner: "another" }, { groups: [group(2, 2)], progress: { next: 3 } });
  const code = await codeOf(append());
  if (code !== "lease-lost")
    trial.fail(`Events of who does not have the run are not refused as lease-lost, but ${String(code)}.`);
}

function group(first: number, last: number): EventGroup {
  const text = "\u0000 \uD800";
  const list = Array.from({ length: last - first + 1 }, (_, offset): StoredEvent => ({
    type: "text-delta",
    agent: "A",
    text,
    index: first + offset,
  }));
  return { first, last, events: list };
}

/** Lists have the runs that are asked for, the newest first. */
export async function lists(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const agent = `${subject.prefix}/listed`;
  const runs = Array.from({ length: 5 }, (_, number) =>
    newRun(subject, `list-${number}`, { agent, ...(number === 1 && { log: `${subject.prefix}/list` }) }),
  );
  for (const run of runs) await store.create([run]);
  const third = await store.read(runs[2]?.id ?? "");
  await store.update(runs[2]?.id ?? "", third?.revision ?? 0, { status: "cancelled", due: null });
  const names = async (filter: Parameters<typeof store.list>[0]): Promise<string> =>
    (await other.list(filter)).map(({ id }) => id.split("-").at(-1)).join();
  const expected: readonly (readonly [string, string])[] = [
    [await names({ agent, limit: 10 }), "4,3,2,1,0"],
    [await names({ agent, limit: 2 }), "4,3"],
    [await names({ agent, limit: 2, after: runs[3]?.id ?? "" }), "2,1"],
    [await names({ agent, statuses: ["cancelled", "failed"], limit: 9 }), "2"],
    [await names({ log: `${subject.prefix}/list`, limit: 9 }), "1"],
    [await names({ agent, idPrefix: runs[1]?.id ?? "", limit: 9 }), "1"],
    [await names({ agent, idPrefix: `${subject.prefix}%`, limit: 9 }), ""],
  ];
  for (const [received, listed] of expected)
    if (received !== listed)
      trial.fail(`It lists the runs ${received || "none"} where ${listed} was asked for.`);
}

/** Changes of one program are noticed by another. */
export async function watched(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "watch");
  await store.create([run]);
  const notices: (string | undefined)[] = [];
  const stop = other.watch((id) => {
    if (id === undefined || id === run.id) notices.push(id);
  });
  let ownNotices = 0;
  const stopOwn = other.watch(() => ownNotices++, { id: run.id });
  // Until it listens.
  await sleep(200);
  const isNoticed = async (what: string): Promise<void> => {
    const end = performance.now() + 2_000;
    while (notices.length === 0 && performance.now() < end) await sleep(10);
    if (notices.length === 0) trial.fail(`Another program does not notice within 2 seconds ${what}.`);
    notices.length = 0;
  };
  notices.length = 0;
  const current = await store.read(run.id);
  await store.update(run.id, current?.revision ?? 0, { data: run.data });
  await isNoticed("that a run has changed");
  if (ownNotices === 0)
    trial.fail("What waits for changes of one run alone is not called when that changes.");
  await claim(subject, store, { ids: [run.id] });
  notices.length = 0;
  await store.commit(
    { id: run.id, owner: "owner" },
    { events: { groups: [group(0, 0)], progress: { next: 1 } } },
  );
  await isNoticed("that a run has more events");
  stop();
  stopOwn();
}
