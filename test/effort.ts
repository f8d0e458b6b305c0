/**
 * How much of what they could try the longest tests try: a quarter of random runs, and what is alike in many frameworks only in some.
 * `EFFORT=1 npm run test:long` tries everything, in an hour.
 */
import { randomOf } from "../src/testing/conformance/random.ts";

const effort = Number(process.env["EFFORT"] ?? 0.25);

/** Whether everything is tried. */
export const isWhole: boolean = effort >= 1;

/** As many of the cases as are tried. */
export function shareOf(count: number): number {
  return Math.ceil(count * effort);
}

/** Of cases in an order those that are tried: the same ones each time, and none of what they vary left out. */
export function* spread<T>(cases: Iterable<T>): Generator<T> {
  const random = randomOf(20_261_201);
  for (const each of cases) if (random.next() < effort) yield each;
}
