/** Durable runs in Restate: they wait, follow one another, are cancelled and go on, as in every store. */
import { Agent, tool } from "skein";
import { FunctionModel, type ScriptedToolCall } from "skein/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { approve, clerk, echo, textOf, worker } from "../durable/agents.ts";
import { closeApps, newApp, serveApp } from "../durable/restate-apps.ts";
import { type RestateServer, startRestate } from "../durable/restate-server.ts";
import { all, until } from "../durable/test-runs.ts";

let server: RestateServer;
beforeAll(async () => {
  server = await startRestate();
});
afterEach(closeApps);
afterAll(() => server.stop());

test("an approval is decided by a program that executes nothing", async () => {
  const effects: string[] = [];
  const agent = clerk((order, key) => void effects.push(`${order} ${key}`), { approval: true });
  await serveApp(server, { agents: [agent] });
  const desk = newApp(server, { agents: [agent] });
  const run = await desk.start(agent, "Refund order 7.", { id: "approved" });
  expect(await run.result()).toMatchObject({ status: "paused", pending: [{ toolName: "refund" }] });
  const other = newApp(server, { agents: [] });
  await approve(other.get("approved"));
  expect(await other.get("approved").result()).toMatchObject({ status: "completed", text: "It is done." });
  expect(effects).toHaveLength(1);
  const { pending, messages } = await other.get("approved").state();
  expect(pending).toEqual([]);
  expect(messages).toHaveLength(4);
  await expect(approve(other.get("nowhere"))).rejects.toMatchObject({ code: "run-not-found" });
});

test("a call without a decision is denied once its time is over", async () => {
  const agent = clerk(() => {}, { approval: true });
  const app = await serveApp(server, { agents: [agent], approvalTimeout: 1_000 });
  const run = await app.start(agent, "Refund order 7.");
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
  expect(JSON.stringify((await run.state()).messages)).toContain("in time");
});

test("a tool sleeps and waits for another program, and its steps are done once", async () => {
  const notes: string[] = [];
  const agent = worker(async ({ step, sleep, waitFor }) => {
    await step("one", () => void notes.push("one"));
    await sleep("between", 1_500);
    await step("two", () => void notes.push("two"));
    return `It came: ${String(await waitFor("answer"))}`;
  });
  const app = await serveApp(server, { agents: [agent] });
  const run = await app.start(agent, "Go.");
  expect(await run.result()).toMatchObject({ status: "paused" });
  await newApp(server, { agents: [] }).get(run.id).resolve("answer", "yes");
  expect(await run.result()).toMatchObject({ status: "completed", text: "It came: yes" });
  expect(notes).toEqual(["one", "two"]);
});

test("an answer to several runs is taken as a whole, or one part after the other", async () => {
  const paid: string[] = [];
  const tools = [
    tool({
      name: "pay",
      input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      approval: true,
      execute: ({ to }: { readonly to: string }) => `paid ${paid.push(to)}`,
    }),
    tool({
      name: "ship",
      input: { type: "object", properties: {} },
      execute: async (_, { waitFor }) => `shipped ${String(await waitFor("parcel"))}`,
    }),
  ];
  const once = (toolCalls: ScriptedToolCall[]): FunctionModel =>
    new FunctionModel(({ messages }) => (messages.length === 1 ? { toolCalls } : "Done."));
  const payTo = (to: string): ScriptedToolCall => ({ toolName: "pay", arguments: { to } });
  const model = once([payTo("Ada"), payTo("Bob"), { toolName: "ship", arguments: {} }]);
  const clerk = new Agent({ name: "Payer", model, tools });
  const desk = new Agent({
    name: "Desk",
    model: once([{ toolName: "payer", arguments: { input: "Pay." } }, payTo("Cid")]),
    tools: [...tools, clerk.asTool({ name: "payer", detached: true })],
  });
  const app = await serveApp(server, { agents: [desk] });
  for (const isWhole of [true, false]) {
    const run = await app.start(desk, "Pay them.");
    await until(async () => (await run.state()).pending.length === 4);
    const { pending } = await run.state();
    const decisions = pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision: "approve" as const }],
    );
    const results = [{ toolCallId: "parcel", content: 8 }];
    const wrong = [...results, { toolCallId: "letter", content: 8 }];
    await expect(run.answer({ decisions, results: wrong })).rejects.toMatchObject({ code: "invalid-input" });
    expect((await run.state()).pending).toHaveLength(4);
    if (isWhole) await run.answer({ decisions, results });
    else {
      for (const decision of decisions) await run.decide([decision]);
      await run.resolve("parcel", 8);
    }
    expect(await run.result({ until: "end" })).toMatchObject({ status: "completed" });
    expect(paid.splice(0).toSorted()).toEqual(["Ada", "Bob", "Cid"]);
  }
});

