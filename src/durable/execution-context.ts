import { safeMessage } from "../base/util/error-message.ts";
import { allAgents } from "./all-agents.ts";
import type { ExecutionContext } from "./execution.ts";
import { guarded } from "./guarded-store.ts";
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
    report: (error, id) => {
      try {
        onError(error, id);
      } catch (failure) {
        printError(failure, id);
      }
    },
  };
}

function printError(error: unknown, id: string): void {
  const message = `${id === "" ? "Durable runs" : `The run "${id}"`}: ${safeMessage(error)}`;
  if (typeof globalThis.process?.emitWarning === "function")
    process.emitWarning(message, { code: "skein-durable" });
  // On an edge runtime.
  else console.warn(message);
}
