import type { Policy } from "../types.ts";

/** Lets the tool's result end the run, unless it is an error. */
export const final: Policy = (next) => async (ready) => {
  const outcome = await next(ready);
  return !("result" in outcome) || outcome.result.isError ? outcome : { ...outcome, final: true };
};
