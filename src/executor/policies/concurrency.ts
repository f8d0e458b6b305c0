import { Gate } from "../../base/util/gate.ts";
import { memoize } from "../../base/util/memoize.ts";
import type { ConcurrencyLimit } from "../../tool/policy.ts";
import type { Policy } from "../types.ts";
import { sharedBy } from "./shared-by.ts";

/** Tools whose policies have one limit share its gate. */
const gateOfLimit = memoize(({ limit }: ConcurrencyLimit) => new Gate(limit));

const gateOf = sharedBy("concurrency", ({ concurrency }) =>
  typeof concurrency === "object"
    ? gateOfLimit(concurrency)
    : new Gate(concurrency ?? Number.POSITIVE_INFINITY),
);

/** Limits how many calls of a tool run at once, over all runs; the others wait in their order. */
export const concurrency: Policy = (next, tool) => {
  const gate = gateOf(tool);
  return (ready) => gate.pass(() => next(ready), ready.scope.signal);
};
