import { matchLinear } from "./match-linear.ts";
import { provideMatcher, readPattern } from "./pattern.ts";

/** A pattern of every name: it stands for those that cannot be tested, so that nothing is refused for them. */
export const anyName = "^";

/** Whether a text is a regular expression that can be tested in bounded time: documents bring those of every language. */
export function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  provideMatcher(matchLinear);
  try {
    // In Unicode mode, what other languages mean by "\\A" is an error rather than an "A".
    return new RegExp(value, "u") instanceof RegExp && typeof readPattern(value) === "object";
  } catch {
    return false;
  }
}
