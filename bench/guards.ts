import { setTimeout as sleep } from "node:timers/promises";
import { Agent, run, type RunOptions } from "skein";
import { guard } from "skein/guards";
import { instantModel } from "./instant-model.ts";
import { medians, type Sample, wallTime } from "./measure.ts";
import type { Row } from "./table.ts";

/** How long the model takes, and the check, in milliseconds. */
const pause = 30;

const agent = new Agent({ name: "Bench", model: instantModel(0, () => sleep(pause)) });
const check = (): Promise<undefined> => sleep(pause, undefined);

/** How much later the answer to an input comes that a guard judges, beside the model and before it; by hand: without a guard. */
export async function guardRows(): Promise<readonly Row[]> {
  const median = await medians({
    without: answering({}),
    beside: answering({ middleware: [guard({ input: check }, { parallel: true })] }),
    before: answering({ middleware: [guard({ input: check })] }),
  });
  return [
    {
      what: `guards: a check of ${pause} ms beside a model of ${pause} ms`,
      unit: "ms",
      floor: median("without"),
      skein: median("beside"),
      limit: { of: "difference", most: 3 },
    },
    { what: "  the same check before it", unit: "ms", floor: median("without"), skein: median("before") },
  ];
}

function answering(options: RunOptions): Sample {
  return () => wallTime(() => run(agent, "go", options), 10);
}
