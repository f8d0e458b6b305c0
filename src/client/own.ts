// A page loads this entry alone: what it shared with the framework would bring a file of the framework along.

/** Whether what came as JSON has a list of that name. */
export function hasList(value: unknown, name: string): boolean {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  return Array.isArray(fields[name]);
}

/** A timer that waits for 25 days at most: platforms take what is longer for 1 ms. */
export function startTimer(callback: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(callback, Math.min(ms, 2 ** 31 - 1));
}

/** Resolves after `ms` milliseconds, 25 days at most; rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = startTimer(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    }
    signal?.addEventListener("abort", done);
  });
}
