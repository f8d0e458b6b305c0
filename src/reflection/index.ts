import type { FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { describeBatch, type Descriptions } from "./describe.ts";
import { notFound } from "./failures.ts";

export { describeOutput } from "./outputs.ts";

const described = new WeakMap<Function, Promise<FunctionDescription>>();

/**
 * The schemas of functions that run in this process, from their source: in the order of `functions`, with the error in
 * the place of one that has none. What an earlier process has found is read from `node_modules/.cache/skein`
 * (`SKEIN_CACHE=off` does without); for all else TypeScript is started, which then stays, without keeping the process
 * alive. A schema is remembered as long as its function lives; after an error, the next call tries again. Never rejects.
 */
export async function describeFunctions(
  functions: readonly Function[],
): Promise<readonly FunctionDescription[]> {
  const unknown = [...new Set(functions)].filter((fn) => !described.has(fn));
  if (unknown.length > 0) {
    const answers = describeBatch(unknown);
    for (const fn of unknown) described.set(fn, remembered(fn, answers));
  }
  return Promise.all(
    functions.map(async (fn) => (await described.get(fn)) ?? notFound(fn, "it was not described")),
  );
}

/** Errors are not remembered: the next call tries again. */
async function remembered(fn: Function, answers: Promise<Descriptions>): Promise<FunctionDescription> {
  const description = (await answers).get(fn) ?? notFound(fn, "it was not described");
  if (description instanceof SchemaNotFoundError) described.delete(fn);
  return description;
}
