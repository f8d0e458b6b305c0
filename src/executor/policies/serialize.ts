import { Semaphore } from "../../base/util/semaphore.ts";
import type { Policy } from "../types.ts";
import { argumentGuard } from "./guard-arguments.ts";
import { inPlace } from "./in-place.ts";
import { keyFrom } from "./key-from.ts";
import { reportFailure } from "./reported-failure.ts";
import { sharedBy } from "./shared-by.ts";

/** The semaphores of the keys in use. */
const semaphoresOf = sharedBy("serialize", () => new Map<string, Semaphore>());

/** Lets calls of one key through one after the other, over all runs, in the order in which they come. */
export const serialize: Policy = (next, tool) => {
  const { serialize: keyOf } = tool.policy;
  const semaphores = semaphoresOf(tool);
  const guarded = argumentGuard(tool, "serialize");
  return async (ready) => {
    const key =
      typeof keyOf === "function"
        ? reportFailure("serialize", ready, () => keyFrom("serialize", keyOf, guarded(ready.input)))
        : "";
    const semaphore = semaphores.get(key) ?? new Semaphore(1, () => semaphores.delete(key));
    semaphores.set(key, semaphore);
    return inPlace(semaphore, next, ready);
  };
};
