import { allAgents } from "./all-agents.ts";
import type { DueTimes } from "./due-times.ts";
import type { ExecutionContext } from "./execution.ts";
import { guarded } from "./guarded-store.ts";
import { printError, reporter } from "./report-error.ts";
import type { RunsOptions } from "./types.ts";

/**
 * What the runs of a program are executed with, as its options say.
 * @param dueTimes - Notes when runs are due that are written.
 */
export function executionContext(
  { agents, store, version, approvalTimeout, runOptions = {}, onError = printError }: RunsOptions,
  dueTimes?: DueTimes,
): ExecutionContext {
  // Made once they are needed: Workers have no random values while a module is loaded.
  let owner: string | undefined;
  let build = version;
  return {
    store: guarded(store, dueTimes && ((due) => dueTimes.note(due))),
    get owner() {
      return (owner ??= crypto.randomUUID());
    },
    get build() {
      return (build ??= crypto.randomUUID());
    },
    agents: allAgents(agents),
    // An agent that a tool's own code returns or runs is found by its name, too.
    options: { ...runOptions, agents: [...agents, ...(runOptions.agents ?? [])] },
    approvalTimeout,
    report: reporter(onError),
  };
}
