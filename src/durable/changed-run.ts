import type { NewRun, RunChange } from "./store.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";

// What becomes of a run in stores that keep runs as objects.

/** A run that has just been added. */
export function addedRun({ id, log, agent, priority, at, data }: NewRun, now: number): StoredRun {
  return {
    id,
    log,
    agent,
    status: "queued",
    priority,
    due: at ?? now,
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
    ...(due !== undefined && { due: timeOf(due, now) }),
    ...(owner === null && { owner: undefined }),
    ...(build !== undefined && { build }),
    ...(data && { data }),
    revision: run.revision + 1,
    updatedAt: now,
  };
}

function timeOf(due: NonNullable<RunChange["due"]> | null, now: number): number | undefined {
  if (!due) return undefined;
  return "at" in due ? due.at : now + due.in;
}

/** Whether a run has ended. */
export function hasEnded({ status }: Pick<StoredRun, "status">): boolean {
  return endedStatuses.includes(status);
}
