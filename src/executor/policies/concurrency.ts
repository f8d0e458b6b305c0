import { Semaphore } from "../../base/util/semaphore.ts";
import { memoize } from "../../base/util/memoize.ts";
import type { ConcurrencyLimit } from "../../tool/policy.ts";
import type { Policy } from "../types.ts";
import { inPlace } from "./in-place.ts";
import { sharedBy } from "./shared-by.ts";

/** Tools whose policies have one limit share its semaphore. */
const semaphoreOfLimit = memoize(({ limit }: ConcurrencyLimit) => new Semaphore(limit));

const semaphoreOf = sharedBy("concurrency", ({ concurrency }) =>
  typeof concurrency === "object"
    ? semaphoreOfLimit(concurrency)
    : new Semaphore(concurrency ?? Number.POSITIVE_INFINITY),
);

/** Limits how many calls of a tool run at once, over all runs; the others wait in their order. */
export const concurrency: Policy = (next, tool) => {
  const semaphore = semaphoreOf(tool);
  return (ready) => inPlace(semaphore, next, ready);
};
