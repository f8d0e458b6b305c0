import { refusal } from "./refusal.ts";
import type { CallOutcome, LimitReached, Perform, ReadyCall, SettledCall } from "./types.ts";

/**
 * Performs calls within the limits of their run: each is counted before it is executed, or refused. A call that goes on after a pause
 * is the same call, and so are its further attempts, and one that is made again since what it returned is not kept.
 */
export function withinLimits(next: Perform): Perform {
  return (ready) => {
    const { limits, isContinued, isCounted } = ready.scope;
    const isLimited = limits?.isSet === true || ready.tool.policy.maxCalls !== undefined;
    if (!limits || !isLimited || isContinued || isCounted) return next(ready);
    const reached = limits.begin(ready);
    return reached ? refuse(ready, reached) : counted(next, ready);
  };
}

async function counted(next: Perform, ready: ReadyCall): Promise<CallOutcome> {
  let isWaiting = false;
  try {
    const outcome = await next(ready);
    isWaiting = !("result" in outcome);
    return outcome;
  } finally {
    ready.scope.limits?.end(ready, isWaiting);
  }
}

function refuse({ call, scope }: ReadyCall, { limit, most, isUnstarted }: LimitReached): SettledCall {
  const times = most === 1 ? "once" : `at most ${most} times`;
  if (limit === "maxToolCalls")
    return {
      limit,
      ...(isUnstarted && { isUnstarted }),
      result: refusal(call, `the run may call tools ${times}.`, "not-executed", scope),
    };
  const why = `a run may call it ${times}. Answer with what you have.`;
  return { limit, result: refusal(call, why, "not-executed", scope) };
}
