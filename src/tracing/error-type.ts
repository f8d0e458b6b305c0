import { SkeinError } from "../errors.ts";
import { other } from "./names.ts";

/** The class of an error, in a word: never its message, which may quote what nobody is to see. */
export function errorType(error: unknown): string {
  if (error instanceof SkeinError) return error.code;
  if (!(error instanceof Error)) return other;
  // A name that a program made up may hold anything.
  return /^[A-Z][A-Za-z]{0,50}$/.test(error.name) ? error.name : other;
}
