import { isObject, type JsonValue } from "../../base/util/json.ts";
import { toStorable } from "../../base/util/storable.ts";
import { changeOf, clearedIn } from "../../message/cleared.ts";
import type { CallChanges } from "../../message/run-state.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "./active-run.ts";

/** A context as it is stored: plain JSON. The run warns of what that leaves out, once. */
export function storedContext(run: ActiveRun, context: unknown): JsonValue | undefined {
  const { value, omissions } = toStorable(context, "context");
  for (const { path, what } of omissions)
    warn(run, `${path} is ${what} and is not stored. Give it again with each run.`);
  return value;
}

/** Changes of the context that JSON can hold: what is `undefined` is named besides. */
export function namedChanges(changes: readonly CallChanges[]): readonly CallChanges[] {
  return changes.map((change) => ({ ...change, ...clearedIn(changeOf(change)) }));
}

/** Changes of the context as they are stored. */
export function storedChanges(run: ActiveRun, changes: readonly CallChanges[]): readonly CallChanges[] {
  return namedChanges(changes).map(({ context, ...change }) => {
    const stored = context && storedContext(run, context);
    return { ...change, ...(isObject(stored) && { context: stored }) };
  });
}
