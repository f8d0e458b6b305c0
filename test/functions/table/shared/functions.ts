import { got } from "../../row.ts";
import type { Person } from "./people.ts";

/**
 * Greets somebody.
 * @param person - Whom to greet
 */
export function greet(person: Person): void {
  got(person);
}

/** Waves. */
export const wave = (times = 1): void => got(times);

// oxlint-disable-next-line import/no-default-export -- default exports are tools, too
export default function (text: string): void {
  got(text);
}
