import { textResult } from "../finalize.ts";
import type { Policy } from "../types.ts";
import { askOrPerform } from "./approval.ts";

/** Asks a person about a call that may have been under way when its process died, or tells the model. */
export const interrupted: Policy =
  (next, { policy }) =>
  async (ready) => {
    const { call, scope } = ready;
    if (policy.interrupted === "repeat" || !scope.isInterrupted?.(call.toolCallId)) return next(ready);
    // What a person has approved is asked for once: the approval around this is being carried out.
    if (policy.interrupted === "ask" && scope.approved?.isUsed) return next(ready);
    if (policy.interrupted === "ask") return askOrPerform(next, ready, () => Promise.resolve(true));
    const text = `${call.toolName} was interrupted: it may or may not have taken effect. It is not called again by itself. Find out what it did before you call it again.`;
    return { result: textResult(call, text, "cancelled") };
  };
