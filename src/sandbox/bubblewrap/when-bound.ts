import { readFileSync } from "node:fs";

/** How often a box is looked at while it starts, in milliseconds. */
const interval = 1;

/**
 * Waits until the first process of a box ends with bubblewrap. It binds itself shortly before it gets its filter of system calls, and
 * bubblewrap bound itself to this process before it named the first one. If this process dies earlier, nobody starts the program.
 * @returns what ends the waiting.
 */
export function whenBound(pid: number, then: () => void): () => void {
  const own = filtersOf("self") ?? 0;
  const timer = setInterval(() => {
    const filters = filtersOf(pid);
    if (filters !== undefined && filters <= own) return;
    clearInterval(timer);
    then();
  }, interval);
  return () => clearInterval(timer);
}

/** How many filters of system calls a process has; `undefined` once it is gone, and on kernels that do not say. */
function filtersOf(process: number | "self"): number | undefined {
  try {
    const count = /^Seccomp_filters:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, "utf8"))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
