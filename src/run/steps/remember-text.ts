import { sameJson } from "../../base/util/same-json.ts";
import type { StepKey } from "../../message/step-key.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { StoredCounts } from "../state/call-limits.ts";
import { outermost } from "../state/may-have-begun.ts";
import { rememberStep } from "./middleware-chain.ts";
import type { StoredText } from "./stored-counts.ts";

/** What came of a step of a tool or an agent before, where something remembers it, or else what `perform` returns. */
export async function rememberText(
  run: ActiveRun,
  key: StepKey,
  perform: () => Promise<string>,
): Promise<string> {
  const { limits } = run.config;
  const stored = await rememberStep<StoredText>(run, key, async () => {
    const before = limits.counts;
    const text = await perform();
    const { counts } = limits;
    return counts && !sameJson(before, counts) ? { text, counts } : text;
  });
  if (typeof stored === "string") return stored;
  restoreCounts(run, stored.counts);
  return stored.text;
}

/** Counts the calls that were counted when a step was remembered: the run does not make them again. */
export function restoreCounts({ config }: ActiveRun, counts: StoredCounts | undefined): void {
  // Also in a run within: its calls count for the outermost one, whose limit begins again.
  if (counts) config.limits.restore(counts, outermost(config).resumed !== undefined);
}
