import type { StoredRun } from "../../../durable/stored-run.ts";
import { sleep } from "../../../base/util/sleep.ts";
import type { Trial } from "../trial.ts";
import { claim, newRun, type StoreSubject } from "./subject.ts";

/** Each run is given to one owner, in the order of priorities and of age, and not before its time. */
export async function claims(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const later = newRun(subject, "claim-later", { at: Date.now() + 3_600_000 });
  const added = Array.from({ length: 40 }, (_, number) =>
    newRun(subject, `claim-${number}`, { priority: number % 3 }),
  );
  await store.create([later, ...added]);
  const [first] = await claim(subject, store, { limit: 1, owner: "first" });
  if (first?.id !== added[2]?.id)
    trial.fail("It does not give out the oldest of the highest priority first.");
  if (first?.status !== "running" || first.owner !== "first" || first.attempts !== 1)
    trial.fail("A run that it gives out is not running, with its owner, at its first attempt.");
  const claimed = await Promise.all(
    Array.from({ length: 10 }, (_, number) =>
      claim(subject, number % 2 === 0 ? store : other, { limit: 7, owner: `owner-${number}` }),
    ),
  );
  const ids = [...claimed.flat(), first].flatMap((run) => run?.id ?? []);
  if (new Set(ids).size !== ids.length) trial.fail("It gives one run to several owners at once.");
  const rest = await claim(subject, store);
  if (new Set([...ids, ...rest.map(({ id }) => id)]).size !== added.length)
    trial.fail("It does not give out all runs that are due.");
  if (claimed.some((batch) => !isOrdered(batch)))
    trial.fail("It does not return those of a higher priority first.");
  if ([...ids, ...rest.map(({ id }) => id)].includes(later.id))
    trial.fail("It gives out a run before its time.");
  const chosen = newRun(subject, "claim-chosen");
  await store.create([newRun(subject, "claim-other"), chosen]);
  const [only, more] = await claim(subject, other, { ids: [chosen.id] });
  if (only?.id !== chosen.id || more) trial.fail("It does not keep to the ids that are asked for.");
  await claim(subject, store);
}

function isOrdered(batch: readonly StoredRun[]): boolean {
  const priorities = batch.map(({ priority }) => priority);
  return priorities.join() === priorities.toSorted((left, right) => right - left).join();
}

/** Runs of one conversation follow one another: also one that waits holds it. */
export async function laneOfConversation(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const log = `${subject.prefix}/conversation`;
  const [first, second] = [
    newRun(subject, "lane-1", { log }),
    newRun(subject, "lane-2", { log, priority: 9 }),
  ];
  await store.create([first]);
  await store.create([second]);
  const claimed = await claim(subject, other);
  if (claimed.map(({ id }) => id).join() !== first.id)
    trial.fail("It gives out a run while an earlier one of its conversation has not ended.");
  const lease = { id: first.id, owner: "owner" };
  await store.commit(lease, { change: { status: "paused", due: null, owner: null } });
  if ((await claim(subject, store)).length > 0)
    trial.fail("A run that has paused does not hold its conversation.");
  const paused = await store.read(first.id);
  await store.update(first.id, paused?.revision ?? 0, { status: "completed" });
  if ((await claim(subject, store)).map(({ id }) => id).join() !== second.id)
    trial.fail("It does not give out a run when the earlier one of its conversation has ended.");
}

/** A lease that is not renewed ends, and one that is renewed does not. */
export async function lapsedLeases(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const [keptRun, lost] = [newRun(subject, "lease-kept"), newRun(subject, "lease-lost")];
  await store.create([keptRun, lost]);
  await claim(subject, store, { owner: "keeper", lease: 300, ids: [keptRun.id] });
  await claim(subject, store, { owner: "loser", lease: 300, ids: [lost.id] });
  if ((await claim(subject, other, { owner: "heir" })).length > 0)
    trial.fail("It gives out a run before its lease is over.");
  await store.renew("keeper", 60_000);
  await sleep(400);
  const heirs = await claim(subject, other, { owner: "heir" });
  if (heirs.map(({ id }) => id).join() !== lost.id)
    trial.fail("It does not give out the runs whose leases are over, and those alone.");
  if (heirs[0]?.attempts !== 2) trial.fail("It does not count how often a run was claimed.");
  const ids = (leases: readonly { readonly id: string }[]): string => leases.map(({ id }) => id).join();
  if (ids(await store.renew("loser", 60_000)) !== "" || ids(await store.renew("heir", 60_000)) !== lost.id)
    trial.fail("renew() does not return the runs that the owner has.");
  const current = await store.read(keptRun.id);
  if (current) await store.update(keptRun.id, current.revision, { data: { ...current.data, cancel: {} } });
  const [renewed] = await store.renew("keeper", 60_000);
  if (renewed?.isCancelled !== true) trial.fail("renew() does not say that a run is to end.");
}

/** What an owner executes it is not given once more: where its lease has ended, it renews that, unless another owner has the run. */
export async function ownLeases(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const [one, two] = [newRun(subject, "own-one"), newRun(subject, "own-two")];
  const except = [one.id, two.id];
  await store.create([one, two]);
  await claim(subject, store, { owner: "sleeper", lease: 100 });
  await sleep(200);
  const own = await claim(subject, store, { owner: "sleeper", except });
  const named = await claim(subject, store, { owner: "sleeper", except, ids: [one.id] });
  if (own.length + named.length > 0)
    trial.fail("It gives out runs that the request excepts, since the owner executes them.");
  const renewed = await store.renew("sleeper", 60_000, [one.id]);
  if (renewed.map(({ id }) => id).join() !== one.id)
    trial.fail(
      "renew() does not renew a lease that has ended and that nobody else has, of the ids that it gets alone.",
    );
  if ((await claim(subject, other, { owner: "other" })).map(({ id }) => id).join() !== two.id)
    trial.fail("It does not give out the runs of an owner that it has not renewed, and those alone.");
}

/** Runs of agents that no program has are stuck, and each other build is given them once. */
export async function strandedRuns(subject: StoreSubject, trial: Trial): Promise<void> {
  const { store, other } = subject;
  const run = newRun(subject, "stuck", { agent: `${subject.prefix}/gone` });
  await store.create([run]);
  const end = performance.now() + 4_000;
  while ((await store.read(run.id))?.status !== "stuck" && performance.now() < end) {
    await claim(subject, store, { lease: 100 });
    await sleep(100);
  }
  if ((await store.read(run.id))?.status !== "stuck")
    return trial.fail("A run whose agent no program has is not stuck after a lease.");
  const agents = [run.agent];
  if ((await claim(subject, other, { agents, build: "1" })).length > 0)
    trial.fail("It gives a run to the build that was stuck on it.");
  if ((await claim(subject, other, { agents, build: "2" })).length !== 1)
    trial.fail("It does not give a run that is stuck to another build.");
}
