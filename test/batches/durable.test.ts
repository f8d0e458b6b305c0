/** Durable runs whose model answers from batches: what is left, kept, found again and given up, wherever a process dies. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent, type Model, tool } from "skein";
import { anthropic } from "skein/anthropic";
import { type DurableStore, memoryStore, type Runs, sqliteStore } from "skein/durable";
import { batched, type BatchOptions, dollars, retry } from "skein/models";
import { openai } from "skein/openai";
import { type Death, dyingStore } from "../durable/dying-store.ts";
import { all, newFile, testRuns, until } from "../durable/test-runs.ts";
import { BatchServer } from "./batch-server.ts";

let server: BatchServer;
beforeEach(async () => {
  server = await new BatchServer().start();
});
afterEach(() => server.close());

const quick: BatchOptions = { gather: 0, interval: 20 };

const models: Readonly<Record<string, (options?: BatchOptions) => Model>> = {
  anthropic: (options = quick) =>
    batched(anthropic("claude-sonnet-4-6", { apiKey: "key", baseURL: server.url }), options),
  openai: (options = quick) =>
    batched(openai("gpt-5.2", { apiKey: "key", baseURL: `${server.url}/v1`, provider: "openai" }), options),
};

const create = {
  anthropic: "POST /v1/messages/batches",
  openai: "POST /v1/batches",
} as Readonly<Record<string, string>>;

/** An agent that calls a tool, and then answers. */
function clerk(model: Model, effects: string[] = []): Agent {
  const look = tool({
    name: "look",
    description: "Look.",
    input: { type: "object", properties: {} },
    execute: () => {
      effects.push("look");
      return "all quiet";
    },
  });
  return new Agent({ name: "Clerk", model, tools: [look] });
}

