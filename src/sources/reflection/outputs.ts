import type { FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { openCache } from "./cache.ts";
import { callId, callOf, certainPlaces, type Call } from "./call-places.ts";
import { helpfulCause, typeNotFound } from "./failures.ts";
import { failedRuntime } from "./remedies.ts";
import { hashOf } from "./hash.ts";
import { withLoaderRemedy } from "./plug-n-play.ts";
import {
  abandonCompiler,
  doubtFiles,
  freshCompiler,
  includedFolders,
  isSettled,
  noteFiles,
} from "./opened-compiler.ts";
import { unreadableReason, withUnresolvedNames } from "./source-errors.ts";

/**
 * The schema of the type that a call of `output` says, as the input of a function: `calledAt` is where it was made. From the
 * cache, like functions', as long as no file has changed that it was read from. Never rejects.
 */
export async function describeOutput(calledAt: Error): Promise<FunctionDescription> {
  try {
    const call = callOf(calledAt);
    const description =
      call === undefined ? typeNotFound("where it was called is not known") : await describe(call);
    return withLoaderRemedy(description);
  } catch (error) {
    // TypeScript's process may have ended: the next call starts another.
    abandonCompiler();
    const { reason = errorMessage(error), remedy } = failedRuntime(error) ?? {};
    return typeNotFound(reason, { remedy, cause: remedy === undefined ? helpfulCause(error) : undefined });
  }
}

async function describe(call: Call): Promise<FunctionDescription> {
  const cache = openCache();
  const key = { file: call.place.file, id: hashOf(JSON.stringify(["output", ...callId(call)])) };
  const cached = cache.find(key);
  if (cached) return cached;
  const { file, position } = (await certainPlaces([call])).get(call) ?? {};
  if (file === undefined || position === undefined) return uncertain(call);
  const startedAt = Date.now();
  const compiler = await freshCompiler();
  const unreadable = unreadableReason(compiler, file);
  if (unreadable !== undefined) return typeNotFound(`${file}: ${unreadable}`);
  const outputType = compiler.outputTypeAt(file, position);
  const files = compiler.dependencies(file);
  noteFiles(files, startedAt);
  if (outputType === undefined || outputType instanceof SchemaNotFoundError) {
    doubtFiles();
    return outputType
      ? withUnresolvedNames(compiler, file, outputType)
      : typeNotFound(`no call with a type stands at ${file}:${position.line + 1}`);
  }
  if (file !== key.file) return outputType;
  cache.add(key, outputType);
  const included = includedFolders();
  cache.save(() => (isSettled(files, included, startedAt) ? files : undefined), included);
  return outputType;
}

/** The error for a call whose place in its source is not certain. */
function uncertain({ place: { script } }: Call): SchemaNotFoundError {
  const reason = `what runs is not the text of ${script}, and no source map shows where its call of output stands there`;
  return typeNotFound(reason, { remedy: uncertainRemedy });
}

const uncertainRemedy =
  "Start the program again if the file was changed since; turn source maps on in what runs TypeScript; or give a JSON " +
  "Schema, or a zod, valibot or arktype schema instead";
