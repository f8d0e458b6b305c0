import type { Compiler, FunctionOutline } from "../compiler/index.ts";
import { shapeOf } from "./function-text.ts";
import { inspectFunctions } from "./inspector.ts";
import { pick } from "./pick.ts";
import { sourceLocation } from "./source-locations.ts";

/**
 * Where functions that run in this process are written, in their order; `undefined` for one whose source is not found.
 * Never rejects: a place only serves a message.
 */
export async function locateFunctions(
  compiler: Compiler,
  functions: readonly Function[],
): Promise<readonly (FunctionOutline | undefined)[]> {
  if (functions.length === 0) return [];
  try {
    const inspected = await inspectFunctions(functions, "debugger");
    return functions.map((fn, index) => {
      const result = inspected[index];
      const source = result?.location && sourceLocation(result.location);
      if (result === undefined || source === undefined) return undefined;
      const candidates = compiler.functionsLike(source.file, shapeOf(fn.name, result.text));
      return pick(candidates, source, result.text)?.outline();
    });
  } catch {
    // Without an inspector (--permission) or TypeScript, the caller reports something else.
    return functions.map(() => undefined);
  }
}
