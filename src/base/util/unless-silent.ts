import { onAbort } from "./on-abort.ts";

/**
 * What `work` comes to. It has `milliseconds` left once the signal is aborted: what was stored is better known than not, but
 * nothing may hold what has to end.
 * @throws the error of `silent` if the work has not ended by then.
 */
export function unlessSilent<T>(
  work: Promise<T>,
  signal: AbortSignal,
  milliseconds: number,
  silent: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const startTimer = (): void => {
      timer = setTimeout(() => reject(silent()), milliseconds);
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
