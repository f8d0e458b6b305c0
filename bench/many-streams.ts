/**
 * Ten thousand runs that stream over HTTP at once: `many-streams.ts NAME ADDRESS`, in a process of its own, as what earlier work left
 * behind would count. Tells its parent by how many milliseconds the event loop was late, in 99 of a hundred looks at most.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, stream } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { postByFetch, postByNode } from "./post-by-hand.ts";

const runs = 10_000;
const pieces = 5;
/** They do not begin in one moment: so many do, every 20 milliseconds. */
const atOnce = 100;

const [name = "", address = ""] = process.argv.slice(2);
const baseURL = `${address}/paced/${pieces}`;
const agent = new Agent({ name: "Bench", model: openai("gpt", { baseURL, apiKey: "key" }) });

const ways: Readonly<Record<string, () => Promise<number>>> = {
  floor: async () => wordsOf(await runByHand(baseURL, postByFetch)),
  lowFloor: async () => wordsOf(await runByHand(baseURL, postByNode)),
  stream: async () => {
    let count = 0;
    for await (const event of stream(agent, "go")) if (event.type === "text-delta") count++;
    return count;
  },
};

function wordsOf(text: string): number {
  return text.split(" word").length - 1;
}

const start = ways[name];
if (!start) throw new Error(`unknown way "${name}"`);
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const running: Promise<number>[] = [];
while (running.length < runs) {
  for (let count = 0; count < atOnce; count++) running.push(start());
  await sleep(20);
}
const counts = await Promise.all(running);
delay.disable();
const lost = runs * pieces - counts.reduce((sum, count) => sum + count, 0);
if (lost !== 0) throw new Error(`${lost} pieces of ${runs * pieces} were lost`);
process.send?.(delay.percentile(99) / 1e6);
process.disconnect();
