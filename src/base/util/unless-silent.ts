import { onAbort } from "./on-abort.ts";

/** How long a store may take to answer once nobody can wait any longer, in seconds. */
export const longestSilence = 5;

/**
 * What `work` comes to. It has some seconds left once the signal is aborted: what was stored is better known than not, but
 * nothing may hold what has to end.
 * @throws the error of `silent` if the work has not ended by then.
 */
export function unlessSilent<T>(work: Promise<T>, signal: AbortSignal, silent: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startTimer = (): void => {
      timer = setTimeout(() => reject(silent()), longestSilence * 1_000);
    };
    const stop = onAbort(signal, startTimer);
    if (signal.aborted) startTimer();
    // What a program brings may return nothing at once.
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => {
        stop();
        clearTimeout(timer);
      });
  });
}
