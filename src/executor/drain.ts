import { isPromiseLike } from "../base/util/promise-like.ts";
import { TimeSlice } from "../base/util/time-slice.ts";

/** Where the yields of a generator go, until the call is over. */
export interface ProgressListener {
  readonly signal: AbortSignal;
  readonly progress: (value: unknown) => void;
}

/**
 * Reads a generator to its end: what it yields is progress, what it returns is the value, or else what it yielded last.
 * Once the call is over its `return` is called, so that its `finally` blocks run. One that never truly waits cannot keep
 * timers and signals from their turn.
 */
export async function drain(
  generator: Generator | AsyncGenerator,
  { signal, progress }: ProgressListener,
): Promise<unknown> {
  if (signal.aborted) return undefined;
  const stop = (): void => void close(generator);
  signal.addEventListener("abort", stop);
  let last: unknown;
  const slice = new TimeSlice();
  for (;;) {
    const { done, value: yielded } = await generator.next();
    const value: unknown = isPromiseLike(yielded) ? await yielded : yielded;
    if (signal.aborted) return close(generator);
    if (done) {
      signal.removeEventListener("abort", stop);
      return value === undefined ? last : value;
    }
    progress(value);
    last = value;
    const pause = slice.next();
    if (pause) await pause;
  }
}

/** The call is over, so what the generator returns or throws does not matter. */
async function close(generator: Generator | AsyncGenerator): Promise<void> {
  try {
    await generator.return(undefined);
  } catch {
    return;
  }
}
