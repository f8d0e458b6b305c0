import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { handOverByHand } from "./chat-by-hand.ts";
import { drain, processorTime, wallTime } from "./measure.ts";
import { postByFetch, postByNode } from "./post-by-hand.ts";
import { rowsOverHttp, sampleWays, type WayFigures } from "./rows-over-http.ts";
import type { Row } from "./table.ts";
import { waysToRun, type Ways } from "./ways-to-run.ts";
import { withServer } from "./with-server.ts";

/** How many turns a sample has at least. */
const turnsOfSample = 400;

/** What runs of several turns cost over HTTP, against a server on this machine. */
export function httpRows(): Promise<readonly Row[]> {
  return withServer(async (address) => {
    const rows: Row[] = [];
    for (const turns of [10, 50, 200]) {
      const figures = await turnTimes(waysToRun(`${address}/whole/${turns}`, turns), turns);
      rows.push(...rowsOverHttp(`HTTP, a turn of ${turns}`, "ms", figures, { of: "ratio", most: 0.8 }));
    }
    for (const turns of [10, 50]) {
      const figures = await turnTimes(waysToRun(`${address}/spoken/${turns}`, turns), turns);
      const what = `HTTP, spoken answers, a turn of ${turns}`;
      rows.push(...rowsOverHttp(what, "ms", figures, { of: "ratio", most: 0.9 }));
    }
    const figures = await turnTimes(waysToHandOver(`${address}/handovers/50`), 50);
    rows.push(...rowsOverHttp("HTTP, 50 handoffs, each", "ms", figures, { of: "ratio", most: 1 }));
    return [...rows, ...(await waitingRows(address))];
  });
}

/** For information: the time that passes where the server takes a millisecond to begin each answer. */
async function waitingRows(address: string): Promise<readonly Row[]> {
  const ways = waysToRun(`${address}/calls/10/1`, 10);
  const figures = await sampleWays((name) => wallTime(ways[name], 20));
  return rowsOverHttp("HTTP, 10 turns, 1 ms to each answer, time passed", "ms", figures);
}

/** Milliseconds of processor time a turn. */
function turnTimes(ways: Ways<() => Promise<unknown>>, turns: number): Promise<WayFigures> {
  const times = Math.ceil(turnsOfSample / turns);
  return sampleWays(async (name) => (await processorTime(ways[name], times)) / turns);
}

/** A run in which two agents hand over to each other. */
function waysToHandOver(baseURL: string): Ways<() => Promise<unknown>> {
  const model = openai("gpt", { baseURL, apiKey: "key" });
  const one: Agent = new Agent({ name: "one", instructions: "You are one.", model, handoffs: () => [two] });
  const two = new Agent({ name: "two", instructions: "You are two.", model, handoffs: [one] });
  const options = { maxTurns: 51 };
  return {
    floor: () => handOverByHand(baseURL, postByFetch),
    lowFloor: () => handOverByHand(baseURL, postByNode),
    run: () => run(one, "go", options),
    stream: () => drain(stream(one, "go", options)),
  };
}
