import type { Scorer, Transcript } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/**
 * A rule that every conversation has to keep: `policy("asks before it refunds", ({ messages }) => ...)`.
 * @param isKept returns a text that says what is wrong, or whether the policy is kept.
 */
export function policy(
  name: string,
  isKept: (transcript: Transcript) => boolean | string | undefined | Promise<boolean | string | undefined>,
): Scorer {
  return scorer(name, async (transcript) => {
    const outcome = await isKept(transcript);
    const wrong = typeof outcome === "string" ? outcome : "the policy is not kept";
    return verdict(outcome === true || outcome === undefined, () => wrong);
  });
}
