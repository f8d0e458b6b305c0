import type { SchemaNotFoundError } from "../../errors.ts";
import { broken, notFound } from "./failures.ts";
import { isClassText } from "./function-text.ts";
import {
  inspectFunctions,
  type RuntimeFunction,
  type RuntimeLocation,
  type Thoroughness,
} from "./inspector.ts";
import { sourceLocation, type SourceLocation } from "./source-locations.ts";

/** A running function, and the file it was written in. */
export interface Located {
  readonly fn: Function;
  readonly inspected: RuntimeFunction;
  readonly location: RuntimeLocation;
  readonly source: SourceLocation;
}

/** A function that is nowhere, and why; without a reason, a more thorough look may find it. */
export interface Unlocated {
  readonly fn: Function;
  readonly error: SchemaNotFoundError | undefined;
}

/** Finds where functions are written. Never rejects. */
export async function look(
  functions: readonly Function[],
  thoroughness: Thoroughness,
): Promise<readonly (Located | Unlocated)[]> {
  try {
    const inspected = await inspectFunctions(functions, thoroughness);
    return functions.map((fn, index) => place(fn, inspected[index], thoroughness));
  } catch (error) {
    return functions.map((fn) => ({ fn, error: broken(fn, error) }));
  }
}

function place(
  fn: Function,
  inspected: RuntimeFunction | undefined,
  thoroughness: Thoroughness,
): Located | Unlocated {
  if (isClassText(inspected?.text ?? ""))
    return {
      fn,
      error: notFound(fn, "it is a class, not a function", {
        remedy: "Pass an instance: toolkit(new Kit())",
      }),
    };
  const location = inspected?.location;
  if (inspected === undefined || location === undefined) {
    return {
      fn,
      error: notFound(fn, "it is built in, not written in JavaScript", {
        remedy: "Pass a function of your own that calls it, such as (x: number) => Math.sqrt(x)",
      }),
    };
  }
  try {
    const source = sourceLocation(location);
    if (source !== undefined) return { fn, inspected, location, source };
  } catch (error) {
    return { fn, error: broken(fn, error) };
  }
  if (location.url?.startsWith("node:")) return { fn, error: ofNode(fn, location.url) };
  const isFinal = thoroughness === "debugger";
  const reason = "its code comes from no file (eval, new Function, --eval): write it into a file";
  return { fn, error: isFinal ? notFound(fn, reason) : undefined };
}

/** The error for what Node's own modules export, and for what their functions return: `util.deprecate(fn)`. */
function ofNode(fn: Function, module: string): SchemaNotFoundError {
  return notFound(fn, `it is a function of Node itself (${module}), whose source says no types`, {
    remedy:
      "Pass a function of your own that calls it, such as (path: string) => readFile(path); or give it a type that TypeScript knows: " +
      'npm i -D @types/node, and write "types": ["node"] in the compilerOptions of tsconfig.json',
  });
}
