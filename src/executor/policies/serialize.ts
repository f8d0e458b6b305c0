import { Gate } from "../../base/util/gate.ts";
import type { Policy } from "../types.ts";
import { argumentGuard } from "./guard-arguments.ts";
import { keyFrom } from "./key-from.ts";
import { sharedBy } from "./shared-by.ts";

/** The gates of the keys in use. */
const gatesOf = sharedBy("serialize", () => new Map<string, Gate>());

/** Lets calls of one key through one after the other, over all runs, in the order in which they come. */
export const serialize: Policy = (next, tool) => {
  const { serialize: keyOf } = tool.policy;
  const gates = gatesOf(tool);
  const guarded = argumentGuard(tool, "serialize");
  return async (ready) => {
    const key = typeof keyOf === "function" ? keyFrom("serialize", keyOf, guarded(ready.input)) : "";
    const gate = gates.get(key) ?? new Gate(1);
    gates.set(key, gate);
    try {
      return await gate.pass(() => next(ready), ready.scope.signal);
    } finally {
      if (gate.isIdle) gates.delete(key);
    }
  };
};
