/** Durable runs whose model answers from batches, where something breaks at each place in turn: a process, an exchange, a store. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model } from "skein";
import { type DurableStore, type Runs, sqliteStore } from "skein/durable";
import { type Death, dyingStore } from "../durable/dying-store.ts";
import { newFile, testRuns, until } from "../durable/test-runs.ts";
import { BatchServer } from "./batch-server.ts";
import { clerk, methodsOf, modelOfApi } from "./test-models.ts";

let server: BatchServer;
beforeEach(async () => {
  server = await new BatchServer().start();
});
afterEach(() => server.close());

describe.each(["anthropic", "openai"])("%s", (name) => {
  const modelOf = (): Model => modelOfApi(name, server);

  describe("killed at a write", async () => {
    interface Outcome {
      readonly roles: readonly string[];
      readonly text: string;
      readonly effects: number;
      readonly submitted: number;
      readonly writes: number;
    }

    async function workThrough(kill: Death): Promise<Outcome> {
      const file = newFile();
      const effects: string[] = [];
      const start = (store: DurableStore): Runs =>
        testRuns(store, { agents: [clerk(modelOf(), effects)], lease: 200 });
      const dead = Promise.withResolvers<void>();
      const dying = dyingStore(sqliteStore(file), kill, () => {
        dead.resolve();
        throw new Error("dead");
      });
      const doomed = start(dying.store);
      await doomed.start("Clerk", "Look around.", { id: "job" });
      void doomed.work();
      const other = start(sqliteStore(file));
      const run = other.get("job");
      await Promise.race([dead.promise, run.result()]);
      void other.work();
      const { text, status } = await run.result({ timeout: 20_000 });
      expect(status).toBe("completed");
      const { messages } = await run.state();
      return {
        roles: messages.map(({ role }) => role),
        text,
        effects: effects.length,
        submitted: server.submitted,
        writes: dying.writes(),
      };
    }

    test.each(["before", "after"] as const)("%s it is done, nothing is paid twice", async (when) => {
      const whole = await workThrough({ at: Number.POSITIVE_INFINITY, isAfter: false });
      expect(whole).toMatchObject({ effects: 1, submitted: 2 });
      for (let at = 1; at <= whole.writes; at++) {
        await server.close();
        server = await new BatchServer().start();
        const outcome = await workThrough({ at, isAfter: when === "after" });
        expect({ at, ...outcome }).toMatchObject({
          at,
          roles: whole.roles,
          text: whole.text,
          submitted: 2,
        });
        expect(outcome.effects).toBeLessThanOrEqual(2);
      }
    });
  });

  test.each([["before"], ["after"], [500]] as const)(
    "whichever exchange breaks (%s), the run goes on, and nothing is paid twice",
    async (trouble) => {
      const workThrough = async (at: number): Promise<number> => {
        let exchanges = 0;
        server.onExchange = () => ((exchanges += 1) === at ? trouble : undefined);
        const app = testRuns(newFile(), { agents: [clerk(modelOf())] });
        void app.work();
        const { status, text } = await (await app.start("Clerk", "Look around.")).result({ timeout: 20_000 });
        expect({ at, status, text, submitted: server.submitted }).toEqual({
          at,
          status: "completed",
          text: "Answer to 3.",
          submitted: 2,
        });
        await server.close();
        server = await new BatchServer().start();
        return exchanges;
      };
      const whole = await workThrough(0);
      for (let at = 1; at <= whole; at++) await workThrough(at);
    },
  );

  test("at whichever exchange it is cancelled, no batch of the run is left under way", async () => {
    const workThrough = async (at: number): Promise<number> => {
      let exchanges = 0;
      let isCancelled = false;
      server.isHolding = true;
      const app = testRuns(newFile(), { agents: [clerk(modelOf())] });
      const run = await app.start("Clerk", "Look around.");
      server.onExchange = async (kind) => {
        exchanges++;
        if (exchanges === at) isCancelled = await run.cancel("enough");
        // It works for two looks.
        if (!isCancelled && kind.startsWith("GET") && exchanges % 3 === 0) server.isHolding = false;
        else if (kind.startsWith("POST")) server.isHolding = true;
        return undefined;
      };
      void app.work();
      const { status } = await run.result({ timeout: 20_000 });
      expect({ at, status }).toEqual({ at, status: isCancelled ? "cancelled" : "completed" });
      await until(() => server.batches.every((batch) => batch.isOver || batch.isCancelled));
      const { submitted } = server;
      expect(submitted).toBeLessThanOrEqual(2);
      await app.close();
      expect(server.submitted).toBe(submitted);
      await server.close();
      server = await new BatchServer().start();
      return exchanges;
    };
    const whole = await workThrough(0);
    for (let at = 1; at <= whole; at++) await workThrough(at);
  });

  test("whichever write of the store fails, the run goes on, and nothing is paid twice", async () => {
    const workThrough = async (at: number): Promise<number> => {
      const real = sqliteStore(newFile());
      let writes = 0;
      const store: DurableStore = {
        ...methodsOf(real),
        commit: (lease, write) =>
          (writes += 1) === at ? Promise.reject(new Error("The disk is full.")) : real.commit(lease, write),
      };
      const app = testRuns(store, { agents: [clerk(modelOf())] });
      void app.work();
      const { status, text } = await (await app.start("Clerk", "Look around.")).result({ timeout: 20_000 });
      expect({ at, status, text, submitted: server.submitted }).toEqual({
        at,
        status: "completed",
        text: "Answer to 3.",
        submitted: 2,
      });
      await app.close();
      await server.close();
      server = await new BatchServer().start();
      return writes;
    };
    const whole = await workThrough(0);
    for (let at = 1; at <= whole; at++) await workThrough(at);
  });
});
