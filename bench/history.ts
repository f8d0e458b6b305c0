import { Agent, run } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { medians } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

const few = 200;
const many = 400;

/**
 * How much longer a run of twice the turns takes over HTTP, where each request carries the whole history: what is repaired
 * and translated once must not be repaired and translated again. The server takes 1 ms to begin an answer.
 */
export function historyRows(): Promise<readonly Row[]> {
  return withServer(async (address) => {
    const taken = await medians({
      floorFew: byHand(address, few),
      floorMany: byHand(address, many),
      few: bySkein(address, few),
      many: bySkein(address, many),
    });
    return [
      {
        what: `history, HTTP, ${many} turns to ${few}`,
        unit: "x",
        floor: taken("floorMany") / taken("floorFew"),
        skein: taken("many") / taken("few"),
        limit: { of: "skein", most: 2.2 },
      },
      { what: `  ${many} turns: run()`, unit: "ms", floor: taken("floorMany"), skein: taken("many") },
    ];
  });
}

function byHand(address: string, turns: number): () => Promise<number> {
  return () => elapsed(() => runByHand(`${address}/calls/${turns}/1`));
}

function bySkein(address: string, turns: number): () => Promise<number> {
  const model = openai("gpt", { baseURL: `${address}/calls/${turns}/1`, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
  return () => elapsed(() => run(agent, "go", { maxTurns: turns + 1 }));
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
