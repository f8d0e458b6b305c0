import { Agent, run, stream } from "skein";
import { ScriptedModel } from "skein/testing";
import { instantModel } from "./instant-model.ts";
import { loopByHand } from "./loop-by-hand.ts";
import { drain, medians, processorTime, type Sample } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";

const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });

/** What the loop costs a turn, with one tool call in each, in runs of different lengths. */
export async function loopRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const turns of [10, 50, 200]) rows.push(...(await rowsOf(turns)));
  return [...rows, await growthRow()];
}

async function rowsOf(turns: number): Promise<readonly Row[]> {
  const model = instantModel(turns);
  const options = { model, maxTurns: turns + 1 };
  const taken = await medians({
    floor: perTurn(turns, () => loopByHand(model)),
    run: perTurn(turns, () => run(agent, "go", options)),
    stream: perTurn(turns, () => drain(stream(agent, "go", options))),
    scripted: perTurn(turns, () => run(agent, "go", { ...options, model: scriptedModel(turns) })),
  });
  const row = (what: string, skein: number): Row => ({ what, unit: "us", floor: taken("floor"), skein });
  return [
    { ...row(`loop, a turn of ${turns}: run()`, taken("run")), limit: { of: "skein", most: 15 } },
    row("  stream(), every event read", taken("stream")),
    row("  run() with ScriptedModel", taken("scripted")),
  ];
}

/** A turn of a long run costs what a turn of a short one does. */
async function growthRow(): Promise<Row> {
  const [short, long] = [50, 400];
  const [few, many] = [instantModel(short), instantModel(long)];
  const taken = await medians({
    floorFew: perTurn(short, () => loopByHand(few)),
    floorMany: perTurn(long, () => loopByHand(many)),
    few: perTurn(short, () => run(agent, "go", { model: few, maxTurns: short + 1 })),
    many: perTurn(long, () => run(agent, "go", { model: many, maxTurns: long + 1 })),
  });
  return {
    what: `loop, growth: a turn of ${long} to one of ${short}`,
    unit: "x",
    floor: taken("floorMany") / taken("floorFew"),
    skein: taken("many") / taken("few"),
    limit: { of: "skein", most: 1.25 },
  };
}

/** Microseconds a turn. */
function perTurn(turns: number, work: () => Promise<unknown>): Sample {
  return async () => ((await processorTime(work, Math.ceil(10_000 / turns))) / turns) * 1000;
}

function scriptedModel(turns: number): ScriptedModel {
  const call = { toolName: "shout", arguments: { text: "hello" } };
  return new ScriptedModel([...Array.from({ length: turns }, () => ({ toolCalls: [call] })), "done"]);
}
