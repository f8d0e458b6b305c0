import type { JsonValue } from "../../base/util/json.ts";
import { toStorable } from "../../base/util/storable.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "./active-run.ts";

/** A context as it is stored: plain JSON. The run warns of what that leaves out, once. */
export function storedContext(run: ActiveRun, context: unknown): JsonValue | undefined {
  const { value, omissions } = toStorable(context, "context");
  for (const { path, what } of omissions)
    warn(run, `${path} is ${what} and is not stored. Give it again with each run.`);
  return value;
}
