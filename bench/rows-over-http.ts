import { medians, type Medians } from "./measure.ts";
import type { Row } from "./table.ts";
import type { Ways } from "./ways-to-run.ts";

/** What was measured of each way to make the same run. */
export type WayFigures = Medians<keyof Ways<unknown>>;

/** Measures each way in turn. */
export function sampleWays(measure: (name: keyof Ways<unknown>) => Promise<number>): Promise<WayFigures> {
  return medians({
    floor: () => measure("floor"),
    lowFloor: () => measure("lowFloor"),
    run: () => measure("run"),
    stream: () => measure("stream"),
  });
}

/** The row that a limit binds, of `stream()` with every event read, and that of `run()` below it. */
export function rowsOverHttp(
  what: string,
  unit: Row["unit"],
  figures: WayFigures,
  limit?: Row["limit"],
): readonly Row[] {
  const row = (name: "run" | "stream"): Omit<Row, "what"> => ({
    unit,
    floor: figures("floor"),
    lowFloor: figures("lowFloor"),
    skein: figures(name),
    quartiles: figures.quartiles(name, "floor"),
  });
  return [
    { what: `${what}: stream(), every event read`, ...row("stream"), ...(limit && { limit }) },
    { what: "  run()", ...row("run") },
  ];
}
