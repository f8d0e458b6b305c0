import { isJavaScript } from "../compiler/diagnostics.ts";
import type { Compiler, FunctionSchema } from "../compiler/index.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import { shapeOf } from "./function-text.ts";
import { look, type Located } from "./look.ts";
import { askCompiler } from "./opened-compiler.ts";
import { pick, pickByOrder } from "./pick.ts";
import { runningPlace } from "./running-places.ts";

/** What the code of running functions says against the types by which they were passed on. */
export interface LiveContexts {
  /** By function: it takes a context where its type has an argument. */
  readonly errors: ReadonlyMap<Function, SchemaNotFoundError>;
  /** The files that decide it, by function. */
  readonly dependencies: ReadonlyMap<Function, ReadonlySet<string>>;
  /** Where the functions stand: see `CachedSchema`. */
  readonly places: ReadonlyMap<Function, string>;
}

/**
 * Holds functions of which a type alone shows, such as the methods of an interface, against the code that runs: a `ToolContext`
 * there is never an argument. What a package's code takes, its types say.
 */
export async function findLiveContexts(
  schemas: ReadonlyMap<Function, FunctionSchema>,
): Promise<LiveContexts> {
  const errors = new Map<Function, SchemaNotFoundError>();
  const dependencies = new Map<Function, ReadonlySet<string>>();
  const places = new Map<Function, string>();
  const open = new Set(schemas.keys());
  for (const thoroughness of ["profiler", "debugger"] as const) {
    if (open.size === 0) break;
    const results = await look([...open], thoroughness);
    const isFinal = thoroughness === "debugger";
    if (!isFinal) for (const each of results) places.set(each.fn, runningPlace(each));
    const located = results.filter((each) => "source" in each);
    await askCompiler((compiler) => {
      for (const each of located) {
        const schema = schemas.get(each.fn);
        const error = schema && refuse(compiler, each, schema, isFinal);
        if (error === undefined) continue;
        open.delete(each.fn);
        dependencies.set(each.fn, compiler.dependencies(each.source.file));
        if (error !== null) errors.set(each.fn, error);
      }
    });
  }
  return { errors, dependencies, places };
}

/** `undefined` asks for a more thorough look; `null` where nothing is wrong. */
function refuse(
  compiler: Compiler,
  { fn, inspected, location, source }: Located,
  { parameters }: FunctionSchema,
  isFinal: boolean,
): SchemaNotFoundError | null | undefined {
  if (isJavaScript(source.file) && source.file.includes("/node_modules/")) return null;
  const shape = shapeOf(fn.name, inspected.text);
  const candidates = compiler.functionsLike(source.file, shape);
  const picked =
    pick(candidates, source, inspected.text) ?? pickByOrder(compiler, candidates, shape, location);
  if (picked === undefined && candidates.length > 0 && !isFinal) return undefined;
  // Where nothing shows which of them runs, one that takes a context is enough.
  const running = picked === undefined ? candidates : [picked];
  const refusals = running.map((each) => each.refusePlaces(parameters, inspected.boundArguments));
  return refusals.find((error) => error !== undefined) ?? null;
}
