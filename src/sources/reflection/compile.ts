import { isJavaScript } from "../compiler/diagnostics.ts";
import type { Compiler, FoundFunction, FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import { isFailure, notFound, writeSchema } from "./failures.ts";
import { shapeOf } from "./function-text.ts";
import type { Located } from "./look.ts";
import { isOfJavaScript } from "./passed.ts";
import { lostInBuild } from "./lost.ts";
import { abandonCompiler, freshCompiler } from "./opened-compiler.ts";
import { changeFinder, isMadeOf, loadedAt, mayBeOutdated } from "./outdated.ts";
import { pick, pickAlike, pickByOrder } from "./pick.ts";
import { failed, remedyFor, withRemedy, type ScriptPlace } from "./remedies.ts";
import type { SourceLocation } from "./source-locations.ts";
import { findOutdated, type SuspectedFunction } from "./stale.ts";
import { unreadableReason, withUnresolvedNames } from "./source-errors.ts";

/** What the compiler says. */
export interface Compiled {
  /** Without those functions that a more thorough look may find. */
  readonly descriptions: ReadonlyMap<Function, FunctionDescription>;
  /** The functions whose JavaScript lacks types or a name, or does not show which one runs: declarations may. */
  readonly undescribed: ReadonlySet<Function>;
  /** The files on which the schemas of a source file depend. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Asks the compiler for functions; another one if its process has ended. Never rejects. */
export async function compileFunctions(functions: readonly Located[], isFinal: boolean): Promise<Compiled> {
  const first = await attempt(functions, isFinal);
  const open = functions.filter(({ fn }) => isFailure(first.descriptions.get(fn)));
  if (open.length === 0) return first;
  // TypeScript's process may have ended: a Ctrl-C, for one, reaches it as it reaches this one.
  abandonCompiler();
  const second = await attempt(open, isFinal);
  if (open.some(({ fn }) => isFailure(second.descriptions.get(fn)))) abandonCompiler();
  return {
    descriptions: new Map([...first.descriptions, ...second.descriptions]),
    undescribed: new Set([...first.undescribed, ...second.undescribed]),
    dependencies: new Map([...first.dependencies, ...second.dependencies]),
  };
}

async function attempt(functions: readonly Located[], isFinal: boolean): Promise<Compiled> {
  const descriptions = new Map<Function, FunctionDescription>();
  const undescribed = new Set<Function>();
  const dependencies = new Map<string, ReadonlySet<string>>();
  const files = new Set(functions.map(({ source }) => source.file));
  try {
    const compiler = await freshCompiler();
    compiler.prepare([...files]);
    const search: Search = { compiler, isFinal, undescribed, unreadable: new Map(), picked: new Map() };
    for (const each of functions) {
      const description = guarded(each, () => describeOne(search, each));
      if (description !== undefined) descriptions.set(each.fn, description);
    }
    for (const file of files) dependencies.set(file, compiler.dependencies(file));
    await refuseUnloaded(search, functions, { descriptions, dependencies });
  } catch (error) {
    for (const each of functions)
      if (!descriptions.has(each.fn)) descriptions.set(each.fn, failed(each.fn, error, scriptPlace(each)));
  }
  return { descriptions, undescribed, dependencies };
}

/** Refuses functions whose types are newer than the code: of values that have changed in a module which runs as it was. */
async function refuseUnloaded(
  { compiler, picked }: Search,
  functions: readonly Located[],
  { descriptions, dependencies }: Answers,
): Promise<void> {
  const suspects = new Map<Function, SuspectedFunction>();
  const changedSince = changeFinder();
  for (const { fn, source } of functions) {
    const description = descriptions.get(fn);
    const match = picked.get(fn);
    if (match === undefined || description === undefined || description instanceof SchemaNotFoundError)
      continue;
    const { file } = source;
    const changed = changedSince(file, dependencies.get(file) ?? [], loadedAt(source));
    if (changed.length > 0) suspects.set(fn, { file, match, schema: description.inputSchema, changed });
  }
  const outdated = suspects.size === 0 ? new Map<Function, string>() : await findOutdated(compiler, suspects);
  for (const { fn, source } of functions) {
    const file = outdated.get(fn);
    if (file === undefined) continue;
    const reason = `its types are newer than the code that runs, for ${file} ${changeOf(source)}`;
    descriptions.set(fn, notFound(fn, reason, { file: source.file }));
  }
}

/** Keeps what goes wrong with one function from the others. */
function guarded<Answer>(located: Located, ask: () => Answer): Answer | SchemaNotFoundError {
  try {
    return ask();
  } catch (error) {
    return failed(located.fn, error, scriptPlace(located));
  }
}

interface Search {
  readonly compiler: Compiler;
  readonly isFinal: boolean;
  /** Why files cannot be read, by their paths. */
  readonly unreadable: Map<string, string | undefined>;
  readonly undescribed: Set<Function>;
  /** What was found of functions. */
  readonly picked: Map<Function, FoundFunction>;
}

interface Answers extends Pick<Compiled, "dependencies"> {
  readonly descriptions: Map<Function, FunctionDescription>;
}

/** `undefined` asks for a more thorough look. */
function describeOne(
  { compiler, isFinal, unreadable, undescribed, ...search }: Search,
  located: Located,
): FunctionDescription | undefined {
  const { fn, inspected, location, source } = located;
  const { file } = source;
  if (!unreadable.has(file)) unreadable.set(file, unreadableReason(compiler, file));
  const shape = shapeOf(fn.name, inspected.text);
  const candidates = compiler.functionsLike(file, shape);
  let picked = pick(candidates, source, inspected.text);
  if (picked === undefined && !isFinal) return undefined;
  picked ??= pickByOrder(compiler, candidates, shape, location) ?? pickAlike(candidates);
  const reason = unreadable.get(file) ?? outdatedReason(located, candidates, picked);
  if (reason !== undefined) return notFound(fn, reason, { file });
  if (picked === undefined) {
    if (isJavaScript(file)) undescribed.add(fn);
    return unmatched(located, candidates);
  }
  search.picked.set(fn, picked);
  const description = picked.describe();
  if (isOfJavaScript(description) || (isJavaScript(file) && isNameless(description))) undescribed.add(fn);
  const place = scriptPlace(located);
  if (!(description instanceof SchemaNotFoundError)) {
    const lost = source.file === source.script ? lostInBuild(description, place) : undefined;
    if (lost) undescribed.add(fn);
    return lost ?? description;
  }
  const worded = withRemedy(description, place);
  return worded === description ? withUnresolvedNames(compiler, file, description) : worded;
}

/** `module.exports = function () {}` has no name; its declaration may have one. */
function isNameless(description: FunctionDescription): boolean {
  return !(description instanceof SchemaNotFoundError) && description.name === "";
}

function scriptPlace({ fn, inspected, source }: Located): ScriptPlace {
  return { fn, text: inspected.text, script: source.script };
}

/** Why what the source says may not be what runs; `undefined` if it may. */
function outdatedReason(
  { inspected, source }: Located,
  candidates: readonly FoundFunction[],
  picked: FoundFunction | undefined,
): string | undefined {
  const isOther = (): boolean =>
    picked === undefined ? candidates.length === 0 : !isMadeOf(picked, inspected.text);
  if (!mayBeOutdated(source) || !isOther()) return undefined;
  return source.file === source.script
    ? "it was changed after it was loaded, and what runs is not what it says: start the program again"
    : `it was changed after ${source.script} was built of it: build the program again`;
}

function changeOf({ file, script }: SourceLocation): string {
  return file === script
    ? "was changed after it was loaded: start the program again"
    : `was changed after ${script} was built: build the program again`;
}

/** The error for a function that its source does not have, or has several of. */
function unmatched(located: Located, candidates: readonly FoundFunction[]): SchemaNotFoundError {
  const { fn, source } = located;
  const { file } = source;
  if (candidates.length > 0) {
    const reason = `it has ${candidates.length} functions of that name with the same parameters, and nothing shows which one runs`;
    return notFound(fn, reason, { file, remedy: "Give them different names" });
  }
  const reason =
    "it has no function of that name with the same parameters (was it renamed, or rewritten by a build tool?)";
  const isRewritten = file !== source.script;
  const remedy = isRewritten ? remedyFor(scriptPlace(located)) : `Give it its name back, or ${writeSchema}`;
  return notFound(fn, reason, { file, remedy });
}
