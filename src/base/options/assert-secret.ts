import { invalidOption } from "./known-options.ts";

/**
 * A secret that is there but undefined, such as `stateSecret: process.env.STATE_SECERT`, was meant to sign.
 * @param shortest - The fewest characters.
 * @throws ConfigurationError (`invalid-option`) unless the options have no `stateSecret`, or a text.
 */
export function assertSecret(options: { readonly stateSecret?: string }, shortest = 1): void {
  if (!Object.hasOwn(options, "stateSecret")) return;
  const secret: unknown = options.stateSecret;
  if (typeof secret === "string" && secret.length >= shortest) return;
  // What was passed may be most of a secret.
  const actual = typeof secret === "string" ? `one of ${secret.length}` : typeof secret;
  throw invalidOption(
    `stateSecret must be a text of at least ${shortest} characters, not ${actual}. Set it, or leave it out.`,
    { option: "stateSecret" },
  );
}
