import type { SchemaNotFoundError } from "../../errors.ts";
import type { FunctionSchema } from "../../schema/function-schema.ts";
import { notFound } from "./failures.ts";
import { remedyFor, type ScriptPlace } from "./remedies.ts";
import { isMinifiedFile, readScriptKind } from "./script-signs.ts";

/**
 * The error for a function that needs no types, but has lost something else in JavaScript that a build has written:
 * its name, or whether its class meant it to be private. `undefined` where nothing is lost.
 */
export function lostInBuild(schema: FunctionSchema, place: ScriptPlace): SchemaNotFoundError | undefined {
  if (schema.parameters.length > 0 || !/\.[cm]?jsx?$/.test(place.script)) return undefined;
  const reason = lossOf(place, schema.public === true);
  return reason === undefined ? undefined : notFound(place.fn, reason, { remedy: remedyFor(place) });
}

function lossOf({ script, text }: ScriptPlace, isPublic: boolean): string | undefined {
  const { kind } = readScriptKind(script, text);
  if (kind === "bundle" || isMinifiedFile(script, text))
    return "its name may not be the one it was written with";
  return !isPublic && kind === "compiled" && isMethodText(text)
    ? "whether it is private is not known"
    : undefined;
}

/** Whether a function without parameters is written as a method: `reset() { ... }`. */
function isMethodText(text: string): boolean {
  return /^(?!(?:async\s+)?function\b)(?:async\b\s*)?\*?\s*[^(*]+\(\s*\)\s*\{/.test(text);
}
