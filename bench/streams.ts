import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { drain, medians, computingTime } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

/** Long answers in many pieces, at one, two and four times the size. */
export function streamRows(): Promise<readonly Row[]> {
  return withServer(async (address) => [
    ...(await rowsOf("chunks of text", `${address}/text`, 20_000)),
    ...(await rowsOf("fragments of an argument", `${address}/argument`, 5_000)),
  ]);
}

async function rowsOf(what: string, address: string, pieces: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of [pieces, 2 * pieces, 4 * pieces]) {
    const taken = await sample(`${address}/${size}`);
    const row = (what: string, skein: number): Row => ({ what, unit: "ms", floor: taken("floor"), skein });
    rows.push(
      { ...row(`${size} ${what}: run()`, taken("run")), limit: { of: "ratio", most: 1.5 } },
      row("  stream(), every event read", taken("stream")),
    );
  }
  const [single, , , , fourfold] = rows;
  if (single && fourfold) rows.push(growthRow(what, single, fourfold));
  return rows;
}

function growthRow(what: string, single: Row, fourfold: Row): Row {
  const skein = fourfold.skein / single.skein;
  const floor = (fourfold.floor ?? Number.NaN) / (single.floor ?? Number.NaN);
  return {
    what: `growth: four times the ${what}`,
    unit: "x",
    floor,
    skein,
    limit: { of: "ratio", most: 1.25 },
  };
}

function sample(baseURL: string): Promise<(name: "floor" | "run" | "stream") => number> {
  const model = openai("gpt", { baseURL, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
  return medians({
    floor: () => computingTime(() => runByHand(baseURL), 3),
    run: () => computingTime(() => run(agent, "go"), 3),
    stream: () => computingTime(() => drain(stream(agent, "go")), 3),
  });
}
