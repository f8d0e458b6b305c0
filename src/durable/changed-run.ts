import type { NewRun, RunChange } from "./store.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";

// What becomes of a run in stores that keep runs as objects.

/** When a run is due that may be claimed at once: also by a clock that was set back since. */
export const dueAtOnce = 0;

/** A run that has just been added. */
export function addedRun({ id, log, agent, priority, at, data }: NewRun, now: number): StoredRun {
  return {
    id,
    log,
    agent,
    status: "queued",
    priority,
    due: at ?? dueAtOnce,
    owner: undefined,
    build: undefined,
    revision: 1,
    attempts: 0,
    createdAt: now,
    updatedAt: now,
    progress: { next: 0 },
    data,
  };
}

/** A run that an owner has claimed. */
export function claimedRun<T extends StoredRun>(
  run: T,
  { owner, build, due }: { readonly owner: string; readonly build: string; readonly due: number | undefined },
  now: number,
): T {
  const { attempts, revision } = run;
  return {
    ...run,
    status: "running",
    due,
    owner,
    build,
    updatedAt: now,
    attempts: attempts + 1,
    revision: revision + 1,
  };
}

/** A run after a change. */
export function changedRun<T extends StoredRun>(run: T, change: RunChange, now: number): T {
  const { status, due, owner, build, data } = change;
  return {
    ...run,
    ...(status && { status }),
    ...(due !== undefined && { due: due ? dueTime(due, now) : undefined }),
    ...(owner === null && { owner: undefined }),
    ...(build !== undefined && { build }),
    ...(data && { data }),
    revision: run.revision + 1,
    updatedAt: now,
  };
}

/** When a run is due that was changed to be. */
export function dueTime(due: NonNullable<RunChange["due"]>, now: number): number {
  if ("at" in due) return due.at;
  return due.in <= 0 ? dueAtOnce : now + due.in;
}

/** Whether a run has ended. */
export function hasEnded({ status }: Pick<StoredRun, "status">): boolean {
  return endedStatuses.includes(status);
}
