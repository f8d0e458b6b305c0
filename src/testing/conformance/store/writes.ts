import { sameJson } from "../../../base/util/same-json.ts";
import type { StoredRun } from "../../../durable/stored-run.ts";
import type { Trial } from "../trial.ts";
import { claim, codeOf, entries, newRun, type StoreSubject } from "./subject.ts";

/** What a store must carry unchanged. */
const oddTexts = [
  "",
  "é 漢字 👍",
  "\u0000 and \u001F",
  "\uD800 alone",
  '"quoted" \\ back',
  "'; DROP TABLE x; --",
  " ",
];

/** Who has lost a run writes nothing, whatever it tries. */
export async function fencedWrites(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "fence");
  await store.create([run]);
  await claim(subject, store, { owner: "old", lease: 1, ids: [run.id] });
  const end = performance.now() + 2_000;
  let heir = await claim(subject, other, { owner: "new", ids: [run.id] });
  while (heir.length === 0 && performance.now() < end)
    heir = await claim(subject, other, { owner: "new", ids: [run.id] });
  const before = await store.read(run.id);
  const write = {
    log: run.log,
    entries: entries(1, 1, "old"),
    events: { groups: [{ first: 0, last: 0, events: [] }], progress: { next: 1 } },
    change: { status: "completed", owner: null } as const,
  };
  const code = await codeOf(store.commit({ id: run.id, owner: "old" }, write));
  if (code !== "lease-lost")
    trial.fail(
      `A write of an owner that has lost the run is not refused as lease-lost, but ${String(code)}.`,
    );
  const after = await store.read(run.id);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (!isSame || (await store.load(run.log)).length > 0 || (await store.events(run.id, -1, 1)).length > 0)
    trial.fail("A write that is refused has written something.");
}

/** Entries are kept in order, once, and as they are. */
export async function conversations(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "append");
  await store.create([run]);
  await claim(subject, store, { ids: [run.id] });
  const lease = { id: run.id, owner: "owner" };
  const texts = oddTexts.flatMap((text, index) => entries(index + 1, 1, "writer", text));
  await store.commit(lease, { log: run.log, entries: texts });
  await store.commit(lease, { log: run.log, entries: texts });
  const next = texts.length + 1;
  await store.commit(lease, { log: run.log, entries: entries(next, 2) });
  const loaded = JSON.stringify(await other.load(run.log));
  if (loaded !== JSON.stringify([...texts, ...entries(next, 2)]))
    trial.fail("It does not return the entries in order, once each and as they are.");
  for (const wrong of [entries(next, 1, "another"), entries(next + 5, 1), entries(next + 1, 2, "another")]) {
    const code = await codeOf(store.commit(lease, { log: run.log, entries: wrong }));
    if (code !== "session-conflict")
      trial.fail(
        `Entries that are not the next ones are not refused as session-conflict, but ${String(code)}.`,
      );
  }
  if (JSON.stringify(await store.load(run.log)) !== loaded)
    trial.fail("Entries that were refused are there.");
}

/** A write is done as a whole, or not at all. */
export async function atomicWrites(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "atomic");
  await store.create([run]);
  const [claimed] = await claim(subject, store, { ids: [run.id] });
  const lease = { id: run.id, owner: "owner" };
  const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
  const used = { turns: 1, modelCalls: [{ provider: "p", modelId: "m", usage }] };
  const progress = { next: 4, hasEntries: true, used } as const;
  const events = { groups: [{ first: 0, last: 3, events: [] }], progress };
  const change = { status: "paused", due: null, owner: null } as const;
  await codeOf(store.commit(lease, { log: run.log, entries: entries(5, 1), events, change }));
  const isSame = JSON.stringify(await other.read(run.id)) === JSON.stringify(claimed);
  if (!isSame || (await other.events(run.id, -1, 9)).length > 0)
    trial.fail("Of a write whose entries are refused, events or changes are there.");
  const without = { next: 0, hasEntries: true } as const;
  await store.commit(lease, {
    log: run.log,
    entries: entries(1, 1),
    events: { groups: [], progress: without },
  });
  if (!sameJson((await other.read(run.id))?.progress, without))
    trial.fail("How far events are is not stored where there are none.");
  await store.commit(lease, { log: run.log, entries: entries(2, 1), events, change });
  const done = await other.read(run.id);
  const isDone = done?.status === "paused" && done.owner === undefined && done.due === undefined;
  if (!isDone || !sameJson(done.progress, progress) || (await other.load(run.log)).length !== 2)
    trial.fail("Of a write, not everything is there.");
}

/** A change names the revision that it knows. */
export async function revisions(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "revision");
  await store.create([run]);
  const data = (text: string) => ({ ...run.data, request: { ...run.data.request, context: text } });
  const first = await store.read(run.id);
  const revision = first?.revision ?? 0;
  const changed = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      (number % 2 === 0 ? store : other).update(run.id, revision, { data: data(`${number}`) }),
    ),
  );
  if (changed.filter((each) => each !== undefined).length !== 1)
    trial.fail("Of changes at once that know one revision, not exactly one is made.");
  if ((await store.update(run.id, revision, { status: "cancelled" })) !== undefined)
    trial.fail("A change that knows an earlier revision is made.");
  for (const text of oddTexts) {
    const current = await other.read(run.id);
    await store.update(run.id, current?.revision ?? 0, { data: data(text) });
    if ((await other.read(run.id))?.data.request.context !== text)
      trial.fail(`Data with the text ${JSON.stringify(text)} does not come back as it is.`);
  }
  await claim(subject, store, { ids: [run.id] });
  const lease = { id: run.id, owner: "owner" };
  const isWritten = await store.commit(lease, { revision, log: run.log, entries: entries(1, 1) });
  if (isWritten || (await store.load(run.log)).length > 0)
    trial.fail("A write that knows an earlier revision is made, or does not return false.");
}

/** Several runs are changed together, or not at all. */
export async function severalRuns(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  if (!store.updateAll) return;
  const added = ["one", "two"].map((name) => newRun(subject, `several-${name}`));
  const [one, two] = (await store.create(added)).map(({ run }) => run);
  if (!one || !two) return trial.fail("create() does not return the runs that it has added.");
  const change = { status: "paused", due: null } as const;
  const updateOf = ({ id, revision }: StoredRun) => ({ id, revision, change });
  const stale = [updateOf(one), { ...updateOf(two), revision: two.revision + 1 }];
  if (await store.updateAll(stale))
    trial.fail("Changes of several runs are made though one knows another revision.");
  if (!sameJson([await other.read(one.id), await other.read(two.id)], [one, two]))
    trial.fail("Of changes of several runs that are refused, one is there.");
  const isMade = await store.updateAll([updateOf(one), updateOf(two)]);
  const after = await Promise.all([other.read(one.id), other.read(two.id)]);
  const isEach = after.every((run) => run?.status === "paused" && run.due === undefined);
  if (!isMade || !isEach) trial.fail("Of changes of several runs, not all are there.");
  const updates = after.flatMap((run) => (run ? [updateOf(run)] : []));
  const racing = await Promise.all(
    [store, other].map(async (each) => (await each.updateAll?.(updates)) ?? false),
  );
  if (racing.filter(Boolean).length !== 1)
    trial.fail("Of changes of several runs at once that know one revision, not exactly one is made.");
}
