/** Runs of a store and of recordings, over the data routes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, run, tool } from "skein";
import { runs, sqliteStore } from "skein/durable";
import { openai } from "skein/openai";
import { FunctionModel, record } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import { openStudio, type RunsFromElsewhere } from "../../src/studio/studio.ts";
import type { Approval, RequestDetail, RunSummary } from "../../src/studio/records.ts";
import { StudioData } from "./data.ts";
import { openProvider } from "./test-provider.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-elsewhere-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function open(elsewhere: RunsFromElsewhere, agents: readonly Agent[] = []): Promise<StudioData> {
  const page = await openStudio({ agents, port: 0 }, {}, elsewhere);
  onTestFinished(() => page.close());
  return new StudioData(page);
}

/** Looks at the sea, and says what it sees. */
function eye(model = lookTwice): Agent {
  const look = tool({
    name: "look",
    input: { type: "object", properties: { at: { type: "string" } } },
    approval: ({ at }: { readonly at?: string }) => at === "sun",
    execute: ({ at }: { readonly at: string }) => `The ${at} is blue.`,
  });
  return new Agent({ name: "Eye", instructions: "Be kind.", model, tools: [look] });
}

const lookTwice = new FunctionModel(({ messages }) => {
  const from = messages.findLastIndex(({ role }) => role === "user");
  if (messages.length > from + 1) return "It is blue.";
  const at = JSON.stringify(messages[from]).includes("sun") ? "sun" : "sea";
  return { toolCalls: [{ toolName: "look", arguments: { at } }] };
});

test("a recording is shown as its runs, with each request and each piece of its answer as they were", async () => {
  await using provider = await openProvider(
    [[{ name: "look", arguments: '{"at":"sea"}' }], "It is blue.", "You are welcome.", "Hello."],
    12,
  );
  const file = join(await newFolder(), "sea.jsonl");
  const agent = eye().with({
    model: record((fetch) => openai("m", { baseURL: provider.baseURL, apiKey: "sk-test", fetch }), file),
  });
  const first = await run(agent, "What colour has the sea?");
  await run(agent, [...first.state.messages, { role: "user", content: "Thanks." }]);
  await run(agent, "Hi.");
  const page = await open({ recordings: [file] });

  const sea = await page.run("sea.jsonl#1");
  expect(sea).toMatchObject({
    source: "recording",
    agent: "Eye",
    lastAgent: "Eye",
    status: "completed",
    question: "What colour has the sea?",
  });
  expect(sea.steps).toMatchObject([
    { kind: "model", agent: "Eye", turn: 1, provider: "openai", modelId: "m", calls: [{ toolName: "look" }] },
    { kind: "tool", agent: "Eye", toolName: "look", outcome: "success", result: "The sea is blue." },
    { kind: "model", turn: 2, text: "It is blue.", usage: { cachedInputTokens: 12 } },
  ]);
  expect(await page.run("sea.jsonl#2")).toMatchObject({ question: "Thanks.", turns: 1 });
  expect(await page.run("sea.jsonl#3")).toMatchObject({ question: "Hi.", turns: 1 });
  const places = [
    ["sea.jsonl#1", 1],
    ["sea.jsonl#1", 2],
    ["sea.jsonl#2", 1],
    ["sea.jsonl#3", 1],
  ] as const;
  for (const [index, [id, number]] of places.entries()) {
    const path = `/studio/runs/${encodeURIComponent(id)}/requests/${number}`;
    const request = await page.read<RequestDetail>(path);
    expect(request.body).toBe(provider.bodies[index]);
    expect(request.answer?.pieces.map(({ text }) => text).join("")).toContain("data: [DONE]");
    // A request that is the beginning of the next has no break.
    expect(request.break).toBeUndefined();
  }
});

test("a recorded run is repeated by an agent of the same name, and executes nothing", async () => {
  const file = join(await newFolder(), "sea.jsonl");
  await run(eye().with({ model: record(lookTwice, file) }), "What colour has the sea?");
  const looks: object[] = [];
  const look = tool({
    name: "look",
    input: { type: "object" },
    execute: (input: object) => looks.push(input),
  });
  const agent = new Agent({ name: "Eye", model: lookTwice, tools: [look] });
  const page = await open({ recordings: [file] }, [agent]);
  const { id } = await page.read<{ id: string }>(`/studio/replay/${encodeURIComponent("sea.jsonl#1")}`, {});
  expect(await page.ended(id)).toMatchObject({ status: "completed", turns: 2 });
  expect(looks).toEqual([]);
});

