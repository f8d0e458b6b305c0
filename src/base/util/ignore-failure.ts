import { isPromiseLike } from "./promise-like.ts";

/**
 * Cleans up after a failure: what the cleanup throws is dropped, so that the error that is reported stays the one that says why.
 * @param cleanup - What it returns is awaited.
 */
export function ignoreFailure(cleanup: () => PromiseLike<unknown>): Promise<void>;
export function ignoreFailure(cleanup: () => unknown): void;
export function ignoreFailure(cleanup: () => unknown): void | Promise<void> {
  try {
    const work = cleanup();
    if (isPromiseLike(work)) return waitFor(work);
  } catch {
    // The caller throws the failure that came first.
  }
}

async function waitFor(work: PromiseLike<unknown>): Promise<void> {
  try {
    await work;
  } catch {
    // As above.
  }
}
