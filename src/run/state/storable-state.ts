import { toStorable } from "../../base/util/storable.ts";
import type { RunState } from "../../message/run-state.ts";

/** The state, of whose context JSON has the data alone: secrets of handles are left out with the rest. */
export function storableState(state: RunState): RunState {
  return Object.defineProperty(state, "toJSON", {
    value: () => ({
      ...state,
      context: toStorable(state.context, "context").value,
      ...(state.changes && { changes: toStorable(state.changes, "changes").value }),
    }),
  });
}
