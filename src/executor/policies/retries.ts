import type { RetryPolicy } from "../../tool/policy.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { Tool } from "../../tool/types.ts";
import { waitOf } from "../../base/options/wait-of.ts";
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
  const { times = 2, delay = 200, when = mayPass } = policy;
  return (ready) => {
    const isWorthAnother = (error: unknown): boolean =>
      reportFailure("retries.when", ready, () => isYes(when, error));
    const waitAfter = (error: unknown, failures: number): number | undefined =>
      typeof delay === "number"
        ? randomWait(delay, error, failures)
        : reportFailure("retries.delay", ready, () => chosenWait(delay, error, failures));
    const execute: Tool["execute"] = (input, context) =>
      attempt(tool, { times, when: isWorthAnother, waitAfter }, input, context);
    return next({ ...ready, tool: { ...tool, execute } });
  };
};

/** When to call a tool again. */
interface Attempts {
  readonly times: number;
  readonly when: (error: unknown) => boolean;
  /** How long to wait, in milliseconds; `undefined` to give up. */
  readonly waitAfter: (error: unknown, failures: number) => number | undefined;
}

async function attempt(
  tool: Tool,
  { times, when, waitAfter }: Attempts,
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
      const wait = waitAfter(error, failures);
      if (context instanceof CallContext) context.restart();
      if (wait === undefined) throw error;
      await sleep(wait, signal);
    }
  }
}

/** A random wait below a limit that doubles with each failure, but not less than the error asks for, nor as long as nobody waits. */
function randomWait(first: number, error: unknown, failures: number): number | undefined {
  const retryAfter = retryAfterOf(error);
  if (retryAfter > longestDelay) return undefined;
  return Math.max(retryAfter, Math.random() * Math.min(first * 2 ** failures, longestDelay));
}

function chosenWait(
  delay: Extract<RetryPolicy["delay"], (...args: never) => unknown>,
  error: unknown,
  failures: number,
): number | undefined {
  const refuse = (received: string): Error =>
    new TypeError(
      `the function \`delay\` of retries must return milliseconds or undefined, not ${received}`,
      {
        cause: error,
      },
    );
  return waitOf(delay(error, failures), refuse);
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
