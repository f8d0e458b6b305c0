import { ConfigurationError } from "../errors.ts";
import { nearest } from "../util/nearest.ts";

/**
 * Checks that options have no key that is not known: a misspelled one would be ignored without a word.
 * @param known the names, as a record checked with `satisfies Record<keyof Options, true>` so that none is forgotten.
 * @param place names the options in the error, such as `new Agent({ ... })`.
 * @throws ConfigurationError (`invalid-option`) naming the wrong key and the nearest right one.
 */
export function assertKnownOptions(
  options: object,
  known: Readonly<Record<string, unknown>>,
  place: string,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const [near] = nearest(name, names, 1);
    const hint = near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean "${near}"?`;
    throw invalidOption(`${place} has no option "${name}". ${hint}`, { option: name });
  }
}

/** The error for an option whose value makes no sense. */
export function invalidOption(message: string, data: { readonly option: string }): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-option", data });
}
