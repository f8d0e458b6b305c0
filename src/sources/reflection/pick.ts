import type { Compiler, FoundFunction, FunctionShape } from "../compiler/index.ts";
import { isStripped } from "./function-text.ts";
import type { RuntimeLocation } from "./inspector.ts";
import type { SourceLocation } from "./source-locations.ts";

/** The only candidate, else the one that stands where the function runs, as far as the place can be trusted. */
export function pick(
  candidates: readonly FoundFunction[],
  { position, isMapped }: SourceLocation,
  text: string,
): FoundFunction | undefined {
  if (candidates.length < 2) return candidates[0];
  if (position === undefined) return undefined;
  return candidates.find(
    (candidate) => candidate.isAt(position) && (isMapped || isStripped(candidate.text, text)),
  );
}

/**
 * The candidate that runs, where only the rewritten script shows it (vitest, Deno): whatever rewrote it left functions in
 * their order. `undefined` unless the script has as many of them as its source.
 */
export function pickByOrder(
  compiler: Compiler,
  candidates: readonly FoundFunction[],
  shape: FunctionShape,
  { scriptText, line, column }: RuntimeLocation,
): FoundFunction | undefined {
  if (scriptText === undefined || candidates.length < 2) return undefined;
  const running = compiler.functionsInText(scriptText, shape);
  if (running.length !== candidates.length) return undefined;
  return candidates[running.findIndex((candidate) => candidate.isAt({ line, column }))];
}

/** Any of several candidates, if it makes no difference which. */
export function pickAlike(candidates: readonly FoundFunction[]): FoundFunction | undefined {
  const descriptions = new Set(candidates.map((candidate) => JSON.stringify(candidate.describe())));
  return descriptions.size === 1 ? candidates[0] : undefined;
}
