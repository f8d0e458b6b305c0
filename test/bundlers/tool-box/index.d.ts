/**
 * Measure a distance.
 * @param from - Where it begins
 */
export declare function distance(from: string, to: string, unit?: "km" | "mi"): number;
/** Tools for a unit. */
export declare function makeBox(unit: string): {
  /** Weigh a thing. */
  weigh(thing: string): string;
};