test("durable runs of a store are shown as they are, and change as other processes go on with them", async () => {
  const file = join(await newFolder(), "runs.db");
  const app = runs({ agents: [eye()], store: sqliteStore(file) });
  onTestFinished(() => app.close({ drain: 0 }));
  const done = await app.start("Eye", "Look at the sea.", { id: "sea", session: "ada", here: true });
  await done.result();
  const next = await app.start("Eye", "And again.", { id: "again", session: "ada", here: true });
  await next.result();
  const page = await open({ store: sqliteStore(file) });
  const sea = await page.run("sea");
  expect(sea).toMatchObject({ source: "store", status: "completed", question: "Look at the sea.", turns: 2 });
  expect(sea.steps).toMatchObject([
    { kind: "model", agent: "Eye", calls: [{ toolName: "look" }] },
    {
      kind: "tool",
      toolName: "look",
      arguments: '{"at":"sea"}',
      outcome: "success",
      result: "The sea is blue.",
    },
    { kind: "model", text: "It is blue." },
  ]);
  expect(await page.run("again")).toMatchObject({ question: "And again.", turns: 2 });
  const later = await app.start("Eye", "Look at the sea.", { id: "later", here: true });
  await later.result();
  await expect.poll(async () => (await page.ask("/studio/runs/later")).status, { timeout: 15_000 }).toBe(200);
});

test("a call of a store's run is decided on, and a process that has the agent goes on", async () => {
  const file = join(await newFolder(), "runs.db");
  const app = runs({ agents: [eye()], store: sqliteStore(file) });
  onTestFinished(() => app.close({ drain: 0 }));
  const paused = await app.start("Eye", "Look at the sun.", { id: "sun", here: true });
  expect((await paused.result()).status).toBe("paused");
  const page = await open({ store: sqliteStore(file) });
  const waiting = await page.run("sun");
  expect(waiting.status).toBe("paused");
  // Nothing runs: the call waits, which the row of the pause says.
  expect(waiting.steps.at(-2)).toMatchObject({ kind: "tool", toolName: "look", waits: true });
  const { approvals } = await page.read<{ approvals: readonly Approval[] }>("/studio/approvals");
  expect(approvals).toMatchObject([{ runId: "sun", isStored: true, toolName: "look", input: { at: "sun" } }]);
  const decisions = approvals.map(({ approvalId }) => ({
    approvalId,
    decision: "approve",
    arguments: { at: "moon" },
  }));
  expect((await page.ask("/studio/decide/other", { decisions })).status).toBe(404);
  expect((await page.ask("/studio/decide/sun", { decisions })).status).toBe(200);
  void app.work();
  await expect.poll(async () => (await page.run("sun")).status, { timeout: 15_000 }).toBe("completed");
  const { steps } = await page.run("sun");
  expect(steps).toContainEqual(
    expect.objectContaining({ result: expect.stringContaining("The moon is blue.") }),
  );
});

test("a recording without the name of its agent cannot be repeated, and a file of another kind is refused", async () => {
  const folder = await newFolder();
  const file = join(folder, "hello.jsonl");
  const hello = new FunctionModel(() => "Hello.");
  await run(new Agent({ name: "Greeter", model: record(hello, file) }), "Hi.");
  const page = await open({ recordings: [file] }, [eye()]);
  expect(await page.read("/studio/runs/hello.jsonl%231/replay/1")).toMatchObject({
    isServed: false,
    isUnnamed: true,
  });
  await writeFile(join(folder, "results.json"), JSON.stringify({ version: 2, cases: [] }));
  await expect(open({ recordings: [join(folder, "results.json")] })).rejects.toThrow(
    /is neither a recording of skein\/testing nor a file of results/,
  );
  await expect(open({ recordings: [folder] })).rejects.toThrow(/cannot be read: EISDIR/);
});

test("money that a broken prefix has lost is what the tokens cost more than from the cache", async () => {
  await using provider = await openProvider([[{ name: "look", arguments: '{"at":"sea"}' }], "Blue."], 12);
  let second = 0;
  const agent = eye().with({
    model: openai("gpt-5.2", { baseURL: provider.baseURL, apiKey: "sk-test" }),
    instructions: () => `The time is 12:00:0${second++}. ${"Be kind. ".repeat(200)}`,
  });
  const page = await openStudio({ agents: [agent], port: 0 });
  onTestFinished(() => page.close());
  await run(agent, "Hello.", { runId: "a" });
  const { steps } = await new StudioData(page).run("a");
  const step = steps.at(-1);
  const { tokens = 0, cost = 0 } = step?.kind === "model" ? (step.break ?? {}) : {};
  expect(tokens).toBeGreaterThan(100);
  // gpt-5.2: $1.75 a million tokens, $0.175 from the cache.
  expect(cost).toBeCloseTo((tokens * (1.75 - 0.175)) / 1_000_000, 10);
});

test("a studio without agents refuses to chat, and shows the runs", async () => {
  const file = join(await newFolder(), "sea.jsonl");
  await run(eye().with({ model: record(lookTwice, file) }), "What colour has the sea?");
  const page = await open({ recordings: [file] });
  expect((await page.ask("/agents")).status).toBe(404);
  const summary: Partial<RunSummary> = await page.run("sea.jsonl#1");
  expect(summary).toMatchObject({ source: "recording", turns: 2 });
  await expect(openStudio({ agents: [], port: 0 })).rejects.toMatchObject({ code: "invalid-option" });
});
