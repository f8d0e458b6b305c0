import { Agent, run, type Model } from "skein";
import { instantModel } from "./instant-model.ts";
import { loopByHand } from "./loop-by-hand.ts";
import { heapInFlight, medians } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";

const runs = 1000;

/** The heap that a run takes while it waits for the model in its third turn, its messages included. */
export async function memoryRows(): Promise<readonly Row[]> {
  const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });
  const taken = await medians({
    floor: () => heapOf(loopByHand),
    run: () => heapOf((model) => run(agent, "go", { model })),
  });
  return [
    {
      what: `heap a run, ${runs} runs of 3 turns at once`,
      unit: "KB",
      floor: taken("floor"),
      skein: taken("run"),
      limit: { of: "skein", most: 25 },
    },
  ];
}

/** Kilobytes a run, when all of them wait in their last turn. */
function heapOf(start: (model: Model) => Promise<unknown>): Promise<number> {
  return heapInFlight(runs, (hold) => {
    const model = instantModel(2, async (turn) => {
      await new Promise(setImmediate);
      if (turn === 2) await hold();
    });
    return () => start(model);
  });
}
