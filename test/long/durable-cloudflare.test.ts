/** Durable runs in Durable Objects, on workerd: its process is killed after each write, and goes on with what was stored. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { assertConformance, type ConformanceReport } from "skein/testing/conformance";
import type { DurableResult, DurableState, RunInfo } from "skein/durable";
import { Semaphore } from "../../src/base/util/semaphore.ts";
import type { ObjectRequest } from "../durable/cloudflare/object.ts";
import {
  buildWorker,
  type ObjectOptions,
  type Platform,
  startPlatform,
} from "../durable/cloudflare/workerd.ts";
import { until } from "../durable/test-runs.ts";

let worker: string;
beforeAll(async () => {
  worker = await buildWorker("object.ts");
});

const platforms = new Set<Platform>();
afterEach(async () => {
  await Promise.all([...platforms].map((each) => each.stop()));
  platforms.clear();
});

async function startedPlatform(options?: ObjectOptions, text = worker): Promise<Platform> {
  const platform = await startPlatform(text);
  platforms.add(platform);
  await platform.start(options);
  return platform;
}

/** Asks the object of these tests, again where its process dies meanwhile: then on the next one. */
async function ask<T>(platform: Platform, request: ObjectRequest): Promise<T> {
  for (;;)
    try {
      return await platform.ask<T>("team", request);
    } catch (error) {
      if (Object(error).code !== undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

test("the storage of an object keeps what durable runs rely on", async () => {
  const platform = await startedPlatform({}, await buildWorker("checked-object.ts"));
  const report = await platform.ask<ConformanceReport>("team", { action: "list", id: "" });
  assertConformance(report);
  expect(report.checks.length).toBeGreaterThan(10);
}, 60_000);

interface Outcome {
  readonly messages: unknown;
  readonly text: string;
  readonly effects: readonly string[];
  readonly approvalIds: ReadonlySet<string>;
  readonly writes: number;
}

/** Has a run of the team work to its end, whose process dies at a write and is started again. */
async function workThrough(killAt: number): Promise<Outcome> {
  const platform = await startedPlatform({ killAt });
  void platform.died.then(() => platform.start());
  const started: ObjectRequest = { action: "start", id: "job" };
  await ask(platform, started);
  const approvalIds = new Set<string>();
  for (;;) {
    const { status, pending } = await ask<DurableResult>(platform, { action: "result", id: "job" });
    if (status !== "paused") break;
    const ids = pending.flatMap(({ approvalId }) => approvalId ?? []);
    for (const id of ids) approvalIds.add(id);
    const decisions = ids.map((approvalId) => ({ approvalId, decision: "approve" as const }));
    // It may have been stored just before the process died.
    await ask(platform, { action: "decide", id: "job", decisions }).catch(() => {});
  }
  const { messages } = await ask<DurableState>(platform, { action: "state", id: "job" });
  const text = await ask<string>(platform, { action: "text", id: "job" });
  const writes = await ask<number>(platform, { action: "writes", id: "job" });
  const { effects } = platform;
  await platform.stop();
  platforms.delete(platform);
  return { messages, text, effects, approvalIds, writes };
}

test("killed after each write: the same history, each effect under one key, in flight at most twice", async () => {
  const unkilled = await workThrough(0);
  expect(unkilled.effects).toHaveLength(15);
  expect(unkilled.writes).toBeGreaterThan(20);
  const limit = new Semaphore(4);
  const outcomes = await Promise.all(
    Array.from({ length: unkilled.writes }, (_, index) => limit.run(() => workThrough(index + 1))),
  );
  for (const { messages, text, effects, approvalIds } of outcomes) {
    expect(messages).toEqual(unkilled.messages);
    expect(text).toBe(unkilled.text);
    expect([...new Set(effects)].toSorted()).toEqual(unkilled.effects.toSorted());
    const times = Object.values(Object.groupBy(effects, (effect) => effect));
    expect(Math.max(...times.map((each) => each?.length ?? 0))).toBeLessThanOrEqual(2);
    expect(approvalIds).toEqual(unkilled.approvalIds);
  }
}, 600_000);

test("runs of a conversation follow one another, also over a pause and in another process", async () => {
  const platform = await startedPlatform();
  await ask(platform, { action: "start", id: "first", session: "ann" });
  await ask(platform, { action: "start", id: "second", session: "ann", agent: "Sprinter", input: "Go." });
  const paused = await ask<DurableResult>(platform, { action: "result", id: "first" });
  expect(paused.status).toBe("paused");
  await platform.kill();
  await platform.start();
  const waiting = await ask<DurableState>(platform, { action: "state", id: "second" });
  expect(waiting).toMatchObject({ status: "queued", waitsFor: "first" });
  const decisions = paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision: "deny" as const }));
  await ask(platform, { action: "decide", id: "first", decisions });
  expect(await ask(platform, { action: "result", id: "second" })).toMatchObject({ status: "completed" });
}, 60_000);

