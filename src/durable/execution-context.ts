import { allAgents } from "./all-agents.ts";
import type { ExecutionContext } from "./execution.ts";
import { guarded } from "./guarded-store.ts";
import { printError, reporter } from "./report-error.ts";
import type { RunsOptions } from "./types.ts";

/** What the runs of a program are executed with, as its options say. */
export function executionContext({
  agents,
  store,
  version = crypto.randomUUID(),
  approvalTimeout,
  runOptions = {},
  onError = printError,
}: RunsOptions): ExecutionContext {
  return {
    store: guarded(store),
    owner: crypto.randomUUID(),
    build: version,
    agents: allAgents(agents),
    options: runOptions,
    approvalTimeout,
    report: reporter(onError),
  };
}
