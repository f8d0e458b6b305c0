/**
 * Starts a thousand runs over HTTP, and tells its parent how many kilobytes of memory each takes while all of them are in the
 * middle of their last answer: `waiting-runs.ts NAME ADDRESS`, in a process of its own, as what earlier work left behind would count.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { waysToRun } from "./ways-to-run.ts";

const runs = 1000;
const [name = "", address = ""] = process.argv.slice(2);
if (name !== "floor" && name !== "lowFloor" && name !== "run" && name !== "stream")
  throw new Error(`unknown way "${name}"`);

// What all runs share is loaded and compiled by others before them.
const warmUp = waysToRun(`${address}/whole/2`, 2)[name];
for (let count = 0; count < 20; count++) await Promise.all(Array.from({ length: 20 }, () => warmUp()));

const start = waysToRun(`${address}/held/2`, 2)[name];
const before = await memoryUsed();
const started = Array.from({ length: runs }, () => start());
while ((await told("waiting")) !== String(runs)) await sleep(20);
const after = await memoryUsed();
await told("release");
await Promise.all(started);
process.send?.((after - before) / runs / 1000);
process.disconnect();

/** Asked with `fetch` by all alike. */
async function told(what: string): Promise<string> {
  const response = await fetch(`${address}/${what}`, { method: "POST" });
  return response.text();
}

/** Resident bytes, after what is left over has been collected. */
async function memoryUsed(): Promise<number> {
  for (let count = 0; count < 4; count++) {
    globalThis.gc?.();
    await sleep(50);
  }
  return process.memoryUsage.rss();
}