test("a run begins when it is to, and not before", async () => {
  const app = await serveApp(server, { agents: [echo] });
  const later = await app.start(echo, "Hello", { at: new Date("2999-01-01") });
  const at = Date.now() + 1_500;
  const run = await app.start(echo, "Hello", { at });
  expect(await run.result()).toMatchObject({ status: "completed", text: "You said: Hello" });
  expect(Date.now()).toBeGreaterThanOrEqual(at);
  expect(await later.state()).toMatchObject({ status: "queued", at: new Date("2999-01-01"), attempts: 0 });
});

test("runs of one conversation follow one another, and one that was cancelled lets the next one go on", async () => {
  const agent = clerk(() => {}, { approval: true });
  const app = await serveApp(server, { agents: [agent, echo] });
  const first = await app.start(agent, "Refund order 7.", { id: "lane/1", session: "ann's talk" });
  const second = await app.start(echo, "Hello", { id: "lane/2", session: "ann's talk" });
  const third = await app.start(echo, "Bye", { id: "lane/3", session: "ann's talk" });
  expect(await first.result()).toMatchObject({ status: "paused", session: "ann's talk" });
  expect(await third.state()).toMatchObject({ status: "queued", waitsFor: second.id });
  expect(await second.cancel("Not needed.")).toBe(true);
  expect(await third.state()).toMatchObject({ status: "queued", waitsFor: first.id });
  await approve(first);
  expect(await third.result()).toMatchObject({ status: "completed", text: "You said: Bye" });
  const texts = (await third.state()).messages.filter(({ role }) => role === "user").map(textOf);
  expect(texts).toEqual(["Refund order 7.", "Bye"]);
  expect(await second.state()).toMatchObject({ status: "cancelled", cancelReason: "Not needed." });
  await expect(app.start(echo, "Hello", { id: "lane/3" })).rejects.toMatchObject({ code: "run-exists" });
});

test("an id is one run, however often and wherever it is started", async () => {
  const app = await serveApp(server, { agents: [echo] });
  const started = await Promise.all(
    ["one", "two", "one", "two"].map((text) => app.start(echo, text, { id: "same", session: "s" })),
  );
  expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect((await app.get("same").result()).attempts).toBe(1);
});

test("a run that is under way is cancelled by another program, and its tools' signals are aborted", async () => {
  const reached = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const agent = worker(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted.resolve();
          reject(new Error("aborted"));
        });
        reached.resolve();
      }),
  );
  await serveApp(server, { agents: [agent], lease: 1_000 });
  const desk = newApp(server, { agents: [agent] });
  const run = await desk.start(agent, "Go.");
  await reached.promise;
  expect(await run.cancel("Enough.")).toBe(true);
  await aborted.promise;
  expect(await run.result()).toMatchObject({ status: "cancelled", cancelReason: "Enough." });
  const events = await all(run.events());
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "cancelled" });
});

test("a run whose agent is missing is stuck, and another build that has it goes on by itself", async () => {
  const gone = echo.with({ name: "Gone" });
  await serveApp(server, { agents: [echo], version: "1" });
  const desk = newApp(server, { agents: [gone] });
  const run = await desk.start(gone, "Hello");
  expect(await run.result()).toMatchObject({ status: "stuck", missing: "agent Gone" });
  await run.retry();
  await until(async () => (await run.state()).attempts === 2);
  expect(await run.result()).toMatchObject({ status: "stuck" });
  await serveApp(server, { agents: [gone], version: "2" });
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed", text: "You said: Hello" });
}, 120_000);

