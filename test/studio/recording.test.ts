/** What the studio records, asked over its data routes, without a page. */
import { Agent, run, tool } from "skein";
import { openai } from "skein/openai";
import { studio, type Studio } from "skein/studio";
import { ScriptedModel } from "skein/testing";
import { expect, onTestFinished, test } from "vitest";
import type { RequestDetail, RunDetail, RunSummary, StudioEvent } from "../../src/studio/records.ts";
import { openProvider } from "./test-provider.ts";

const key = "sk-proj-abcdefghijklmnop1234567890";

async function open(agents: readonly Agent[], options: object = {}): Promise<Studio> {
  const page = await studio({ agents, port: 0, ...options });
  onTestFinished(() => page.close());
  return page;
}

function ask(page: Studio, path: string): Promise<Response> {
  const [address = "", token = ""] = page.url.split("/#token=");
  return fetch(address + path, { headers: { "x-skein-studio": token } });
}

async function read<T>(page: Studio, path: string): Promise<T> {
  const response = await ask(page, path);
  expect(response.status).toBe(200);
  return response.json();
}

/** The runs that a page is sent first. */
async function runsOf(page: Studio): Promise<readonly RunSummary[]> {
  const response = await ask(page, "/studio/events");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/"type":"runs".*\n\n/.test(text)) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const events = text
    .split("\n\n")
    .filter(Boolean)
    .map((frame): StudioEvent => JSON.parse(frame.slice(6)));
  return events.flatMap((event) => (event.type === "runs" ? event.runs : []));
}

test("runs of the program are recorded, with what is within them in its place", async () => {
  const search = tool({ name: "search", input: { type: "object" }, execute: () => "Found." });
  const inner = new Agent({
    name: "Inner",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "search" }] }, "Inner answer."]),
    tools: [search],
  });
  const outer = new Agent({
    name: "Outer",
    model: new ScriptedModel([
      { toolCalls: [{ toolName: "ask", arguments: { input: "Look" } }] },
      "Outer answer.",
    ]),
    tools: [inner.asTool({ name: "ask", description: "Asks." })],
  });
  const page = await open([outer]);
  await run(outer, "Hello", { runId: "order/1" });
  const detail = await read<RunDetail>(page, "/studio/runs/order%2F1");
  expect(detail).toMatchObject({ status: "completed", question: "Hello", turns: 2, toolCalls: 2 });
  const shape = detail.steps.map(({ id, kind, agent, parent }) => [id, kind, agent, parent]);
  expect(shape).toEqual([
    [1, "model", "Outer", undefined],
    [2, "tool", "Outer", undefined],
    [3, "agent", "Inner", 2],
    [4, "model", "Inner", 3],
    [5, "tool", "Inner", 3],
    [6, "model", "Inner", 3],
    [7, "model", "Outer", undefined],
  ]);
  expect(detail.steps.every(({ start, end = 0 }) => end >= start)).toBe(true);
  expect(await runsOf(page)).toMatchObject([{ id: "order/1", input: "Hello", flight: [{ agent: "Outer" }] }]);
});

test("a request is shown as the provider received it, byte for byte, and no key leaves the process", async () => {
  await using provider = await openProvider([[{ name: "look", arguments: '{"at":"sea"}' }], "Done. "]);
  const look = tool({
    name: "look",
    input: { type: "object", properties: { at: { type: "string" } } },
    execute: () => "Blue ☀.",
  });
  const model = openai("m", { baseURL: provider.baseURL, apiKey: key });
  const agent = new Agent({ name: "Looker", model, instructions: 'Be "kind".\nÄ ☀', tools: [look] });
  const page = await open([agent]);
  const result = await run(agent, "Look", { runId: "r" });
  expect(result.text).toBe("Done. ");
  const { requests } = await read<{ requests: readonly { number: number }[] }>(
    page,
    "/studio/runs/r/requests",
  );
  expect(requests).toHaveLength(2);
  expect(provider.keys).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
  for (const [index, body] of provider.bodies.entries()) {
    const detail = await read<RequestDetail>(page, `/studio/runs/r/requests/${index + 1}`);
    expect(detail.body).toBe(body);
    expect(detail).toMatchObject({
      isWire: true,
      isRedacted: false,
      status: 200,
      url: `${provider.baseURL}/chat/completions`,
    });
    expect(detail.headers["authorization"]).toBe("[redacted]");
    expect(detail.answer?.pieces.map(({ text }) => text).join("")).toContain("data: [DONE]");
    expect(JSON.stringify(detail)).not.toContain(key);
  }
});

test("a key that the model repeats is masked in everything that the studio sends", async () => {
  await using provider = await openProvider([
    [{ name: "log", arguments: `{"text":"${key}"}` }],
    `It is ${key}.`,
  ]);
  const log = tool({
    name: "log",
    input: { type: "object" },
    execute: () => ({ password: "hunter2hunter2" }),
  });
  const model = openai("m", { baseURL: provider.baseURL, apiKey: key });
  const agent = new Agent({ name: "Leak", model, tools: [log] });
  const page = await open([agent]);
  await run(agent, `My key is ${key}`, { runId: "r" });
  const paths = ["", "/requests", "/requests/1", "/requests/2", "/calls/2"].map(
    (part) => `/studio/runs/r${part}`,
  );
  const texts = await Promise.all(paths.map(async (path) => (await ask(page, path)).text()));
  for (const text of [...texts, JSON.stringify(await runsOf(page))]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain("hunter2hunter2");
  }
});

