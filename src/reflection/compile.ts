import type { Compiler, FoundFunction, FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { failed, notFound } from "./failures.ts";
import { shapeOf } from "./function-text.ts";
import type { Located } from "./look.ts";
import { abandonCompiler, freshCompiler } from "./opened-compiler.ts";
import { isMadeOf, mayBeOutdated } from "./outdated.ts";
import { pick, pickAlike, pickByOrder } from "./pick.ts";
import { unreadableReason, withUnresolvedNames } from "./source-errors.ts";

/** What the compiler says. */
export interface Compiled {
  /** Without those functions that a more thorough look may find. */
  readonly descriptions: ReadonlyMap<Function, FunctionDescription>;
  /** The files on which the schemas of a source file depend. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Asks the compiler for functions; another one if its process has ended. Never rejects. */
export async function compileFunctions(functions: readonly Located[], isFinal: boolean): Promise<Compiled> {
  const first = await attempt(functions, isFinal);
  const open = functions.filter(({ fn }) => hasFailed(first.descriptions.get(fn)));
  if (open.length === 0) return first;
  // TypeScript's process may have ended: a Ctrl-C, for one, reaches it as it reaches this one.
  abandonCompiler();
  const second = await attempt(open, isFinal);
  if (open.some(({ fn }) => hasFailed(second.descriptions.get(fn)))) abandonCompiler();
  return {
    descriptions: new Map([...first.descriptions, ...second.descriptions]),
    dependencies: new Map([...first.dependencies, ...second.dependencies]),
  };
}

async function attempt(functions: readonly Located[], isFinal: boolean): Promise<Compiled> {
  const descriptions = new Map<Function, FunctionDescription>();
  const dependencies = new Map<string, ReadonlySet<string>>();
  const files = new Set(functions.map(({ source }) => source.file));
  try {
    const compiler = await freshCompiler();
    compiler.prepare([...files]);
    const unreadable = new Map<string, string | undefined>();
    for (const each of functions) {
      const description = guarded(each, () => describeOne(compiler, each, unreadable, isFinal));
      if (description !== undefined) descriptions.set(each.fn, description);
    }
    for (const file of files) dependencies.set(file, compiler.dependencies(file));
  } catch (error) {
    for (const { fn } of functions) if (!descriptions.has(fn)) descriptions.set(fn, failed(fn, error));
  }
  return { descriptions, dependencies };
}

/** Keeps what goes wrong with one function from the others. */
function guarded<Answer>({ fn }: Located, ask: () => Answer): Answer | SchemaNotFoundError {
  try {
    return ask();
  } catch (error) {
    return failed(fn, error);
  }
}

function hasFailed(description: FunctionDescription | undefined): boolean {
  return description instanceof SchemaNotFoundError && description.cause !== undefined;
}

/** `undefined` asks for a more thorough look. */
function describeOne(
  compiler: Compiler,
  located: Located,
  unreadable: Map<string, string | undefined>,
  isFinal: boolean,
): FunctionDescription | undefined {
  const { fn, inspected, location, source } = located;
  const { file } = source;
  if (!unreadable.has(file)) unreadable.set(file, unreadableReason(compiler, file));
  const shape = shapeOf(fn.name, inspected.text);
  const candidates = compiler.functionsLike(file, shape);
  let picked = pick(candidates, source, inspected.text);
  if (picked === undefined && !isFinal) return undefined;
  picked ??= pickByOrder(compiler, candidates, shape, location) ?? pickAlike(candidates);
  const reason = unreadable.get(file) ?? mismatch(located, candidates, picked);
  if (reason !== undefined) return notFound(fn, reason, { file });
  return picked && withUnresolvedNames(compiler, file, picked.describe());
}

/** Why what the source says may not be told of the function that runs; `undefined` if it may. */
function mismatch(
  { inspected, source }: Located,
  candidates: readonly FoundFunction[],
  picked: FoundFunction | undefined,
): string | undefined {
  const isOther = (): boolean =>
    picked === undefined ? candidates.length === 0 : !isMadeOf(picked, inspected.text);
  if (mayBeOutdated(source) && isOther()) {
    return source.file === source.script
      ? "it was changed after it was loaded, and what runs is not what it says: start the program again"
      : `it was changed after ${source.script} was built of it: build the program again`;
  }
  if (picked !== undefined) return undefined;
  if (candidates.length === 0) {
    return "it has no function of that name with the same parameters (was it renamed, or rewritten by a build tool?)";
  }
  return (
    `it has ${candidates.length} functions of that name with the same parameters, and nothing tells which one runs: ` +
    "give them different names"
  );
}
