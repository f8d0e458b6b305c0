import type { Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** The agent of that name has the lead at the end. */
export function endsWith(name: string): Scorer {
  return scorer("agent", ({ agent }) => verdict(agent === name, () => `expected ${name}, got ${agent}`));
}

/** The agent of that name has the lead at some time. */
export function handsOffTo(name: string): Scorer {
  return scorer("hands off", ({ agents }) =>
    verdict(agents.slice(1).includes(name), () => `${name} is not among ${agents.join(", ")}`),
  );
}
