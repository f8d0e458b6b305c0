import type { ToolContext } from "skein";

/** Units of length, in an order of their own. */
export declare enum Unit {
  Kilometre = "km",
  Mile = "mi",
  Foot = "ft",
}

/** What is measured. */
export interface Path {
  /** Where it begins */
  from: string;
  to: string;
  /** @minItems 1 */
  via?: string[];
}

/**
 * Measure a path.
 * @param path - Which one
 * @param unit - How to measure
 */
export declare function measure(path: Path, unit?: Unit): string;

/** Clean up after a user. */
export declare const clean: (user: string, caller: ToolContext<{ token: string }>, force?: boolean) => string;

/** Has what the functions receive reported: their values, and the context of one. */
export declare function listen(
  onValues: (...values: unknown[]) => void,
  onContext: (context: unknown) => void,
): void;
