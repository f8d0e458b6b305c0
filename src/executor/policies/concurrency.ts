import { Gate } from "../../util/gate.ts";
import type { Policy } from "../types.ts";
import { sharedBy } from "./shared-by.ts";

const gateOf = sharedBy(({ concurrency = Number.POSITIVE_INFINITY }) => new Gate(concurrency));

/** Lets so many calls of a tool through at once, over all runs; the others wait in their order. */
export const concurrency: Policy = (next, tool) => async (ready) => {
  const gate = gateOf(tool);
  await gate.enter(ready.scope.signal);
  try {
    return await next(ready);
  } finally {
    gate.leave();
  }
};