test("a time in the instructions is named, with the tokens that were paid again", async () => {
  await using provider = await openProvider([[{ name: "look", arguments: "{}" }], "Done."], 20);
  const look = tool({ name: "look", input: { type: "object" }, execute: () => "Seen." });
  let minute = 10;
  const agent = new Agent({
    name: "Clock",
    model: openai("m", { baseURL: provider.baseURL, apiKey: key }),
    instructions: () => `The time is 12:${minute++}.`,
    tools: [look],
  });
  const page = await open([agent]);
  await run(agent, "Look", { runId: "r" });
  const detail = await read<RequestDetail>(page, "/studio/runs/r/requests/2");
  const first = Math.ceil((provider.bodies[0]?.length ?? 0) / 4);
  expect(detail.break).toEqual({ path: "messages[0].content", character: 16, tokens: first - 20 });
  expect(detail.prefix.with).toEqual({ request: 1, runId: "r" });
  expect((await read<RunDetail>(page, "/studio/runs/r")).breaks).toBe(1);
});

test("a run that fails is recorded with its error, and no step of it stays open", async () => {
  const failing = new Agent({ name: "F", model: new ScriptedModel([{ error: new Error("no such luck") }]) });
  const page = await open([failing]);
  await expect(run(failing, "Hello", { runId: "f" })).rejects.toThrow("no such luck");
  const detail = await read<RunDetail>(page, "/studio/runs/f");
  expect(detail).toMatchObject({ status: "failed" });
  expect(detail.error).toMatch("no such luck");
  expect(detail.steps.every(({ end }) => end !== undefined)).toBe(true);
});

test("a run that pauses and goes on is one run, with the pause in it", async () => {
  const pay = tool({ name: "pay", input: { type: "object" }, approval: true, execute: () => "Paid." });
  const agent = new Agent({
    name: "P",
    model: new ScriptedModel([{ toolCalls: [{ toolName: "pay" }] }, "Done."]),
    tools: [pay],
  });
  const page = await open([agent]);
  const paused = await run(agent, "Pay");
  const { approvalId = "" } = paused.pending[0] ?? {};
  await run(agent, paused.state, {
    approvals: [{ approvalId, decision: "approve" }],
  });
  const detail = await read<RunDetail>(page, `/studio/runs/${encodeURIComponent(paused.state.runId)}`);
  expect(detail.status).toBe("completed");
  expect(detail.steps.map(({ kind }) => kind)).toEqual(["model", "tool", "wait", "tool", "model"]);
  expect(detail.flight.map(({ agent: name }) => name)).toEqual(["P", undefined, "P"]);
  expect(detail.waited).toBeGreaterThan(0);
});

test("memory is bounded: the bytes of old runs go first, then the runs", async () => {
  await using provider = await openProvider(["Yes."]);
  const agent = new Agent({ name: "A", model: openai("m", { baseURL: provider.baseURL, apiKey: key }) });
  const page = await open([agent], { keepRuns: 3, keepBytes: 60_000 });
  for (const id of ["a", "b", "c", "d"]) await run(agent, "x".repeat(20_000), { runId: id });
  expect((await runsOf(page)).map(({ id }) => id)).not.toContain("a");
  const { body } = await read<RequestDetail>(page, "/studio/runs/b/requests/1").catch(() => ({
    body: undefined,
  }));
  expect(body).toBeUndefined();
  expect((await ask(page, "/studio/runs/a")).status).toBe(404);
});

test("once the studio is closed, in the middle of a run too, runs go on as before", async () => {
  await using provider = await openProvider(["Yes."]);
  const agent = new Agent({ name: "A", model: openai("m", { baseURL: provider.baseURL, apiKey: key }) });
  const page = await studio({ agents: [agent], port: 0 });
  const slow = new Agent({
    name: "S",
    model: new ScriptedModel(["Slow."]),
    instructions: () => page.close().then(() => "Go on."),
  });
  expect((await run(slow, "Hello")).text).toBe("Slow.");
  expect((await run(agent, "Hello")).text).toBe("Yes.");
});

test("a key that looks like none is masked wherever a page could show it, once a model has sent it", async () => {
  const apiKey = "correct horse battery".replaceAll(" ", "-");
  await using provider = await openProvider([
    [{ name: "look", arguments: JSON.stringify({ at: apiKey }) }],
    `It is ${apiKey}.`,
  ]);
  const look = tool({
    name: "look",
    input: { type: "object", properties: { at: { type: "string" } } },
    execute: () => `Saw ${apiKey}.`,
  });
  const agent = new Agent({
    name: "Eye",
    model: openai("m", { baseURL: provider.baseURL, apiKey }),
    instructions: `The key is ${apiKey}.`,
    tools: [look],
  });
  const page = await open([agent]);
  await run(agent, `Is ${apiKey} right?`, { runId: "r" });
  for (const path of [
    "/studio/runs/r",
    "/studio/runs/r/calls/2",
    "/studio/runs/r/case/2",
    "/studio/runs/r/replay/1",
    "/studio/runs/r/requests/1",
    "/studio/runs/r/requests/2",
    "/studio/runs/r/bodies/2",
    "/studio/runs/r/texts/2",
  ]) {
    const text = await (await ask(page, path)).text();
    expect(`${path}: ${text}`).not.toContain(apiKey);
    expect(text.length).toBeGreaterThan(20);
  }
  expect(JSON.stringify(await runsOf(page))).not.toContain(apiKey);
});
