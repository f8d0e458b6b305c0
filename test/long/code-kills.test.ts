/** Processes that run programs of models are killed: others go on with the programs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type RunHandle, type Runs, runs, sqliteStore } from "skein/durable";
import { accountant } from "../code/accountant.ts";
import type { Job } from "../code/program-process.ts";
import { type Program, programs } from "../code/programs.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-code-kills-"));
const children = new Set<ChildProcess>();
const open: Runs[] = [];

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(open.splice(0).map((each) => each.close({ drain: 0 })));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process that works on these jobs, and waits until it works. It kills itself within its n-th call. */
async function startWorker(jobs: readonly Job[], killAt = 0): Promise<ChildProcess> {
  const args = [
    "--import",
    join(import.meta.dirname, "../from-source.ts"),
    join(import.meta.dirname, "../code/program-process.ts"),
    JSON.stringify(jobs),
    String(killAt),
  ];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return child;
}

/** A run in a store of its own, which this process starts and decides on, and does not work on. */
interface Case {
  readonly job: Job;
  readonly handle: RunHandle;
}

let count = 0;

async function newCase({ code }: Program): Promise<Case> {
  const id = `job-${(count += 1)}`;
  const name = join(folder, id);
  const job = { store: `${name}.db`, effects: `${name}.effects`, code };
  const agents = [accountant(code, { add: () => {}, list: () => [] })];
  const app = runs({ agents, store: sqliteStore(job.store) });
  open.push(app);
  return { job, handle: await app.start("Accountant", "Do it.", { id }) };
}

/** Approves what the run asks for. */
async function approveAll(handle: RunHandle): Promise<void> {
  const { pending } = await handle.state();
  await handle.decide(pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" as const })));
}

async function approveUntilEnd(handle: RunHandle): Promise<void> {
  while ((await handle.result({ timeout: 120_000 })).status === "paused") await approveAll(handle);
}

async function valueOf(handle: RunHandle): Promise<unknown> {
  const { messages } = await handle.state();
  const last = messages.find(({ role }) => role === "tool");
  return last?.role === "tool" ? last.result.structuredContent : undefined;
}

function effectsOf({ effects }: Job): readonly string[] {
  return existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n") : [];
}

/** How often each call was begun, by its key. */
function timesOf(job: Job): readonly number[] {
  return [...Map.groupBy(effectsOf(job), (line) => line).values()].map(({ length }) => length);
}

describe.each(Object.entries(programs))("%s", (_, program) => {
  test("killed within each call: finished calls are not made again, the one under way has the same key", async () => {
    const kill = async (killAt: number): Promise<Case> => {
      const each = await newCase(program);
      const ending = approveUntilEnd(each.handle);
      const doomed = await startWorker([each.job], killAt);
      if (doomed.exitCode === null && doomed.signalCode === null) await once(doomed, "exit");
      expect([doomed.signalCode, effectsOf(each.job).length]).toEqual(["SIGKILL", killAt]);
      ended.push(ending);
      return each;
    };
    const ended: Promise<void>[] = [];
    const cases: Case[] = [];
    for (let at = 1; at <= program.calls; at++) cases.push(await kill(at));
    await startWorker(cases.map(({ job }) => job));
    await Promise.all(ended);
    for (const [index, { job, handle }] of cases.entries()) {
      expect(await valueOf(handle)).toEqual(program.value);
      const times = timesOf(job);
      expect(times).toHaveLength(program.calls);
      // Of calls that are made at once, those that were not written down when the process died are made again, too.
      expect(times[index]).toBe(2);
      expect(Math.max(...times)).toBe(2);
    }
  }, 120_000);
});

test.each(Object.entries(programs).filter(([, { pauses }]) => pauses > 0))(
  "%s: killed at each pause, another process goes on once it is decided",
  async (_, program) => {
    const { job, handle } = await newCase(program);
    let pauses = 0;
    for (;;) {
      const worker = await startWorker([job]);
      const { status } = await handle.result({ timeout: 60_000 });
      worker.kill("SIGKILL");
      await once(worker, "exit");
      if (status !== "paused") break;
      pauses += 1;
      await approveAll(handle);
    }
    expect(pauses).toBe(program.pauses);
    expect(await valueOf(handle)).toEqual(program.value);
    expect(timesOf(job)).toEqual(Array(program.calls).fill(1));
  },
  120_000,
);
