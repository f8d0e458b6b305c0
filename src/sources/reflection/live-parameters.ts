import { isJavaScript } from "../compiler/diagnostics.ts";
import type { Compiler, FunctionSchema } from "../compiler/index.ts";
import { findOtherNames } from "../compiler/parameter-names.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import { shapeOf } from "./function-text.ts";
import { look, type Located, type Unlocated } from "./look.ts";
import { askCompiler } from "./opened-compiler.ts";
import { pick, pickByOrder } from "./pick.ts";
import { runningPlace } from "./running-places.ts";

/** What a type alone says of a function. */
export interface TypedFunction {
  readonly schema: FunctionSchema;
  /** Whether the type is that of what a wrapper returns. */
  readonly isWrapped: boolean;
  /** The error if its code passes all that it gets to another function. */
  readonly unseen: SchemaNotFoundError | undefined;
}

/** What the code of running functions says against the types by which they were passed on. */
export interface LiveParameters {
  /** By function: it takes a context where its type has an argument. */
  readonly errors: ReadonlyMap<Function, SchemaNotFoundError>;
  /** Functions whose parameters have other names than those of the type: their own code says what they take. */
  readonly renamed: ReadonlySet<Function>;
  /** The files that decide it, by function. */
  readonly dependencies: ReadonlyMap<Function, ReadonlySet<string>>;
  /** Where the functions stand: see `CachedSchema`. */
  readonly places: ReadonlyMap<Function, string>;
}

/**
 * Holds functions of which a type alone shows, such as the methods of an interface, against the code that runs: a `ToolContext`
 * there is never an argument, and a name is that of the parameter at its place. What a package's code takes, its types say.
 */
export async function findLiveParameters(
  functions: ReadonlyMap<Function, TypedFunction>,
): Promise<LiveParameters> {
  const errors = new Map<Function, SchemaNotFoundError>();
  const dependencies = new Map<Function, ReadonlySet<string>>();
  const places = new Map<Function, string>();
  const renamed = new Set<Function>();
  const open = new Set(functions.keys());
  for (const thoroughness of ["profiler", "debugger"] as const) {
    if (open.size === 0) break;
    const results = await look([...open], thoroughness);
    const isFinal = thoroughness === "debugger";
    for (const each of results) {
      if (!isFinal) places.set(each.fn, runningPlace(each));
      const typed = functions.get(each.fn);
      if (typed !== undefined && hasOtherNames(each, typed)) renamed.add(each.fn);
    }
    const located = results.filter((each) => "source" in each);
    await askCompiler((compiler) => {
      for (const each of located) {
        const typed = functions.get(each.fn);
        const error = typed && (unseenCode(each, typed) ?? refuse(compiler, each, typed.schema, isFinal));
        if (error === undefined) continue;
        open.delete(each.fn);
        dependencies.set(each.fn, compiler.dependencies(each.source.file));
        if (error !== null) errors.set(each.fn, error);
      }
    });
  }
  for (const fn of errors.keys()) renamed.delete(fn);
  return { errors, renamed, dependencies, places };
}

/** Wrappers name their parameters as they like, and minifiers those of a package: there, only a name at another place counts. */
function hasOtherNames(running: Located | Unlocated, { schema, isWrapped }: TypedFunction): boolean {
  const { fn } = running;
  const isLocated = "source" in running;
  const text = isLocated ? running.inspected.text : Function.prototype.toString.call(fn);
  const names = shapeOf(fn.name, text).parameters ?? [];
  const bound = isLocated ? running.inspected.boundArguments : 0;
  const others = findOtherNames(schema.parameters, names.slice(bound));
  const isLoose = isWrapped || (isLocated && isOfPackage(running));
  return others.some(({ isMoved }) => isMoved || !isLoose);
}

function isOfPackage({ source }: Located): boolean {
  return isJavaScript(source.file) && source.file.includes("/node_modules/");
}

/** The error for a method that is a helper's, as of `traced(bank).close`: only the one that it calls shows what it takes. */
function unseenCode(running: Located, { unseen }: TypedFunction): SchemaNotFoundError | undefined {
  if (unseen === undefined || isOfPackage(running)) return undefined;
  const { name } = running.fn;
  const { text } = running.inspected;
  // A method that takes a list, written under its name, is not a helper's.
  if (name !== "" && text.replace(/^(?:async\s|function\s|[\s*])+/, "").startsWith(`${name}(`))
    return undefined;
  const { parameters = [] } = shapeOf(name, text);
  return parameters.some((each) => each.startsWith("...")) ? unseen : undefined;
}

/** `undefined` asks for a more thorough look; `null` where nothing is wrong. */
function refuse(
  compiler: Compiler,
  running: Located,
  { parameters }: FunctionSchema,
  isFinal: boolean,
): SchemaNotFoundError | null | undefined {
  const { fn, inspected, location, source } = running;
  if (isOfPackage(running)) return null;
  const shape = shapeOf(fn.name, inspected.text);
  const candidates = compiler.functionsLike(source.file, shape);
  const picked =
    pick(candidates, source, inspected.text) ?? pickByOrder(compiler, candidates, shape, location);
  if (picked === undefined && candidates.length > 0 && !isFinal) return undefined;
  // Where nothing shows which of them runs, one that takes a context is enough.
  const refusals = (picked === undefined ? candidates : [picked]).map((each) =>
    each.refusePlaces(parameters, inspected.boundArguments),
  );
  return refusals.find((error) => error !== undefined) ?? null;
}
