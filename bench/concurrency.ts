import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, stream, type Model, type ModelEvent } from "skein";
import { instantModel } from "./instant-model.ts";
import { loopByHand } from "./loop-by-hand.ts";
import { drain, heapInFlight, medians } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";

const runs = 5000;
const turns = 2;
/** Pieces of text in each answer, and the milliseconds between them: a quick model's pace. */
const pieces = 10;
const pause = 20;

const agent = new Agent({ name: "Bench", instructions: "Shout.", tools: [shoutTool] });

/** Thousands of streaming runs in one process: how long the event loop is held up, and how much heap a run takes. */
export async function concurrencyRows(): Promise<readonly Row[]> {
  const taken = await medians({
    floor: () => delayOf(loopByHand),
    delay: () => delayOf((model) => drain(stream(agent, "go", { model }))),
    floorHeap: () => heapOf(loopByHand),
    heap: () => heapOf((model) => drain(stream(agent, "go", { model }))),
  });
  return [
    {
      what: `${runs} streams at once: event loop's delay, p99`,
      unit: "ms",
      floor: taken("floor"),
      skein: taken("delay"),
      limit: { of: "difference", most: 200 },
    },
    {
      what: `  heap a run`,
      unit: "KB",
      floor: taken("floorHeap"),
      skein: taken("heap"),
      limit: { of: "skein", most: 25 },
    },
  ];
}

/** Milliseconds that the event loop was late, in 99 of a hundred looks at most, while all runs stream. */
async function delayOf(start: (model: Model) => Promise<unknown>): Promise<number> {
  const model = pacedModel(() => sleep(pause));
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  await Promise.all(Array.from({ length: runs }, () => start(model)));
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** Kilobytes a run, when all of them are in the middle of their last answer. */
function heapOf(start: (model: Model) => Promise<unknown>): Promise<number> {
  return heapInFlight(runs, (hold) => {
    const model = pacedModel((turn, piece) =>
      turn === turns && piece === pieces / 2 ? hold() : Promise.resolve(),
    );
    return () => start(model);
  });
}

/** The leanest model, which says something first, piece by piece. */
function pacedModel(wait: (turn: number, piece: number) => Promise<unknown>): Model {
  const lean = instantModel(turns);
  return {
    ...lean,
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      const turn = (request.messages.length - 1) / 2;
      for (let piece = 0; piece < pieces; piece++) {
        await wait(turn, piece);
        yield { type: "text-delta", text: " word" };
      }
      yield* lean.stream(request);
    },
  };
}
