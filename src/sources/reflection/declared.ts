import { existsSync } from "node:fs";
import type { FunctionDescription, ModuleMember } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";
import type { SchemaCache } from "./cache.ts";
import { views, type DeclaredPlace, type View } from "./declared-views.ts";
import { hashOf } from "./hash.ts";
import { loadedScripts } from "./inspector.ts";
import { loadedModules, pathsTo } from "./loaded-modules.ts";
import { askCompiler, doubtFiles } from "./opened-compiler.ts";
import { failed } from "./remedies.ts";

/** What declarations say of functions. */
export interface DeclaredDescriptions {
  /** Without those that no declaration describes. */
  readonly descriptions: ReadonlyMap<Function, FunctionDescription>;
  /** The files that decide what functions are, by the place from which they were named. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Describes functions of JavaScript by the declarations that TypeScript would use. Which declaration it is, the value itself
 * shows: a function that a loaded module exports has the type of that export. Never rejects.
 */
export async function describeDeclared(
  functions: ReadonlyMap<Function, DeclaredPlace>,
  cache: SchemaCache,
): Promise<DeclaredDescriptions> {
  const descriptions = new Map<Function, FunctionDescription>();
  const dependencies = new Map<string, Set<string>>();
  try {
    const scripts = await loadedScripts();
    for (const viewOf of views) {
      const open = [...functions].flatMap(([fn, place]) => {
        const view = descriptions.has(fn) ? undefined : viewOf(place);
        return view === undefined ? [] : [{ fn, view }];
      });
      for (const [from, group] of Map.groupBy(open, ({ view }) => view.from)) {
        const members = await membersFor(group, scripts);
        const described = await describeMembers(from, members, cache);
        for (const [fn, description] of described.descriptions) descriptions.set(fn, description);
        dependencies.set(from, new Set([...(dependencies.get(from) ?? []), ...described.files]));
      }
    }
  } catch (error) {
    for (const fn of functions.keys()) if (!descriptions.has(fn)) descriptions.set(fn, failed(fn, error));
  }
  return { descriptions, dependencies };
}

type Members = ReadonlyMap<Function, readonly ModuleMember[]>;

/** The members of loaded modules that functions are, seen from one place; the shortest way first. */
async function membersFor(
  group: readonly { readonly fn: Function; readonly view: View }[],
  scripts: ReadonlySet<string>,
): Promise<Members> {
  const functions = new Set(group.map(({ fn }) => fn));
  const files = new Map(
    group.flatMap(({ view }) => view.files.map((named) => [JSON.stringify(named), named])),
  );
  const members = new Map<Function, ModuleMember[]>();
  for (const { specifier, loading, exports } of await loadedModules([...files.values()], scripts)) {
    const paths = pathsTo(functions, exports);
    for (const fn of functions) {
      const alternatives = (paths.get(fn) ?? []).map((path) => ({ specifier, loading, path, name: fn.name }));
      members.set(fn, [...(members.get(fn) ?? []), ...alternatives]);
    }
  }
  for (const [fn, alternatives] of members) {
    // `import` and `require` may come to the same.
    const distinct = new Map(alternatives.map((member) => [JSON.stringify(member), member]));
    members.set(fn, [...distinct.values()].toSorted(shortestFirst));
  }
  return members;
}

/** Of two that are as short, the one that has the function's own name. */
function shortestFirst(left: ModuleMember, right: ModuleMember): number {
  const isRenamed = ({ path, name }: ModuleMember): number => Number(path.at(-1) !== name);
  return left.path.length - right.path.length || isRenamed(left) - isRenamed(right);
}

async function describeMembers(
  from: string,
  members: Members,
  cache: SchemaCache,
): Promise<{
  readonly descriptions: ReadonlyMap<Function, FunctionDescription>;
  readonly files: ReadonlySet<string>;
}> {
  const descriptions = new Map<Function, FunctionDescription>();
  const open: (readonly [fn: Function, members: readonly ModuleMember[]])[] = [];
  const keyOf = (alternatives: readonly ModuleMember[]) => ({
    file: from,
    id: hashOf(JSON.stringify(["declared", alternatives])),
  });
  for (const [fn, alternatives] of members) {
    const schema = cache.find(keyOf(alternatives));
    if (schema) descriptions.set(fn, schema);
    else if (alternatives.length > 0) open.push([fn, alternatives]);
  }
  if (open.length === 0) return { descriptions, files: new Set() };
  const all = open.flatMap(([, alternatives]) => alternatives);
  const described = await askCompiler((compiler) => compiler.members(from, all));
  let at = 0;
  for (const [fn, alternatives] of open) {
    const results = described.descriptions.slice(at, (at += alternatives.length));
    const description = results.find((each) => each !== undefined);
    if (description === undefined) continue;
    descriptions.set(fn, description);
    if (description instanceof SchemaNotFoundError) doubtFiles();
    else cache.add(keyOf(alternatives), description);
  }
  return { descriptions, files: new Set([...described.files, ...(existsSync(from) ? [from] : [])]) };
}
