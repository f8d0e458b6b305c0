import type { ChildProcess } from "node:child_process";
import { systemCode } from "../../base/util/system-code.ts";
import { startTimer } from "../../base/util/timer.ts";

/** Ends a box. */
export interface Killer {
  /** To be called with the first process, once there is one. */
  readonly start: (pid: number) => void;
  readonly kill: () => void;
  /** To be called once the box is gone. */
  readonly stop: () => void;
}

/** How long bubblewrap may take until there is a first process, in milliseconds, where that is to be killed. */
const longestStart = 2_000;

/**
 * Ends a box by its first process, with which the kernel ends all others. bubblewrap alone would leave it behind if it died before the
 * two know each other, so a kill that comes earlier waits for that.
 */
export function killerOf(child: ChildProcess): Killer {
  let first: number | undefined;
  let isKilled = false;
  let stop = (): void => {};
  const killFirst = (pid: number): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (systemCode(error) !== "ESRCH") throw error;
    }
  };
  return {
    start: (pid) => {
      first = pid;
      if (isKilled) killFirst(pid);
    },
    kill: () => {
      if (first !== undefined) killFirst(first);
      else if (!isKilled) stop = startTimer(() => child.kill("SIGKILL"), longestStart);
      isKilled = true;
    },
    stop: () => stop(),
  };
}
