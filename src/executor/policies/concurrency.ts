import { Gate } from "../../util/gate.ts";
import type { Policy } from "../types.ts";
import { sharedBy } from "./shared-by.ts";

const gateOf = sharedBy(({ concurrency = Number.POSITIVE_INFINITY }) => new Gate(concurrency));

/** Lets so many calls of a tool through at once, over all runs; the others wait in their order. */
export const concurrency: Policy = (next, tool) => {
  const gate = gateOf(tool);
  return (ready) => gate.pass(() => next(ready), ready.scope.signal);
};
