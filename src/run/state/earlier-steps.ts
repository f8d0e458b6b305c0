import type { ActiveRun } from "./active-run.ts";
import { outermost } from "./may-have-begun.ts";

/**
 * The first step with a key that is looked for, among those that the open calls of a run have come to before: in the state that it
 * resumes, or, where a process died, in what its session has.
 */
export function findEarlierStep(
  { config }: ActiveRun,
  isWanted: (key: string) => boolean,
): string | undefined {
  for (const steps of [config.decided?.steps, outermost(config).record?.steps])
    for (const key of steps?.keys() ?? []) if (isWanted(key)) return key;
  return undefined;
}