describe.each(Object.entries(models))("%s", (name, modelOf) => {
  test.each([
    ["SQLite", () => sqliteStore(newFile())],
    ["memory", () => memoryStore()],
  ])("with a store of %s no process holds the run while its batch is under way", async (_store, open) => {
    const store = open();
    const effects: string[] = [];
    server.isHolding = true;
    const app = testRuns(store, { agents: [clerk(modelOf(), effects)] });
    void app.work({ concurrency: 1 });
    const run = await app.start("Clerk", "Look around.", { id: "job" });
    await until(async () => (await run.state()).at !== undefined && server.batches.length === 1);
    // The only place of the worker is free for others.
    const other = testRuns(store, { agents: [new Agent({ name: "Other", model: modelOf() })] });
    void other.work({ concurrency: 1 });
    const second = await other.start("Other", "Hello!");
    await until(() => server.batches.length === 2);
    expect((await run.state()).status).not.toBe("paused");
    server.isHolding = false;
    const { status, text } = await run.result();
    expect([status, text]).toEqual(["completed", "Answer to 3."]);
    expect((await second.result()).text).toBe("Answer to 1.");
    expect(effects).toEqual(["look"]);
    expect(server.submitted).toBe(3);
  });

  test("readers of the events have each turn once, however often it was looked", async () => {
    server.isHolding = true;
    const app = testRuns(newFile(), { agents: [clerk(modelOf())] });
    void app.work();
    const run = await app.start("Clerk", "Look around.");
    const reading = all(run.events());
    const look = name === "anthropic" ? "GET /v1/messages/batches/:id" : "GET /v1/batches/:id";
    await until(() => server.count(look) > 4);
    server.isHolding = false;
    await run.result();
    const types = (await reading).map(({ type }) => type);
    expect(types).toEqual([
      "turn-start",
      "model-start",
      "tool-input-delta",
      "model-end",
      "tool-start",
      "tool-end",
      "turn-end",
      "turn-start",
      "model-start",
      "text-delta",
      "model-end",
      "turn-end",
      "run-end",
    ]);
    expect((await all(run.events())).map(({ type }) => type)).toEqual(types);
  });

  test("turns, tokens and money count over the waits", async () => {
    const agents = [clerk(modelOf())];
    const one = testRuns(newFile(), { agents, runOptions: { maxTurns: 1 } });
    void one.work();
    expect(await (await one.start("Clerk", "Look around.")).result()).toMatchObject({ ended: "max-turns" });
    const two = testRuns(newFile(), { agents, runOptions: { maxTurns: 2 } });
    void two.work();
    expect(await (await two.start("Clerk", "Look around.")).result()).toMatchObject({ status: "completed" });
    const poor = testRuns(newFile(), { agents, runOptions: { maxTokens: 1_000 } });
    void poor.work();
    expect(await (await poor.start("Clerk", "Look around.")).result()).toMatchObject({ ended: "budget" });
    // An answer costs 0.0045 dollars at the full price of Anthropic's, 0.00315 of OpenAI's.
    const limit = name === "anthropic" ? 0.003 : 0.002;
    const rich = testRuns(newFile(), { agents, runOptions: { maxCost: dollars(limit) } });
    void rich.work();
    expect(await (await rich.start("Clerk", "Look around.")).result()).toMatchObject({ status: "completed" });
  });

  test("runs of one moment share a batch", async () => {
    const app = testRuns(newFile(), {
      agents: [new Agent({ name: "Writer", model: modelOf({ gather: 300, interval: 20 }) })],
    });
    const handles = await Promise.all(
      Array.from({ length: 10 }, (_, index) => app.start("Writer", `Question ${index}`)),
    );
    void app.work({ concurrency: 20 });
    const results = await Promise.all(handles.map((each) => each.result()));
    expect(results.map(({ status }) => status)).toEqual(results.map(() => "completed"));
    expect(server.batches).toHaveLength(1);
  });

  test("what the user sends meanwhile is not what the batch answers", async () => {
    server.isHolding = true;
    const app = testRuns(newFile(), { agents: [new Agent({ name: "Writer", model: modelOf() })] });
    void app.work();
    const run = await app.start("Writer", "One?");
    await until(() => server.batches.length === 1);
    await run.steer("Two?");
    server.isHolding = false;
    await run.result();
    const { messages } = await run.state();
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(server.batches).toHaveLength(2);
  });

  test("a cancelled run gives its batch up", async () => {
    server.isHolding = true;
    const app = testRuns(newFile(), { agents: [new Agent({ name: "Writer", model: retry(modelOf()) })] });
    void app.work();
    const run = await app.start("Writer", "Hello!");
    await until(async () => (await run.state()).at !== undefined && server.batches.length === 1);
    await run.cancel("enough");
    expect((await run.result()).status).toBe("cancelled");
    await until(() => server.batches[0]?.isCancelled === true);
    expect(server.batches).toHaveLength(1);
  });

  test("a run that failed with its batch is tried again in another one", async () => {
    const { outcomeOf } = server;
    server.outcomeOf = () => "expired";
    const app = testRuns(newFile(), { agents: [new Agent({ name: "Writer", model: modelOf() })] });
    void app.work();
    const run = await app.start("Writer", "Hello!");
    expect(await run.result()).toMatchObject({ status: "failed", error: { code: "timeout" } });
    server.outcomeOf = outcomeOf;
    await run.retry();
    expect((await run.result()).text).toBe("Answer to 1.");
    expect(server.batches).toHaveLength(2);
  });

  test("a store that fails after the batch was submitted has it found again", async () => {
    const real = sqliteStore(newFile());
    let failures = 0;
    const store: DurableStore = {
      ...methodsOf(real),
      commit: (lease, write) => {
        // The first write after the submission: the id of the batch.
        if (server.batches.length === 1 && failures === 0) {
          failures++;
          return Promise.reject(new Error("The disk is full."));
        }
        return real.commit(lease, write);
      },
    };
    const app = testRuns(store, { agents: [new Agent({ name: "Writer", model: modelOf() })] });
    void app.work();
    const { status, text } = await (await app.start("Writer", "Hello!")).result();
    expect([status, text, failures]).toEqual(["completed", "Answer to 1.", 1]);
    expect(server.count(create[name] ?? "")).toBe(1);
  });

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

  test("an agent within a run waits in the process", async () => {
    const inner = new Agent({ name: "Inner", model: modelOf() });
    const outer = new Agent({ name: "Outer", model: modelOf(), tools: [inner.asTool()] });
    const app = testRuns(newFile(), { agents: [outer] });
    void app.work();
    expect(await (await app.start("Outer", "Hello!")).result()).toMatchObject({ status: "completed" });
  });
});

/** The methods of a store, bound to it. */
function methodsOf(store: DurableStore): DurableStore {
  return {
    key: store.key,
    create: (added) => store.create(added),
    read: (id) => store.read(id),
    list: (filter) => store.list(filter),
    claim: (request) => store.claim(request),
    renew: (owner, lease, ids) => store.renew(owner, lease, ids),
    update: (id, revision, change) => store.update(id, revision, change),
    load: (log) => store.load(log),
    commit: (lease, write) => store.commit(lease, write),
    events: (id, after, limit) => store.events(id, after, limit),
    prune: (age) => store.prune(age),
    watch: (listener, scope) => store.watch(listener, scope),
    close: () => store.close(),
  };
}
