import { isPlainObject } from "../base/util/json.ts";
import { mergeOwn } from "../base/util/snapshot.ts";
import type { RunRecord } from "./run-record.ts";

/** The context of a run as it was before a step: as the run began, with what calls have changed since. */
export function contextAt({ context, steps, outcomes }: RunRecord, number: number): unknown {
  const changes = steps.slice(0, number - 1).flatMap(({ id, parent }) => {
    const change = parent === undefined ? outcomes.get(id)?.context : undefined;
    return change ? [change] : [];
  });
  if (changes.length === 0) return context;
  return mergeOwn([isPlainObject(context) ? context : {}, ...changes]);
}
