/** Runs begin and go on when they are due, and not with the next look of a worker; and workers do not look more often for that. */
import { type DurableStore, memoryStore, sqliteStore } from "skein/durable";
import { expect, test } from "vitest";
import { echo, worker } from "./agents.ts";
import { newFile, testRuns } from "./test-runs.ts";

const stores: readonly (readonly [name: string, open: () => DurableStore])[] = [
  ["in memory", () => memoryStore()],
  ["in SQLite", () => sqliteStore(newFile())],
];

/** A store that notes when runs are claimed, and how often somebody looks. */
function observed(store: DurableStore): {
  readonly store: DurableStore;
  readonly claimedAt: number[];
  readonly looks: () => number;
} {
  const claimedAt: number[] = [];
  let looks = 0;
  const claim: DurableStore["claim"] = async (request) => {
    looks += 1;
    const claimed = await store.claim(request);
    for (const _ of claimed) claimedAt.push(Date.now());
    return claimed;
  };
  return { store: { ...store, key: store.key, claim }, claimedAt, looks: () => looks };
}

/** A worker looks once a second: what is late by that is late by chance. */
const lateness = 400;

/** After the second look, and long before the third. */
const pause = 1_100;

// Once more on a machine that was busy for a moment: a worker that looks once in a second is late each time.
test.each(stores)(
  "a run goes on when it has slept, with and without a worker %s",
  { retry: 2 },
  async (_, open) => {
    for (const here of [false, true]) {
      const { store, claimedAt, looks } = observed(open());
      let until = 0;
      const agent = worker(async ({ sleep }) => {
        until ||= Date.now() + pause;
        await sleep("a while", new Date(until));
        return "slept";
      });
      const app = testRuns(store, { agents: [agent] });
      if (!here) void app.work();
      const run = await app.start(agent, "Sleep", { here });
      expect((await run.result()).text).toBe("slept");
      expect(claimedAt).toHaveLength(2);
      expect((claimedAt[1] ?? 0) - until).toBeLessThan(lateness);
      // With each change, when it is due, and once in each second.
      expect(looks()).toBeLessThan(25);
      await app.close();
    }
  },
);

test.each(stores)("a run begins at its time %s", { retry: 2 }, async (_, open) => {
  const { store, claimedAt } = observed(open());
  const app = testRuns(store, { agents: [echo] });
  void app.work();
  const at = Date.now() + pause;
  const run = await app.start(echo, "Hello", { at });
  await run.result();
  expect((claimedAt[0] ?? 0) - at).toBeLessThan(lateness);
});
