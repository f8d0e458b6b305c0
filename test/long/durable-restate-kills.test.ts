/** Processes that execute runs for Restate are killed and stopped: what was acknowledged stays, nothing is done under another key. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Message } from "skein";
import type { RestateRuns } from "skein/durable/restate";
import { worker } from "../durable/agents.ts";
import { effectsOf } from "../durable/processes.ts";
import { closeApps, newApp, serve as serveHere } from "../durable/restate-apps.ts";
import { type Address, killEndpoints, openAddress, startEndpoint } from "../durable/restate-endpoints.ts";
import { type RestateServer, startRestate } from "../durable/restate-server.ts";
import { team, teamOptions } from "../durable/team.ts";
import { textOfEvents } from "../durable/text-of-events.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-restate-kills-"));
let server: RestateServer;
let address: Address;

beforeAll(async () => {
  server = await startRestate();
  address = await openAddress();
});
afterEach(async () => {
  await closeApps();
});
afterAll(async () => {
  killEndpoints();
  address.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that starts runs and decides on calls, and executes nothing itself. */
function office(restate = server): RestateRuns {
  return newApp(restate, { agents: [team(() => {})], runOptions: teamOptions });
}

let files = 0;

/** A file for effects that nothing is in yet. */
function newEffects(): string {
  return join(folder, `${(files += 1)}.effects`);
}

/** Starts a program behind the address. */
async function serve(effects: string, options: Parameters<typeof startEndpoint>[2] = {}, restate = server) {
  const endpoint = await startEndpoint(restate.ingress, effects, options);
  address.leadTo(endpoint.port);
  return endpoint.process;
}

/** Approves what a run asks for until it has ended. Returns the ids of what it asked for. */
async function decideUntilEnd(app: RestateRuns, id: string): Promise<ReadonlySet<string>> {
  const approvalIds = new Set<string>();
  for (;;) {
    const { status, pending, error } = await app.get(id).result();
    if (status === "completed") return approvalIds;
    if (status !== "paused") throw new Error(`The run is ${status}: ${JSON.stringify(error)}`);
    for (const { approvalId = "" } of pending) {
      approvalIds.add(approvalId);
      await app.get(id).decide([{ approvalId, decision: "approve" }]);
    }
  }
}

/** Expects each effect of a run under one key, all of them, and each as often as it may be at most. */
function expectOneKeyEach(effects: readonly string[], id: string, most = 2): void {
  expect(new Set(effects).size).toBe(15);
  expect(effects.filter((line) => !(line.split(" ")[1] ?? "").startsWith(`${id}/`))).toEqual([]);
  const times = Object.values(Object.groupBy(effects, (line) => line));
  expect(Math.max(...times.map((lines) => lines?.length ?? 0))).toBeLessThanOrEqual(most);
}

/** The team's work without a failure. */
async function workInPeace(): Promise<{ messages: readonly Message[]; text: string }> {
  const effects = newEffects();
  const app = office();
  const worker = await serve(effects);
  await server.register(address.url);
  await app.start("Boss", "Do it all.", { id: "whole" });
  await decideUntilEnd(app, "whole");
  expectOneKeyEach(effectsOf(effects), "whole");
  const { messages } = await app.get("whole").state();
  const text = await textOfEvents(app.get("whole").events());
  worker.kill("SIGKILL");
  return { messages, text };
}

test("killed after each write: the same history, and each effect under one key", async () => {
  const whole = await workInPeace();
  const kill = async (at: number): Promise<boolean> => {
    const id = `job-${at}`;
    const effects = newEffects();
    const app = office();
    const doomed = await serve(effects, { death: at });
    await app.start("Boss", "Do it all.", { id });
    const ending = decideUntilEnd(app, id);
    const dead = once(doomed, "exit").then(() => true);
    // It is ready before: Restate tries less often, the longer nothing is there.
    const rescuer = await startEndpoint(server.ingress, effects);
    const isKilled = await Promise.race([dead, ending.then(() => false)]);
    if (isKilled) address.leadTo(rescuer.port);
    const approvalIds = await ending;
    expect(approvalIds.size).toBe(1);
    expect((await app.get(id).state()).messages).toEqual(whole.messages);
    expect(await textOfEvents(app.get(id).events())).toBe(whole.text);
    expectOneKeyEach(effectsOf(effects), id);
    killEndpoints();
    return isKilled;
  };
  let at = 0;
  do at += 1;
  while (await kill(at));
  expect(at).toBeGreaterThan(15);
}, 900_000);

test("a process that stood still until Restate gave it up writes nothing more, and its tools' signals are aborted", async () => {
  // One that gives up soon.
  const restate = await startRestate({
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: "2s",
    RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: "2s",
  });
  const effects = newEffects();
  const app = office(restate);
  const zombie = await serve(effects, { pause: 600_000, lease: 500 }, restate);
  await restate.register(address.url);
  await app.start("Boss", "Do it all.", { id: "zombie" });
  while (effectsOf(effects).length < 8) await sleep(5);
  zombie.kill("SIGSTOP");
  await serve(effects, {}, restate);
  await decideUntilEnd(app, "zombie");
  const { messages } = await app.get("zombie").state();
  const indexes = async (): Promise<readonly number[]> => {
    const list: number[] = [];
    for await (const { index } of app.get("zombie").events()) list.push(index);
    return list;
  };
  const events = await indexes();
  zombie.kill("SIGCONT");
  while (effectsOf(`${effects}.aborted`).length < 8) await sleep(5);
  // What it might write then, it would write at once.
  await sleep(1_500);
  expect((await app.get("zombie").state()).messages).toEqual(messages);
  expect(await indexes()).toEqual(events);
  expect(new Set(events).size).toBe(events.length);
  // On a slow machine, it may have given up more.
  expectOneKeyEach(effectsOf(effects), "zombie", (await app.get("zombie").state()).attempts);
  await closeApps();
  await restate.stop();
}, 300_000);

test("a connection that is lost ends the attempt, and another one goes on in the same process", async () => {
  const reached = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  let calls = 0;
  const agent = worker(({ signal }) => {
    if ((calls += 1) > 1) return "It is done.";
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        aborted.resolve();
        reject(new Error("aborted"));
      });
      reached.resolve();
    });
  });
  const app = newApp(server, { agents: [agent] });
  address.leadTo(Number(new URL(await serveHere(await app.services())).port));
  await server.register(address.url);
  const run = await app.start(agent, "Go.");
  await reached.promise;
  address.cut();
  await aborted.promise;
  expect(await run.result()).toMatchObject({ status: "completed", text: "It is done.", attempts: 2 });
  const indexes: number[] = [];
  for await (const { index } of run.events()) indexes.push(index);
  expect(new Set(indexes).size).toBe(indexes.length);
});
