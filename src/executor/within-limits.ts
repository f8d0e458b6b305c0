import type { CallOutcome, Perform, ReadyCall } from "./types.ts";

/**
 * Performs calls within the limits of their run: each is counted before it is executed, or refused. A call that goes on after a pause
 * is the same call, and so are its further attempts.
 */
export function withinLimits(next: Perform): Perform {
  return (ready) => {
    const { limits, isContinued } = ready.scope;
    if (!limits || isContinued) return next(ready);
    return limits.begin(ready) ?? counted(next, ready);
  };
}

async function counted(next: Perform, ready: ReadyCall): Promise<CallOutcome> {
  try {
    return await next(ready);
  } finally {
    ready.scope.limits?.end(ready);
  }
}
