import type { FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { errorMessage } from "../util/error-message.ts";
import { typeNotFound } from "./failures.ts";
import { openCache } from "./cache.ts";
import { hashOf } from "./hash.ts";
import { callPlaces } from "./call-places.ts";
import { abandonCompiler, changedAfter, doubtFiles, freshCompiler, noteFiles } from "./opened-compiler.ts";
import type { SourceLocation } from "./source-locations.ts";
import { unreadableReason, withUnresolvedNames } from "./source-errors.ts";

/**
 * The schema of the type that a call of `output` says, as the input of a function: `calledAt` is where it was made. From the
 * cache, like functions', as long as no file has changed that it was read from. Never rejects.
 */
export async function describeOutput(calledAt: Error): Promise<FunctionDescription> {
  try {
    return await describe(callPlaces(calledAt));
  } catch (error) {
    // TypeScript's process may have ended: the next call starts another.
    abandonCompiler();
    return typeNotFound(errorMessage(error), error);
  }
}

async function describe(places: readonly SourceLocation[]): Promise<FunctionDescription> {
  const cache = openCache();
  const keys = places.map(({ file, position }) => ({
    file,
    id: hashOf(JSON.stringify(["output", position])),
  }));
  for (const key of keys) {
    const known = cache.find(key);
    if (known) return known;
  }
  const startedAt = Date.now();
  const compiler = await freshCompiler();
  for (const [index, { file, position }] of places.entries()) {
    const reason = unreadableReason(compiler, file);
    if (reason !== undefined) return typeNotFound(`${file}: ${reason}`);
    const found = position && compiler.outputTypeAt(file, position);
    const key = keys[index];
    if (found === undefined || key === undefined) continue;
    const files = compiler.dependencies(file);
    noteFiles(files, startedAt);
    if (found instanceof SchemaNotFoundError) {
      doubtFiles();
      return withUnresolvedNames(compiler, file, found);
    }
    cache.add(key, found);
    cache.save(() => ([...files].some((each) => changedAfter(each, startedAt)) ? undefined : files));
    return found;
  }
  doubtFiles();
  const [first] = places;
  const line = first?.position && first.position.line + 1;
  return typeNotFound(
    first ? `no call with a type stands at ${first.file}:${line}` : "where it was called is not known",
  );
}