test("a run that failed goes on after retry", async () => {
  let failures = 0;
  const agent = new Agent({
    name: "Moody",
    model: new FunctionModel(() => {
      if ((failures += 1) === 1) throw new Error("Not today.");
      return "Fine.";
    }),
  });
  const app = await serveApp(server, { agents: [agent] });
  const run = await app.start(agent, "Hello");
  expect(await run.result()).toMatchObject({ status: "failed" });
  await run.retry();
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed", text: "Fine." });
});

test("agents are runs of their own, and wake the one that waits for them", async () => {
  const inner = echo.with({ name: "Inner" });
  const agent = new Agent({
    name: "Outer",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? "Both are back."
        : { toolCalls: ["a", "b"].map((input) => ({ toolName: "inner", arguments: { input } })) },
    ),
    tools: [inner.asTool({ name: "inner", detached: true })],
  });
  const app = await serveApp(server, { agents: [agent] });
  const run = await app.start(agent, "Go.", { id: "outer" });
  expect(await run.result({ until: "end" })).toMatchObject({ status: "completed", text: "Both are back." });
  expect(JSON.stringify((await run.state()).messages)).toContain("You said: a");
  const inners = await app.list({ agent: "Inner" });
  expect(inners.map(({ parent, status }) => `${parent} ${status}`)).toEqual([
    "outer completed",
    "outer completed",
  ]);
});

test("a process executes as many runs at once as it is to, and the others later", async () => {
  let running = 0;
  let most = 0;
  const agent = worker(async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
  });
  const app = await serveApp(server, { agents: [agent], concurrency: 2 });
  const started = await Promise.all(Array.from({ length: 6 }, () => app.start(agent, "Go.")));
  const results = await Promise.all(started.map((run) => run.result({ until: "end" })));
  expect(results.map(({ status }) => status)).toEqual(results.map(() => "completed"));
  expect(most).toBeLessThanOrEqual(2);
});

test("runs are listed, the newest first, by what is asked for", async () => {
  const agent = echo.with({ name: "Listed 'agent'" });
  const app = await serveApp(server, { agents: [agent] });
  for (const id of ["list/1", "list/2", "list/3"])
    await (await app.start(agent, "Hello", { id, session: "listed" })).result({ until: "end" });
  const ids = async (filter: Parameters<typeof app.list>[0]): Promise<readonly string[]> =>
    (await app.list({ agent: agent.name, ...filter })).map(({ id }) => id);
  expect(await ids({})).toEqual(["list/3", "list/2", "list/1"]);
  expect(await ids({ limit: 1, after: "list/3" })).toEqual(["list/2"]);
  expect(await ids({ status: ["completed", "failed"], session: "listed" })).toHaveLength(3);
  expect(await ids({ status: "paused" })).toEqual([]);
});

test("the events of a run are deleted some time after its end", async () => {
  const app = await serveApp(server, { agents: [echo], keepEvents: 1_000 });
  const run = await app.start(echo, "Hello");
  await run.result();
  await until(async () => (await all(run.events())).length === 0);
  expect((await run.state()).messages).toHaveLength(2);
});

test("what is under way when a program closes goes on in another one", async () => {
  const reached = Promise.withResolvers<void>();
  let calls = 0;
  const agent = worker(({ signal }) => {
    if ((calls += 1) > 1) return "It is done.";
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      reached.resolve();
    });
  });
  const first = await serveApp(server, { agents: [agent] });
  const run = await newApp(server, { agents: [agent] }).start(agent, "Go.");
  await reached.promise;
  await serveApp(server, { agents: [agent] });
  await first.close({ drain: 0 });
  expect(await run.result()).toMatchObject({ status: "completed", text: "It is done.", attempts: 2 });
});
