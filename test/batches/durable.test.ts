/** Durable runs whose model answers from batches: they are left until the answer is there. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent, type Model } from "skein";
import { type DurableStore, memoryStore, sqliteStore } from "skein/durable";
import { type BatchOptions, dollars, retry } from "skein/models";
import { FunctionModel } from "skein/testing";
import { all, newFile, testRuns, until } from "../durable/test-runs.ts";
import { BatchServer } from "./batch-server.ts";
import { clerk, methodsOf, modelOfApi, quick } from "./test-models.ts";

let server: BatchServer;
beforeEach(async () => {
  server = await new BatchServer().start();
});
afterEach(() => server.close());

const create: Readonly<Record<string, string>> = {
  anthropic: "POST /v1/messages/batches",
  openai: "POST /v1/batches",
};

test("a custom model notes what it waits for, leaves the run, and is asked again", async () => {
  const inner = new FunctionModel(() => "Three herons.");
  const notes: (string | undefined)[] = [];
  const model: Model = {
    provider: "slow",
    modelId: "slow-1",
    async *stream(request) {
      const { later } = request;
      notes.push(later?.read("job"));
      if (notes.at(-1) === undefined) {
        await later?.note("job", "number 7");
        later?.leave(Date.now() + 20);
      }
      yield* inner.stream(request);
      later?.end();
    },
  };
  const app = testRuns(newFile(), { agents: [new Agent({ name: "Slow", model })] });
  void app.work();
  expect((await (await app.start("Slow", "Hello!")).result()).text).toBe("Three herons.");
  expect(notes).toEqual([undefined, "number 7"]);
});

describe.each(["anthropic", "openai"])("%s", (name) => {
  const modelOf = (options?: BatchOptions): Model => modelOfApi(name, server, options);

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
      agents: [
        new Agent({ name: "Writer", model: modelOf({ gather: 1_000_000, maxRequests: 10, interval: 20 }) }),
      ],
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

  test("runs that share a batch give it up once all of them are cancelled", async () => {
    server.isHolding = true;
    const model = modelOf({ gather: 1_000_000, maxRequests: 2, interval: 20 });
    const app = testRuns(newFile(), { agents: [new Agent({ name: "Writer", model })] });
    void app.work();
    const started = [await app.start("Writer", "One?"), await app.start("Writer", "Two?")];
    for (const run of started)
      await until(async () => (await run.state()).at !== undefined && server.batches.length === 1);
    for (const run of started) {
      expect(server.batches[0]?.isCancelled).toBe(false);
      await run.cancel("enough");
      expect((await run.result()).status).toBe("cancelled");
    }
    await until(() => server.batches[0]?.isCancelled === true);
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

  test("a batch that ended while no program could look has its answer, also after the deadline", async () => {
    const file = newFile();
    server.isHolding = true;
    const agents = [new Agent({ name: "Writer", model: modelOf({ ...quick, deadline: 2_000 }) })];
    const first = testRuns(file, { agents });
    void first.work();
    await first.start("Writer", "Hello!", { id: "job" });
    await until(async () => server.batches.length === 1 && (await first.get("job").state()).at !== undefined);
    await first.close();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    server.isHolding = false;
    const second = testRuns(file, { agents });
    void second.work();
    expect((await second.get("job").result()).text).toBe("Answer to 1.");
  });

  test("an agent within a run waits in the process", async () => {
    const inner = new Agent({ name: "Inner", model: modelOf() });
    const outer = new Agent({ name: "Outer", model: modelOf(), tools: [inner.asTool()] });
    const app = testRuns(newFile(), { agents: [outer] });
    void app.work();
    expect(await (await app.start("Outer", "Hello!")).result()).toMatchObject({ status: "completed" });
  });
});
