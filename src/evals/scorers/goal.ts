import type { Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** The simulated user says that the goal was met. */
export function goalMet(): Scorer {
  return scorer("goal", ({ goal }) =>
    verdict(goal === "met", () => `the user's goal is ${goal ?? "still open"}`),
  );
}