test("a run that is to begin later wakes its object, though nothing asks for it", async () => {
  const platform = await startedPlatform();
  await ask(platform, { action: "start", id: "later", agent: "Sprinter", at: Date.now() + 3_000 });
  await platform.kill();
  await platform.start();
  expect(platform.effects).toEqual([]);
  await until(() => platform.effects.length > 0);
  expect(platform.effects).toEqual(["step later/turn-1/tool/call-1"]);
}, 60_000);

test("a run whose agent is gone is stuck, and goes on in a build that has it", async () => {
  const platform = await startedPlatform();
  await ask(platform, { action: "start", id: "job" });
  const { pending } = await ask<DurableResult>(platform, { action: "result", id: "job" });
  await platform.kill();
  await platform.start({ agents: "Sprinter" });
  const decisions = pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const }));
  await ask(platform, { action: "decide", id: "job", decisions });
  const stuck = await ask<DurableResult>(platform, { action: "result", id: "job" });
  expect(stuck).toMatchObject({ status: "stuck", missing: "agent Boss" });
  await platform.kill();
  await platform.start();
  await ask(platform, { action: "retry", id: "job" });
  expect(await ask(platform, { action: "result", id: "job" })).toMatchObject({ status: "completed" });
}, 60_000);

test("a run under way is cancelled, and objects have runs of their own", async () => {
  const platform = await startedPlatform({ pause: 20_000 });
  await ask(platform, { action: "start", id: "job" });
  await until(() => platform.effects.length > 0);
  expect(await ask(platform, { action: "cancel", id: "job" })).toBe(true);
  expect(await ask(platform, { action: "result", id: "job" })).toMatchObject({
    status: "cancelled",
    cancelReason: "Not needed.",
  });
  const others = await platform.ask<readonly RunInfo[]>("another", { action: "list", id: "" });
  expect(others).toEqual([]);
  await expect(platform.ask("another", { action: "result", id: "job" })).rejects.toMatchObject({
    code: "run-not-found",
  });
}, 60_000);

test("the object of the documentation pauses for a decision, and waits for it in another process", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/durable.md"), "utf8");
  const code = /```typescript\n(\/\/ worker\.ts\nimport \{ DurableObject[\s\S]*?)```/.exec(page)?.[1] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "skein-page-"));
  writeFileSync(join(folder, "worker.ts"), code);
  writeFileSync(
    join(folder, "agents.ts"),
    `import { Agent, tool } from "skein";
     import { FunctionModel } from "skein/testing";
     const refund = tool({ name: "refund", approval: true, input: { type: "object" }, execute: () => "Done." });
     const model = new FunctionModel(({ messages }) =>
       messages.at(-1)?.role === "user" ? { toolCalls: [{ toolName: "refund", arguments: {} }] } : "Sent.");
     export const triage = new Agent({ name: "Triage", model, tools: [refund] });`,
  );
  const desk = { className: "Desk" };
  const platform = await startedPlatform(desk, await buildWorker(join(folder, "worker.ts")));
  rmSync(folder, { recursive: true });
  const request = { user: "ann", id: "order-7", question: "Refund order 7" };
  const paused = await platform.ask<{ readonly approvalIds: readonly string[] }>("", request);
  expect(paused).toEqual({
    status: "paused",
    text: "",
    approvalIds: [expect.stringMatching(/^[0-9a-f]{64}$/)],
  });
  await platform.kill();
  await platform.start(desk);
  expect(await platform.ask("", request)).toEqual(paused);
}, 60_000);
