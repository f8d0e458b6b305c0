/** What Restate keeps of runs is what every store keeps; a node of a cluster is killed, and nothing of it is lost. */
import * as sdk from "@restatedev/restate-sdk";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestateRuns } from "skein/durable/restate";
import { RestateStore } from "../../src/durable/restate/restate-store.ts";
import { restateServices } from "../../src/durable/restate/services.ts";
import { randomOf } from "../../src/testing/conformance/random.ts";
import { createdOnce, lists, watched } from "../../src/testing/conformance/store/reads.ts";
import { claim, entries, newRun, type StoreSubject } from "../../src/testing/conformance/store/subject.ts";
import {
  atomicWrites,
  conversations,
  fencedWrites,
  revisions,
} from "../../src/testing/conformance/store/writes.ts";
import { echo } from "../durable/agents.ts";
import { closeApps, serve, serveApp } from "../durable/restate-apps.ts";
import { type RestateServer, startCluster, startRestate } from "../durable/restate-server.ts";
import { team, teamOptions } from "../durable/team.ts";

let server: RestateServer;
let subject: StoreSubject;

beforeAll(async () => {
  server = await startRestate();
  const settings = { log: "checkLog", run: "checkRun", keepEvents: 3_600_000 };
  // Runs are claimed by the checks alone.
  await server.register(await serve(restateServices(sdk, settings, async () => "done")));
});
afterAll(async () => {
  await closeApps();
  await server.stop();
});

const newStore = (): RestateStore =>
  new RestateStore({ ingress: server.ingress, admin: server.admin, headers: {} }, "checkLog");

test.each([createdOnce, conversations, atomicWrites, revisions, fencedWrites, lists, watched])(
  "the checks of stores find nothing wrong: %o",
  async (check) => {
    const failures: string[] = [];
    const other = newStore();
    subject = { store: newStore(), other, prefix: randomUUID() };
    await check(subject, {
      random: randomOf(1),
      runs: 1,
      fail: (message) => void failures.push(message),
      settled: async (promise) => promise,
    });
    expect(failures).toEqual([]);
    await Promise.all([subject.store.close(), other.close()]);
  },
);

test("a long conversation and many events come back whole, page by page", async () => {
  const store = newStore();
  subject = { store, other: store, prefix: randomUUID() };
  const run = newRun(subject, "long");
  await store.create([run]);
  await claim(subject, store, { ids: [run.id] });
  const lease = { id: run.id, owner: "owner" };
  const text = "x".repeat(100_000);
  for (let part = 0; part < 6; part++) {
    const index = 20 * part;
    await store.commit(lease, {
      log: run.log,
      entries: entries(index + 1, 20, "writer", text),
      events: {
        groups: Array.from({ length: 20 }, (_, each) => ({
          first: index + each,
          last: index + each,
          events: [{ type: "text-delta", agent: "A", text, index: index + each }],
        })),
        progress: { next: index + 20 },
      },
    });
  }
  const loaded = await newStore().load(run.log);
  expect(loaded.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 120 }, (_, each) => each + 1));
  // Written before, in whatever chunk it is: the same entries once more are there already.
  await store.commit(lease, { log: run.log, entries: loaded.slice(30, 60) });
  expect(await store.load(run.log)).toEqual(loaded);
  for (const after of [-1, 0, 59, 118, 119]) {
    const groups = await newStore().events(run.id, after, 64);
    const indexes = groups.map(({ first }) => first);
    expect(indexes).toEqual(Array.from({ length: 119 - after }, (_, each) => after + 1 + each).slice(0, 64));
  }
  const events = { groups: [], progress: { next: 200 }, from: 61, before: 59 };
  await store.commit(lease, { events });
  expect((await store.events(run.id, -1, 64)).map(({ first }) => first)).toEqual([59, 60]);
});

test.each([
  ["one of three nodes", startCluster, 1],
  ["the only server", async () => [await startRestate()], 0],
] as const)(
  "%s is killed while runs are executed: no entry is lost, and each effect has one key",
  async (_, startNodes, index) => {
    const nodes = await startNodes();
    const [first] = nodes;
    const victim = nodes[index];
    if (!first || !victim) throw new Error("There are no nodes.");
    const effects: string[] = [];
    try {
      // Nodes that have just begun may not have found one another.
      const app = await surely(() => serveApp(first, options(effects)));
      const ids = Array.from({ length: 12 }, (_each, number) => `run-${number}`);
      const ends = Promise.all(ids.map((id) => workThrough(app, id)));
      while (effects.length < 40) await sleep(5);
      await victim.kill();
      // Longer than it takes to choose another leader.
      await sleep(5_000);
      await victim.start();
      await ends;
      const histories = await Promise.all(ids.map(async (id) => (await app.get(id).state()).messages));
      for (const history of histories) expect(history).toEqual(histories[0]);
      // What was under way when an attempt failed is done again, and nothing else.
      for (const id of ids) {
        const own = effects.filter((effect) => (effect.split(" ")[1] ?? "").startsWith(`${id}/`));
        const times = Object.values(Object.groupBy(own, (effect) => effect)).map((each) => each?.length ?? 0);
        expect(times).toHaveLength(15);
        const { attempts } = await app.get(id).state();
        expect(Math.max(...times)).toBeLessThanOrEqual(attempts);
      }
    } finally {
      await closeApps();
      await Promise.all(nodes.map((node) => node.stop()));
    }
  },
  300_000,
);

test("as many runs wait as a server has calls, and those that are executed go on nevertheless", async () => {
  const small = await startRestate({ RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: "8" });
  const app = await serveApp(small, { agents: [echo], concurrency: 4 });
  const started = await Promise.all(Array.from({ length: 30 }, () => app.start(echo, "Hello")));
  for (const run of started)
    expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
  await small.stop();
}, 300_000);

/** Starts a run, and approves what it asks for until it has ended, whatever Restate refuses meanwhile. */
async function workThrough(app: RestateRuns, id: string): Promise<void> {
  await surely(() => app.start("Boss", "Do it all.", { id }));
  for (;;) {
    const { status, pending } = await surely(() => app.get(id).state());
    if (status === "completed") return;
    if (!["queued", "running", "paused"].includes(status)) throw new Error(`The run ${id} is ${status}.`);
    const decisions = pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    // A decision may have been stored although the answer was lost: another look shows that.
    if (status === "paused")
      await app
        .get(id)
        .decide(decisions)
        .catch(() => {});
    await sleep(100);
  }
}

const options = (effects: string[]) => ({
  agents: [team((name, key) => void effects.push(`${name} ${key}`), 20)],
  runOptions: teamOptions,
});

/** Does something again until it is done: a cluster that chooses another leader refuses much for a while. */
async function surely<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch {
      await sleep(200);
    }
}
