import type { Compiler, FoundFunction, FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { withoutLeadingParameters } from "./bound.ts";
import { notFound } from "./failures.ts";
import { isClassText, shapeOf } from "./function-text.ts";
import { inspectFunctions, type RuntimeFunction, type Thoroughness } from "./inspector.ts";
import { pick } from "./pick.ts";
import { sourceLocation, type SourceLocation } from "./source-locations.ts";

const described = new WeakMap<Function, Promise<FunctionDescription>>();
let compiler: Promise<Compiler> | undefined;

/**
 * The schemas of functions that run in this process, from their source: in the order of `functions`, with the error in
 * the place of one that has none. The first call starts TypeScript, which then stays, without keeping the process alive.
 * A schema is remembered as long as its function lives. Never rejects.
 */
export async function describeFunctions(
  functions: readonly Function[],
): Promise<readonly FunctionDescription[]> {
  const unknown = [...new Set(functions)].filter((fn) => !described.has(fn));
  if (unknown.length > 0) {
    const answers = describeAll(unknown);
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

type Descriptions = ReadonlyMap<Function, FunctionDescription>;

async function describeAll(functions: readonly Function[]): Promise<Descriptions> {
  const descriptions = await attempt(functions);
  const failed = functions.filter((fn) => hasBroken(descriptions.get(fn)));
  if (failed.length === 0) return descriptions;
  // TypeScript's process may have ended: a Ctrl-C, for one, reaches it as it reaches this one.
  compiler = undefined;
  return new Map([...descriptions, ...(await attempt(failed))]);
}

async function attempt(functions: readonly Function[]): Promise<Descriptions> {
  try {
    compiler ??= import("../compiler/index.ts").then((module) => module.openCompiler());
    return describeLocated(await compiler, functions);
  } catch (error) {
    return new Map(functions.map((fn) => [fn, broken(fn, error)]));
  }
}

/** The quick way to script names first; for what it leaves open, the debugger's, which also knows source maps. */
function describeLocated(opened: Compiler, functions: readonly Function[]): Descriptions {
  const found = new Map<Function, FunctionDescription>();
  for (const thoroughness of ["profiler", "debugger"] as const) {
    const open = functions.filter((fn) => !found.has(fn));
    if (open.length === 0) break;
    const inspected = inspectFunctions(open, thoroughness);
    const sources = open.map((fn, index) => guarded(fn, () => sourceOf(inspected[index])));
    opened.open(sources.flatMap((source) => (source && "file" in source ? source.file : [])));
    for (const [index, fn] of open.entries()) {
      const source = sources[index];
      const description =
        source instanceof SchemaNotFoundError
          ? source
          : guarded(fn, () => describeOne(opened, fn, inspected[index], source, thoroughness));
      if (description !== undefined) found.set(fn, description);
    }
  }
  return found;
}

function sourceOf(inspected: RuntimeFunction | undefined): SourceLocation | undefined {
  return inspected?.location && sourceLocation(inspected.location);
}

/** `undefined` asks for a more thorough look. */
function describeOne(
  compiler: Compiler,
  fn: Function,
  inspected: RuntimeFunction | undefined,
  source: SourceLocation | undefined,
  thoroughness: Thoroughness,
): FunctionDescription | undefined {
  const isFinal = thoroughness === "debugger";
  const text = inspected?.text ?? "";
  if (isClassText(text)) return notFound(fn, "it is a class, not a function");
  if (inspected?.location === undefined) return notFound(fn, "it is built in, not written in JavaScript");
  if (source === undefined) {
    return isFinal ? notFound(fn, "its code comes from no file (eval, new Function)") : undefined;
  }
  const candidates = compiler.functionsLike(source.file, shapeOf(fn.name, text));
  const picked = pick(candidates, source, text) ?? (isFinal ? alike(candidates) : undefined);
  if (picked !== undefined) {
    const description = picked.describe();
    return description instanceof SchemaNotFoundError
      ? description
      : withoutLeadingParameters(description, inspected.boundArguments);
  }
  if (!isFinal) return undefined;
  const reason =
    candidates.length === 0
      ? "it has no function of that name with the same parameters (was it changed after it was loaded?)"
      : `it has ${candidates.length} functions of that name with the same parameters, and nothing tells which one runs: ` +
        "give them different names";
  return notFound(fn, reason, { file: source.file });
}

/** Any of several candidates, if it makes no difference which. */
function alike(candidates: readonly FoundFunction[]): FoundFunction | undefined {
  const descriptions = new Set(candidates.map((found) => JSON.stringify(found.describe())));
  return descriptions.size === 1 ? candidates[0] : undefined;
}

/** Keeps what goes wrong with one function from the others. */
function guarded<Answer>(fn: Function, ask: () => Answer): Answer | SchemaNotFoundError {
  try {
    return ask();
  } catch (error) {
    return broken(fn, error);
  }
}

/** The error for what failed itself, rather than found no schema: it has a cause. */
function broken(fn: Function, error: unknown): SchemaNotFoundError {
  return notFound(fn, reasonOf(error), { cause: error });
}

function hasBroken(description: FunctionDescription | undefined): boolean {
  return description instanceof SchemaNotFoundError && description.cause !== undefined;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_ACCESS_DENIED") {
    return "under --permission, finding it needs --allow-inspector, --allow-child-process and --allow-fs-read";
  }
  return message;
}
