/** The longest time that a timer of the platform can wait, in milliseconds: it takes what is longer for 1. */
const longestTimer = 2_147_483_647;

/**
 * Calls a function once after any number of milliseconds, however many; never after `Infinity`.
 * @returns what ends that.
 */
export function startTimer(callback: () => void, ms: number): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  let rest = ms;
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    const step = Math.min(rest, longestTimer);
    rest -= step;
    timer = setTimeout(rest > 0 ? wait : callback, step);
  };
  wait();
  return () => clearTimeout(timer);
}
