import { unref } from "../../base/util/unref.ts";
import type { Semaphore } from "../../base/util/semaphore.ts";
import type { CallOutcome, CallStart, Perform, ReadyCall } from "../types.ts";

/**
 * Performs a call in a place of a semaphore. A call that was cancelled has its result at once, and its place until its tool is done,
 * or its deadline is over: what the tool does until then is not to happen beside the next call.
 */
export function inPlace(semaphore: Semaphore, next: Perform, ready: ReadyCall): Promise<CallOutcome> {
  const { signal } = ready.scope;
  return semaphore.run(
    () => next(ready),
    signal,
    () => (signal?.aborted && ready.start?.work ? endOf(ready.start.work) : undefined),
  );
}

/** The longest delay of a timer, in milliseconds. */
const longestTimer = 0x7fffffff;

function endOf({ done, deadline }: NonNullable<CallStart["work"]>): Promise<void> | undefined {
  const left = Math.min(deadline - performance.now(), longestTimer);
  if (left <= 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, left);
    // A program that ends does not wait for it.
    unref(timer);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    done.then(finish, finish);
  });
}
