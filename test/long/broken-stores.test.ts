/** The conformance kit notices what is wrong with a store of durable runs: stores that break one promise each. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type DurableStore, sqliteStore } from "skein/durable";
import { checkStore } from "skein/testing/conformance";

const folder = mkdtempSync(join(tmpdir(), "skein-broken-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** What a store does wrong, where it is not as the one that it is made of. */
const breaks: Readonly<Record<string, (store: DurableStore) => Partial<DurableStore>>> = {
  create: (store) => ({
    create: async (added) => (await store.create(added)).map(({ run }) => ({ run, isNew: true })),
  }),
  claim: (store) => ({ claim: async (request) => (await store.claim(request)).toReversed() }),
  conversation: (store) => ({
    create: (added) => store.create(added.map((run) => ({ ...run, log: `${run.log}/${run.id}` }))),
  }),
  lease: (store) => ({ claim: (request) => store.claim({ ...request, lease: 1 }) }),
  stuck: (store) => ({ claim: (request) => store.claim({ ...request, build: crypto.randomUUID() }) }),
  fence: (store) => ({
    commit: async ({ id, owner }, write) => {
      const run = await store.read(id);
      return store.commit({ id, owner: run?.owner ?? owner }, write);
    },
  }),
  append: (store) => ({ load: async (log) => (await store.load(log)).toReversed() }),
  atomic: (store) => ({
    commit: async (lease, { entries, log, ...others }) => {
      const isWritten = await store.commit(lease, others);
      if (entries && log !== undefined) await store.commit(lease, { entries, log });
      return isWritten;
    },
  }),
  revision: (store) => ({
    update: async (id, revision, change) =>
      store.update(id, (await store.read(id))?.revision ?? revision, change),
  }),
  "several-runs": (store) => ({
    updateAll: async (updates) => {
      const changed = [];
      for (const { id, revision, change } of updates) changed.push(await store.update(id, revision, change));
      return changed.every((run) => run !== undefined);
    },
  }),
  events: () => ({ prune: () => Promise.resolve() }),
  "events-at-once": () => ({ append: () => {} }),
  list: (store) => ({ list: ({ statuses: _, ...filter }) => store.list(filter) }),
  watch: () => ({ watch: () => () => {} }),
};

test.each(Object.entries(breaks))("a store that breaks the check %s is noticed", async (name, breakStore) => {
  const file = join(folder, `${(count += 1)}.db`);
  const report = await checkStore(() => {
    const store = sqliteStore(file);
    return { ...store, ...breakStore(store) };
  });
  expect(report.failures.map(({ check }) => check)).toContain(name);
});

test.each(["create", "claim", "commit", "load"] as const)(
  "a store whose %s() never answers is noticed, and ends the check",
  async (method) => {
    const file = join(folder, `${(count += 1)}.db`);
    const report = await checkStore(
      () => ({ ...sqliteStore(file), [method]: () => new Promise<never>(() => {}) }),
      { timeout: 100 },
    );
    expect(report.failures.map(({ message }) => message)).toContainEqual(
      `${method}() did not settle within 100 ms.`,
    );
  },
);
