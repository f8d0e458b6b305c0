import { invalidOption } from "./client-error.ts";

/**
 * Checks that options have names that are known: a misspelled one would be ignored without a word.
 * @param names - As a record checked with `satisfies Record<keyof Options, true>`, so that none is forgotten.
 * @param place - The function that the options are given to, for the error.
 * @throws SkeinClientError (`invalid-option`)
 */
export function checkOptions(options: object, names: Readonly<Record<string, true>>, place: string): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(names, name))
      throw invalidOption(`${place} has no option "${name}". There are: ${Object.keys(names).join(", ")}.`);
  }
}

/**
 * A duration in milliseconds.
 * @throws SkeinClientError (`invalid-option`)
 */
export function checkDuration(name: string, value: number): void {
  if (typeof value !== "number" || !(value >= 0))
    throw invalidOption(`${name} must be a number of milliseconds from 0 on.`);
}

/**
 * The index of an event, -1 for before the first, and where it is left out.
 * @throws SkeinClientError (`invalid-option`)
 */
export function checkAfter(after = -1): number {
  if (Number.isSafeInteger(after) && after >= -1) return after;
  throw invalidOption("after must be the index of an event.");
}
