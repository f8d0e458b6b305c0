import type { RetryPolicy } from "../../tool/policy.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { Tool } from "../../tool/types.ts";
import { immediate } from "../../base/util/callbacks.ts";
import { plainCopy } from "../../base/util/plain-copy.ts";
import { sleep } from "../../base/util/sleep.ts";
import { CallContext } from "../call-context.ts";
import { pendingWork } from "../perform-tool.ts";
import type { Policy } from "../types.ts";
import { reportFailure } from "./reported-failure.ts";

/** The longest wait between two attempts, in milliseconds. */
const longestDelay = 30_000;

/**
 * Calls the tool again after errors that may pass. All attempts are one call: they share deadline, signal and idempotency
 * key. A generator is started over, even if it has reported progress: that is for people to watch, the result alone counts.
 */
export const retries: Policy = (next, tool) => {
  const { retries: option = 0 } = tool.policy;
  const policy = typeof option === "object" ? option : { times: option };
  const { when = mayPass } = policy;
  return (ready) => {
    const isWorthAnother = (error: unknown): boolean =>
      reportFailure("retries.when", ready, () => isYes(when, error));
    const execute: Tool["execute"] = (input, context) =>
      attempt(tool, { ...policy, when: isWorthAnother }, input, context);
    return next({ ...ready, tool: { ...tool, execute } });
  };
};

async function attempt(
  tool: Tool,
  { times = 2, delay = 200, when }: RetryPolicy & Required<Pick<RetryPolicy, "when">>,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const { signal } = context;
  for (let failures = 0; ; failures++) {
    try {
      // A tool may change its arguments: that is its own business, and not the next attempt's.
      const returned: unknown = tool.execute?.(failures < times ? plainCopy(input) : input, context);
      return await (pendingWork(returned, context) ?? returned);
    } catch (error) {
      // Only a person can end the wait.
      if (context instanceof CallContext && context.work?.isPaused) throw error;
      if (failures >= times || signal.aborted || !when(error)) throw error;
      if (context instanceof CallContext) context.restart();
      const retryAfter = retryAfterOf(error);
      if (retryAfter > longestDelay) throw error;
      await sleep(
        Math.max(retryAfter, Math.random() * Math.min(delay * 2 ** failures, longestDelay)),
        signal,
      );
    }
  }
}

function isYes(when: NonNullable<RetryPolicy["when"]>, error: unknown): boolean {
  const refuse = (): Error =>
    new TypeError("the function `when` of retries must return true or false, not a promise", {
      cause: error,
    });
  return immediate(when(error), refuse);
}

/** How long an error asks to wait, in milliseconds. */
function retryAfterOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("retryAfter" in error)) return 0;
  // NaN, of which every comparison is false, asks for nothing.
  return typeof error.retryAfter === "number" ? error.retryAfter || 0 : 0;
}

function mayPass(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return (
    ("isTransient" in error && error.isTransient === true) ||
    ("isRetryable" in error && error.isRetryable === true)
  );
}
