/** Who waits for a signal: one listener for all, because a signal looks through its listeners whenever one comes or goes. */
const waiting = new WeakMap<AbortSignal, { readonly all: Set<() => void>; readonly callAll: () => void }>();

/**
 * Calls `listener` when the signal is aborted, but not if it was before.
 * @returns a function that ends the waiting.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const { all, callAll } = waiting.get(signal) ?? listenTo(signal);
  all.add(listener);
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    signal.removeEventListener("abort", callAll);
    waiting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): { readonly all: Set<() => void>; readonly callAll: () => void } {
  const all = new Set<() => void>();
  const callAll = (): void => {
    for (const call of all) call();
  };
  signal.addEventListener("abort", callAll, { once: true });
  const entry = { all, callAll };
  waiting.set(signal, entry);
  return entry;
}
