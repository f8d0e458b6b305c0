import { readRawFrames } from "./frames.ts";

/** Where a value stands among the arguments of a call, and what was captured there. */
export interface PassingPlace {
  readonly calledAt: { readonly stack?: string };
  readonly path: readonly (string | number)[];
  readonly length?: number;
}

const keys = new WeakMap<PassingPlace, string>();

/** What distinguishes the place where a value was passed on from other places: the same for each time that the call runs. */
export function placeKey(place: PassingPlace): string {
  const cached = keys.get(place);
  if (cached !== undefined) return cached;
  const { calledAt, path, length } = place;
  const frames = readRawFrames(calledAt);
  const key = JSON.stringify([frames.length > 0 ? frames : calledAt.stack, path, length]);
  keys.set(place, key);
  return key;
}
