/** Who waits for a signal: one listener for all, because a signal looks through its listeners whenever one comes or goes. */
const waiting = new WeakMap<AbortSignal, { readonly all: Set<() => void>; readonly tellAll: () => void }>();

/**
 * Calls `tell` when the signal is aborted, but not if it was before.
 * @returns a function that ends the waiting.
 */
export function onAbort(signal: AbortSignal, tell: () => void): () => void {
  const { all, tellAll } = waiting.get(signal) ?? listenTo(signal);
  all.add(tell);
  return () => {
    if (!all.delete(tell) || all.size > 0) return;
    signal.removeEventListener("abort", tellAll);
    waiting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): { readonly all: Set<() => void>; readonly tellAll: () => void } {
  const all = new Set<() => void>();
  const tellAll = (): void => {
    for (const tell of all) tell();
  };
  signal.addEventListener("abort", tellAll, { once: true });
  const entry = { all, tellAll };
  waiting.set(signal, entry);
  return entry;
}
