/** Any use of a store of durable runs, the same for the same seed: two stores must answer alike. */
import type { DurableStatus, DurableStore, RunChange, StoredEvent } from "skein/durable";
import { vi } from "vitest";

const agents = ["A", "B", "C"];
const statuses: readonly DurableStatus[] = [
  "queued",
  "paused",
  "completed",
  "failed",
  "cancelled",
  "stuck",
  "running",
];

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a store answers to six hundred calls. */
export async function playOn(store: DurableStore, seed: number): Promise<readonly unknown[]> {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
  const random = randomOf(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  const answers: unknown[] = [];
  const add = async (answer: Promise<unknown>): Promise<void> => {
    answers.push(await answer.catch((error: unknown) => Object(error).code));
  };
  const runs: [string, ...string[]] = ["none"];
  const logs = ["ann", "bob", "cid"] as const;
  const data = () => ({
    request: { input: [], context: below(9) },
    inbox: [],
    ...(below(9) === 0 && { cancel: {} }),
  });
  const change = () => {
    const status = statuses[below(statuses.length)] ?? "queued";
    const isOver = ["completed", "failed", "cancelled", "stuck"].includes(status);
    const times: readonly [RunChange["due"], ...RunChange["due"][]] = [
      { in: below(3_000) },
      { at: Date.now() + below(3_000) },
      null,
      undefined,
    ];
    const due = isOver ? null : pick(times);
    return {
      ...(below(4) > 0 && { status, ...(due !== undefined && { due }) }),
      ...(below(2) === 0 && { owner: null }),
      ...(below(3) === 0 && { build: pick(["1", "2"]) }),
      ...(below(3) === 0 && { data: data() }),
    };
  };
  const events = async (id: string) => {
    const next = (await store.read(id))?.progress.next ?? 0;
    const group = (first: number, count: number) => ({
      first,
      last: first + count - 1,
      events: Array.from({ length: count }, (_, place): StoredEvent => ({
        type: "text-delta",
        agent: "A",
        text: `${below(100)}`,
        index: first + place,
      })),
    });
    const sizes = [1 + below(3), 1 + below(3)] as const;
    return {
      groups: [group(next, sizes[0]), group(next + sizes[0], sizes[1])],
      progress: { next: next + sizes[0] + sizes[1] },
      ...(below(4) === 0 && { from: below(next + 1) }),
      ...(below(4) === 0 && { before: below(next + 1) }),
    };
  };
  const calls: readonly (() => Promise<void>)[] = [
    async () => {
      const id = `r${below(60)}`;
      if (!runs.includes(id)) runs.push(id);
      const log = below(2) === 0 ? pick(logs) : `run:${id}`;
      const at = below(3) === 0 ? { at: Date.now() + below(3_000) } : {};
      const agent = pick(["A", "B", "C"]);
      await add(store.create([{ id, log, agent, priority: below(3), data: data(), ...at }]));
    },
    async () => {
      // SQLite looks once a second for runs that no program has the agent of.
      vi.setSystemTime(Date.now() + 1_000);
      await add(
        store.claim({
          owner: pick(["x", "y"]),
          build: pick(["1", "2"]),
          agents: agents.slice(0, 1 + below(3)),
          lease: 500 + below(3_000),
          limit: 1 + below(4),
          ...(below(4) === 0 && { ids: [pick(runs), pick(runs), pick(runs)] }),
        }),
      );
    },
    async () => {
      const id = pick(runs);
      const revision = ((await store.read(id))?.revision ?? 0) - (below(5) === 0 ? 1 : 0);
      const write = below(3) === 0 ? { events: await events(id) } : {};
      await store.update(id, revision, { ...change(), ...write });
      await add(store.read(id));
    },
    async () => {
      const [running] = await store.list({ statuses: ["running"], limit: 1 });
      const id = running && below(5) > 0 ? running.id : pick(runs);
      const { log = "ann", owner = "x" } = (await store.read(id)) ?? {};
      const sequence = (await store.load(log)).length + (below(6) === 0 ? 2 : 1);
      const message = { role: "user", content: `${below(100)}` } as const;
      await add(
        store.commit(
          { id, owner: below(5) > 0 ? owner : "y" },
          {
            ...(below(2) === 0 && { log, entries: [{ type: "message", sequence, writer: "w", message }] }),
            ...(below(2) === 0 && { events: await events(id) }),
            ...(below(4) === 0 && { change: change() }),
          },
        ),
      );
      answers.push(await store.read(id), await store.load(log), await store.events(id, -1, 100));
    },
    async () => {
      const leases = await store.renew(pick(["x", "y"]), 2_000);
      answers.push(leases.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
    },
    async () => {
      await add(
        store.list({
          limit: 1 + below(10),
          ...(below(2) === 0 && { statuses: ["queued", "stuck"] }),
          ...(below(3) === 0 && { agent: "A" }),
          ...(below(3) === 0 && { idPrefix: "r1" }),
          ...(below(3) === 0 && { log: pick(logs) }),
          ...(below(3) === 0 && { after: pick(runs) }),
        }),
      );
    },
    async () => add(store.events(pick(runs), below(12) - 1, 1 + below(5))),
    async () => {
      if (below(5) === 0) await add(store.prune(below(5_000)));
      vi.setSystemTime(Date.now() + below(1_500));
    },
  ];
  for (let count = 0; count < 600; count++) await calls[below(calls.length)]?.();
  for (const id of runs) answers.push(await store.read(id), await store.events(id, -1, 1_000));
  return answers;
}
