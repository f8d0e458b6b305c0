import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Agent, run, stream, tool } from "skein";
import { openai } from "skein/openai";
import { functionTool, runByHand } from "./chat-by-hand.ts";
import { instantModel } from "./instant-model.ts";
import { loopByHand } from "./loop-by-hand.ts";
import { drain, medians, processorTime } from "./measure.ts";
import { postByFetch, postByNode } from "./post-by-hand.ts";
import { rowsOverHttp, sampleWays } from "./rows-over-http.ts";
import { shoutSchema, shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

/** What grows: the runs at once, the turns of a run, the tools of an agent. */
export function scaleRows(): Promise<readonly Row[]> {
  return withServer(async (address) => [
    ...(await crowdedRows(address)),
    ...(await longRows()),
    ...(await manyToolsRows(address)),
  ]);
}

const manyStreams = fileURLToPath(new URL("many-streams.ts", import.meta.url));

/** A run that loses a piece ends the process, and the bench with it. */
async function crowdedRows(address: string): Promise<readonly Row[]> {
  const measure = async (name: string): Promise<number> => {
    const child = fork(manyStreams, [name, address]);
    const [figure] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => {
        throw new Error(`many-streams.ts ended with ${String(code)}`);
      }),
    ]);
    return Number(figure);
  };
  // Each takes ten seconds: once is enough for what is a percentile itself.
  const [byFetch, byNode, skein] = [
    await measure("floor"),
    await measure("lowFloor"),
    await measure("stream"),
  ];
  const what = "10,000 streams at once, none lost: event loop's delay, p99";
  return [
    { what, unit: "ms", floor: byNode, skein, limit: { of: "difference", most: 100 } },
    { what: "  by hand with fetch", unit: "ms", skein: byFetch },
  ];
}

const long = 2000;
const short = 200;

/** A turn of a run of 2,000 to one of 200, in the process itself, and the memory that is held at the end. */
async function longRows(): Promise<readonly Row[]> {
  const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });
  const bySkein = (turns: number): Promise<unknown> =>
    run(agent, "go", { model: instantModel(turns), maxTurns: turns + 1 });
  const perTurn = (turns: number, work: () => Promise<unknown>) => async (): Promise<number> =>
    (await processorTime(work, Math.ceil(6000 / turns))) / turns;
  const medianOf = await medians({
    floorShort: perTurn(short, () => loopByHand(instantModel(short))),
    floorLong: perTurn(long, () => loopByHand(instantModel(long))),
    short: perTurn(short, () => bySkein(short)),
    long: perTurn(long, () => bySkein(long)),
    half: () => heapOf(() => bySkein(long / 2)),
    whole: () => heapOf(() => bySkein(long)),
  });
  return [
    {
      what: `a turn of ${long} to one of ${short}`,
      unit: "x",
      floor: medianOf("floorLong") / medianOf("floorShort"),
      skein: medianOf("long") / medianOf("short"),
      limit: { of: "skein", most: 1.25 },
    },
    {
      what: `  heap of a result of ${long} turns to one of ${long / 2}`,
      unit: "x",
      skein: medianOf("whole") / medianOf("half"),
      limit: { of: "skein", most: 2.2 },
    },
  ];
}

/** Kilobytes that the results of a few runs hold, each. */
async function heapOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const results = [await work(), await work(), await work()];
  globalThis.gc?.();
  return (process.memoryUsage().heapUsed - before) / results.length / 1000;
}

const turns = 20;
const description =
  "One of very many tools, which does something with a text that it is given, and returns what came of it.";

/** Two thousand tools in each request of a run. */
async function manyToolsRows(address: string): Promise<readonly Row[]> {
  const names = Array.from({ length: 2000 }, (_, index) => `tool_${index}`);
  const byHand = names.map((name) => functionTool(name, description, shoutSchema));
  const tools = names.map((name) => tool({ name, description, input: shoutSchema, execute: () => "" }));
  const baseURL = `${address}/whole/${turns}`;
  const agent = new Agent({
    name: "Bench",
    instructions: "Shout.",
    model: openai("gpt", { baseURL, apiKey: "key" }),
    tools: [shoutTool, ...tools],
  });
  const options = { maxTurns: turns + 1 };
  const ways = {
    floor: () => runByHand(baseURL, postByFetch, byHand),
    lowFloor: () => runByHand(baseURL, postByNode, byHand),
    run: () => run(agent, "go", options),
    stream: () => drain(stream(agent, "go", options)),
  };
  const figures = await sampleWays(async (name) => (await processorTime(ways[name], 3)) / turns);
  return rowsOverHttp("2,000 tools, a turn of 20", "ms", figures, { of: "ratio", most: 1 });
}
