import { Gate } from "../../base/util/gate.ts";
import type { ConcurrencyLimit } from "../../tool/policy.ts";
import type { Policy } from "../types.ts";
import { sharedBy } from "./shared-by.ts";

const gateOf = sharedBy("concurrency", ({ concurrency }) =>
  typeof concurrency === "object"
    ? gateOfLimit(concurrency)
    : new Gate(concurrency ?? Number.POSITIVE_INFINITY),
);

const gates = new WeakMap<ConcurrencyLimit, Gate>();

function gateOfLimit(limit: ConcurrencyLimit): Gate {
  const gate = gates.get(limit) ?? new Gate(limit.limit);
  gates.set(limit, gate);
  return gate;
}

/** Lets so many calls of a tool through at once, over all runs; the others wait in their order. */
export const concurrency: Policy = (next, tool) => {
  const gate = gateOf(tool);
  return (ready) => gate.pass(() => next(ready), ready.scope.signal);
};
