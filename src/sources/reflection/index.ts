import type { FunctionDescription, FunctionSchema } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { placeKey } from "../../base/util/place-key.ts";
import type { FunctionOrigin } from "./call-places.ts";
import { describeBatch, describeByCalls, type Descriptions } from "./describe.ts";
import { notFound } from "./failures.ts";
import { oldNodeError } from "./old-node.ts";
import { withLoaderRemedy } from "./plug-n-play.ts";

export { describeOutput } from "./outputs.ts";
export { openProgramChecker } from "./program-checker.ts";

/** Calls whose text does not show what they pass on, whichever function that is. */
const untellingPlaces = new Set<string>();

/** What calls say of a function that they pass on, by their places. */
const byPlace = new WeakMap<Function, Map<string, FunctionSchema>>();

const described = new WeakMap<Function, Promise<FunctionDescription>>();

/**
 * The schemas of functions that run in this process, in the order of `functions`, with the error in the place of one that
 * has none. A function with an origin, the call that passed it on, is what TypeScript says of the expression there; else, and
 * where the text of the call does not show, it is what its own source says, or what the declarations of its package say. What an earlier process has found is read from `node_modules/.cache/skein`
 * (`SKEIN_CACHE=off` does without); for all else TypeScript is started, which then stays, without keeping the process
 * alive. A schema is remembered as long as its function lives; after an error, the next call tries again. Never rejects.
 */
export async function describeFunctions(
  functions: readonly Function[],
  origins: readonly (FunctionOrigin | undefined)[] = [],
): Promise<readonly FunctionDescription[]> {
  const oldNode = oldNodeError(process.versions);
  if (oldNode) return functions.map(() => oldNode);
  const unknown = new Map<Function, FunctionOrigin | undefined>();
  for (const [index, fn] of functions.entries())
    if (!described.has(fn) && !unknown.get(fn)) unknown.set(fn, origins[index]);
  if (unknown.size > 0) {
    const batch = describeBatch(unknown);
    for (const fn of unknown.keys()) described.set(fn, remembered(fn, batch));
  }
  // What is not remembered is there for this call all the same.
  const answers = functions.map((fn) => described.get(fn));
  const byCalls = describeOthers(functions, origins, unknown);
  return Promise.all(
    functions.map(async (fn, index) => {
      const byCall = (await byCalls).get(fn);
      if (byCall !== undefined) return withLoaderRemedy(byCall);
      const description = withLoaderRemedy((await answers[index]) ?? notFound(fn, "it was not described"));
      if (unknown.has(fn) || description instanceof SchemaNotFoundError) return description;
      if (!description.instance && !origins[index]?.isMethod) return description;
      // The schema came from an expression elsewhere: the function's own source may show less, also whether a method is public.
      return (await describeBatch(new Map([[fn, origins[index]]]))).get(fn) ?? description;
    }),
  );
}

/** Describes functions that others have asked for by their own calls: what another call said need not be what this one says. */
async function describeOthers(
  functions: readonly Function[],
  origins: readonly (FunctionOrigin | undefined)[],
  unknown: ReadonlyMap<Function, unknown>,
): Promise<Descriptions> {
  const descriptions = new Map<Function, FunctionDescription>();
  const open = new Map<Function, FunctionOrigin>();
  for (const [index, fn] of functions.entries()) {
    const origin = origins[index];
    if (!origin || unknown.has(fn)) continue;
    const place = placeKey(origin);
    const schema = byPlace.get(fn)?.get(place);
    if (schema !== undefined) descriptions.set(fn, schema);
    else if (!untellingPlaces.has(place)) open.set(fn, origin);
  }
  if (open.size === 0) return descriptions;
  const described = await describeByCalls(open);
  for (const [fn, origin] of open) {
    const description = described.get(fn);
    const place = placeKey(origin);
    if (description === undefined) {
      untellingPlaces.add(place);
      continue;
    }
    descriptions.set(fn, description);
    if (description instanceof SchemaNotFoundError) continue;
    const places = byPlace.get(fn) ?? new Map<string, FunctionSchema>();
    byPlace.set(fn, places.set(place, description));
  }
  return descriptions;
}

/** Errors are not remembered: the next call tries again. Nor is what only one expression says. */
async function remembered(fn: Function, answers: Promise<Descriptions>): Promise<FunctionDescription> {
  const description = (await answers).get(fn) ?? notFound(fn, "it was not described");
  const isError = description instanceof SchemaNotFoundError;
  // What one toolkit must not show may be a tool elsewhere.
  if (isError || description.instance || description.hidden) described.delete(fn);
  return description;
}
