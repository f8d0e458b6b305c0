import { safeMessage } from "./error-message.ts";
import { isPromiseLike } from "./promise-like.ts";

/**
 * Calls a function of the program whose answer nobody needs.
 * @param onFailure - Called with what the function throws, or what its promise rejects with. Must not throw.
 */
export function notify(call: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const returned = call();
    // Not its own `then`: one that is not a promise's may throw, or call what it was not passed.
    if (isPromiseLike(returned)) Promise.resolve(returned).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}

/**
 * What a function of the program returned where only a value counts: a promise would be taken for "yes", or for equal to another.
 * @param refuse - Makes the error for a promise.
 */
export function immediate<T>(returned: T, refuse: () => Error): T {
  if (!isPromiseLike(returned)) return returned;
  // Its failure adds nothing to the error thrown here, and unhandled it would end the process.
  Promise.resolve(returned).catch(() => {});
  throw refuse();
}

/** Reports on the console what a callback failed with where no result can carry a warning. */
export function printFailure(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the last place that can report it
  console.warn(`skein: ${what} failed: ${safeMessage(error)}`);
}
