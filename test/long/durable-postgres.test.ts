/** What PostgreSQL alone can do wrong: of transactions that go on side by side, the later one may be there first. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NewRun } from "../../src/durable/store.ts";
import { postgresStore } from "skein/durable/postgres";
import { type PostgresServer, startPostgres } from "../durable/postgres-server.ts";
import { until } from "../durable/test-runs.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server.stop());

const newRun = (id: string, log: string): NewRun => ({
  id,
  log,
  agent: "A",
  priority: 0,
  data: { request: { input: [] }, inbox: [] },
});

/** A pool whose transactions take their time before they are committed. */
function slowPool(connectionString: string, pause: number): Pool {
  const pool = new Pool({ connectionString });
  pool.on("connect", (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    Object.assign(client, {
      query: async (...args: unknown[]) => {
        if (args[0] === "COMMIT") await sleep(pause);
        return query(...args);
      },
    });
  });
  return pool;
}

test("of two runs of a conversation that are added at once, a claim gets one", async () => {
  const address = await server.newDatabase();
  const pool = slowPool(address, 300);
  const [slow, fast] = [postgresStore(pool), postgresStore(address)];
  await fast.list({ limit: 1 });
  await slow.list({ limit: 1 });
  const first = slow.create([newRun("first", "c"), newRun("other", "d")]);
  await sleep(100);
  const second = fast.create([newRun("second", "c")]);
  const claim = async (): Promise<readonly string[]> => {
    const request = { owner: "o", agents: ["A"], build: "b", lease: 60_000, limit: 10 };
    return (await fast.claim(request)).map(({ id }) => id);
  };
  const claimed: string[] = [];
  for (let round = 0; round < 20; round++) {
    claimed.push(...(await claim()));
    await sleep(30);
  }
  await Promise.all([first, second]);
  claimed.push(...(await claim()));
  expect(claimed.toSorted()).toEqual(["first", "other"]);
  await Promise.all([slow.close(), fast.close()]);
  await pool.end();
});

test("those of different conversations do not wait for one another", async () => {
  const address = await server.newDatabase();
  const pool = slowPool(address, 2_000);
  const [slow, fast] = [postgresStore(pool), postgresStore(address)];
  await fast.list({ limit: 1 });
  await slow.list({ limit: 1 });
  let isAdded = false;
  const first = slow.create([newRun("first", "c")]).then(() => (isAdded = true));
  await sleep(100);
  await fast.create([newRun("second", "d")]);
  expect(isAdded).toBe(false);
  await first;
  await Promise.all([slow.close(), fast.close()]);
  await pool.end();
});

test.each(["an address", "a pool"])(
  "a store of %s that was closed opens again when it is used, and reports changes again",
  async (kind) => {
    const address = await server.newDatabase();
    const pool = new Pool({ connectionString: address });
    const [store, other] = [postgresStore(kind === "a pool" ? pool : address), postgresStore(address)];
    const changed: (string | undefined)[] = [];
    for (const id of ["first", "second", "third"]) {
      const stop = store.watch((each) => changed.push(each));
      await until(() => changed.length > 0);
      await other.create([newRun(id, id)]);
      await until(() => changed.includes(id));
      expect(await store.read(id)).toMatchObject({ id });
      stop();
      await store.close();
      changed.length = 0;
    }
    // Closed while it is being opened, it stays so.
    store.watch(() => changed.push(undefined));
    await store.close();
    expect(changed).toEqual([]);
    await other.close();
    await pool.end();
  },
);
