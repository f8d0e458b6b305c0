import { appendFileSync } from "node:fs";
import type { Effect } from "./team.ts";

/** An effect that outlives the process: a line of a file. */
export function effectsIn(file: string): Effect {
  return (name, key) => appendFileSync(file, `${name} ${key}\n`);
}
