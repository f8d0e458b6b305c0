import type { CachedSchema } from "./cache.ts";
import { hashOf } from "./hash.ts";
import { look, type Located, type Unlocated } from "./look.ts";

/** What tells where a running function stands; an empty text for one that stands nowhere. */
export function runningPlace(found: Located | Unlocated): string {
  if (!("source" in found)) return "";
  const { url, line, column } = found.location;
  return hashOf(JSON.stringify([url, line, column]));
}

/** The functions that stand elsewhere than those whose schemas were found: another one may have the same text. */
export async function findMoved(
  schemas: ReadonlyMap<Function, CachedSchema>,
): Promise<ReadonlySet<Function>> {
  const found = await look([...schemas.keys()], "profiler");
  const moved = found.filter((each) => runningPlace(each) !== schemas.get(each.fn)?.runsAt);
  return new Set(moved.map(({ fn }) => fn));
}
