import { infoOf } from "./run-info.ts";
import type { DurableStore } from "./store.ts";
import type { ListOptions, RunInfo } from "./types.ts";

/** The runs of a store that options ask for. */
export async function listRuns(
  store: DurableStore,
  { status, agent, session, after, limit = 100 }: ListOptions,
): Promise<readonly RunInfo[]> {
  const statuses = typeof status === "string" ? [status] : status;
  if (statuses?.length === 0) return [];
  const matches = await store.list({
    limit,
    ...(statuses && { statuses }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { log: session }),
    ...(after !== undefined && { after }),
  });
  return matches.map(infoOf);
}
