import { ModelError } from "../../../errors.ts";
import type { StoredFile } from "./types.ts";

/** What providers say of a file that they do not have: "File not found", "No such File object", "... or it may not exist". */
const lostWords =
  /\bfiles?\b.*(?:not found|no such|not exist|expired|deleted)|(?:no such|not find|unknown|expired) file\b/is;

/**
 * The files that a provider has refused a request for, since it does not have them; none for any other error.
 * @param files - Those that the request referred to.
 */
export function lostFiles<T extends StoredFile>(error: unknown, files: readonly T[]): readonly T[] {
  if (!(error instanceof ModelError) || ![400, 403, 404].includes(error.status ?? 0)) return [];
  const words = error.providerMessage ?? "";
  const named = files.filter(({ id }) => words.includes(shortId(id)));
  if (named.length > 0) return named;
  return lostWords.test(words) ? files : [];
}

/** Google's errors have the id without its collection: `abc` of `files/abc`. */
function shortId(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
