import type { FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { errorMessage } from "../util/error-message.ts";
import { openCache } from "./cache.ts";
import { callerOf } from "./call-places.ts";
import { typeNotFound } from "./failures.ts";
import { failedRuntime } from "./remedies.ts";
import { hashOf } from "./hash.ts";
import { abandonCompiler, changedAfter, doubtFiles, freshCompiler, noteFiles } from "./opened-compiler.ts";
import { unreadableReason, withUnresolvedNames } from "./source-errors.ts";

/**
 * The schema of the type that a call of `output` says, as the input of a function: `calledAt` is where it was made. From the
 * cache, like functions', as long as no file has changed that it was read from. Never rejects.
 */
export async function describeOutput(calledAt: Error): Promise<FunctionDescription> {
  try {
    const { file, position } = callerOf(calledAt) ?? {};
    if (file === undefined || position === undefined) return typeNotFound("where it was called is not known");
    return await describe(file, position);
  } catch (error) {
    // TypeScript's process may have ended: the next call starts another.
    abandonCompiler();
    const { reason = errorMessage(error), remedy } = failedRuntime(error) ?? {};
    return typeNotFound(reason, { remedy, cause: error });
  }
}

async function describe(
  file: string,
  position: { readonly line: number; readonly column: number },
): Promise<FunctionDescription> {
  const cache = openCache();
  const key = { file, id: hashOf(JSON.stringify(["output", position])) };
  const known = cache.find(key);
  if (known) return known;
  const startedAt = Date.now();
  const compiler = await freshCompiler();
  const unreadable = unreadableReason(compiler, file);
  if (unreadable !== undefined) return typeNotFound(`${file}: ${unreadable}`);
  const found = compiler.outputTypeAt(file, position);
  const files = compiler.dependencies(file);
  noteFiles(files, startedAt);
  if (found === undefined || found instanceof SchemaNotFoundError) {
    doubtFiles();
    return found
      ? withUnresolvedNames(compiler, file, found)
      : typeNotFound(`no call with a type stands at ${file}:${position.line + 1}`);
  }
  cache.add(key, found);
  cache.save(() => ([...files].some((each) => changedAfter(each, startedAt)) ? undefined : files));
  return found;
}
