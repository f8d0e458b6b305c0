import { notify } from "../base/util/callbacks.ts";
import { safeMessage } from "../base/util/error-message.ts";
import type { ExecutionContext } from "./execution.ts";

/** Reports to a program what no caller waits for; what it throws at that is printed. */
export function reporter(onError: ExecutionContext["report"]): ExecutionContext["report"] {
  return (error, id) => {
    notify(
      () => onError(error, id),
      (failure) => printError(failure, id),
    );
  };
}

/** Prints a problem as a warning of the process. */
export function printError(error: unknown, id: string): void {
  const message = `${id === "" ? "Durable runs" : `The run "${id}"`}: ${safeMessage(error)}`;
  if (typeof globalThis.process?.emitWarning === "function")
    process.emitWarning(message, { code: "skein-durable" });
  // On an edge runtime.
  // oxlint-disable-next-line no-console -- it has no other place for warnings
  else console.warn(message);
}
