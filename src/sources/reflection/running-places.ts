import type { CachedSchema } from "./cache.ts";
import { hashOf } from "./hash.ts";
import { look, type Located, type Unlocated } from "./look.ts";

/** The place of a running function, as text; empty for one without a place. */
export function runningPlace(target: Located | Unlocated): string {
  if (!("source" in target)) return "";
  const { url, line, column } = target.location;
  return hashOf(JSON.stringify([url, line, column]));
}

/** The functions that stand elsewhere than those whose schemas were found: another one may have the same text. */
export async function findMoved(
  schemas: ReadonlyMap<Function, CachedSchema>,
): Promise<ReadonlySet<Function>> {
  const targets = await look([...schemas.keys()], "profiler");
  const moved = targets.filter((each) => runningPlace(each) !== schemas.get(each.fn)?.runsAt);
  return new Set(moved.map(({ fn }) => fn));
}
