import { SandboxError } from "./errors.ts";

/** The most patterns that one with braces can stand for. */
const mostPatterns = 64;

/**
 * The patterns that one with braces stands for, as bash expands it: `{a,b}.ts` for `a.ts` and `b.ts`. Braces without a comma stay.
 * @throws SandboxError for too many.
 */
export function expandBraces(pattern: string): readonly string[] {
  const expanded = new Set<string>();
  const open = [pattern];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const group = firstGroup(current);
    if (group) open.push(...group.toReversed());
    else expanded.add(current);
    if (open.length + expanded.size > mostPatterns)
      throw new SandboxError(
        `The braces of the pattern stand for more than ${mostPatterns} patterns. Use * or several calls.`,
      );
  }
  return [...expanded];
}

/** The patterns that come of the first pair of braces that has a comma and nothing to expand in it; `undefined` where there is none. */
function firstGroup(pattern: string): readonly string[] | undefined {
  /** Where each brace that is open stands, and its commas. */
  const open: number[][] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    if (character === "{") open.push([at]);
    if (character === ",") open.at(-1)?.push(at);
    if (character !== "}") continue;
    const [start = at, ...commas] = open.pop() ?? [];
    if (commas.length === 0) continue;
    const [before, after] = [pattern.slice(0, start), pattern.slice(at + 1)];
    return [start, ...commas].map(
      (from, index) => before + pattern.slice(from + 1, commas[index] ?? at) + after,
    );
  }
  return undefined;
}
