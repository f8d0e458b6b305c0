import type { FoundFunction } from "../compiler/index.ts";
import { isStripped } from "./function-text.ts";
import type { SourceLocation } from "./source-locations.ts";

/** The only candidate, else the one that stands where the function runs, as far as the place can be trusted. */
export function pick(
  candidates: readonly FoundFunction[],
  { position, isMapped }: SourceLocation,
  text: string,
): FoundFunction | undefined {
  if (candidates.length < 2) return candidates[0];
  if (position === undefined) return undefined;
  return candidates.find((found) => found.isAt(position) && (isMapped || isStripped(found.text, text)));
}
