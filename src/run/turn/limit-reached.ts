import type { ActiveRun } from "../state/active-run.ts";
import { stop, type Next } from "../state/outcome.ts";

/** The limit of model calls without `maxTurns`. */
export const defaultMaxTurns = 20;

/** The end of a run that may not call its model once more; `undefined` if it may. */
export function limitReached({ config, furtherParts, meters }: ActiveRun): Next | undefined {
  // A run within another is one run to its caller, however often it paused.
  const turns = config.parent ? meters.turn : meters.turns + (config.durable?.turns ?? 0);
  if (turns + furtherParts >= (config.options.maxTurns ?? defaultMaxTurns))
    return stop({ status: "max-turns" });
  if (config.limits.isReached) return stop({ status: "max-tool-calls" });
  return config.budget?.isSpent() ? stop({ status: "budget" }) : undefined;
}
