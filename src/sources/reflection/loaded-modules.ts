import nodeModule, { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { types } from "node:util";
import type { ModuleMember } from "../compiler/index.ts";

/** A file under the name by which a module would load it. */
export interface NamedFile {
  readonly specifier: string;
  /** An absolute path, or a `file:` URL, which may have a query. */
  readonly file: string;
}

/** A module that is loaded, by the name under which a file would load it. */
export interface LoadedModule extends Pick<ModuleMember, "specifier" | "loading"> {
  /** The namespace that is imported, or what `require` returns. */
  readonly exports: unknown;
}

/** How long a module that is loaded takes at most, in milliseconds: one that waits for the asking file itself never comes. */
const longestImport = 500;

const { cache } = createRequire(import.meta.url);

/**
 * Those modules that are loaded: nothing runs for being looked at. Of CommonJS, what `require` returns.
 * @param scripts - What V8 has loaded.
 */
export async function loadedModules(
  named: readonly NamedFile[],
  scripts: ReadonlySet<string>,
): Promise<readonly LoadedModule[]> {
  const modules = await Promise.all(
    named.map(async ({ specifier, file }): Promise<LoadedModule | undefined> => {
      const url = file.startsWith("file:") ? file : pathToFileURL(file).href;
      const required = cache[fileURLToPath(url)];
      if (required !== undefined) return { specifier, loading: "require", exports: required.exports };
      const exports = scripts.has(url) ? await importLoaded(url) : undefined;
      return exports === undefined ? undefined : { specifier, loading: "import", exports };
    }),
  );
  return modules.filter((module) => module !== undefined);
}

/** The files that a file would load under these names, as Node resolves them: for `require` and for `import`. */
export function resolveFrom(from: string, specifiers: readonly string[]): readonly NamedFile[] {
  const named = (resolve: (specifier: string) => string): readonly NamedFile[] =>
    specifiers.flatMap((specifier) => {
      const file = attempt(() => resolve(specifier));
      return file !== undefined && /^(?:file:|\/|[a-z]:)/i.test(file) ? [{ specifier, file }] : [];
    });
  const { resolve } = createRequire(from);
  // Only a hook resolves as another file would. Where there is none, `require` is the best approximation.
  if (typeof nodeModule.registerHooks !== "function") return named(resolve);
  const prefix = `skein-resolve:${from}:`;
  const parentURL = pathToFileURL(from).href;
  const hooks = nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith(prefix)
        ? next(specifier.slice(prefix.length), { ...context, parentURL })
        : next(specifier, context),
  });
  try {
    return [...named((specifier) => import.meta.resolve(prefix + specifier)), ...named(resolve)];
  } finally {
    hooks.deregister();
  }
}

/** `undefined` for a module that cannot be found: it is not loaded. */
function attempt(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}

/** `undefined` for a module that has failed, or that still waits for something. */
async function importLoaded(url: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestImport);
  });
  const namespace: Promise<unknown> = import(url);
  const settled = namespace.catch(() => undefined);
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The names that lead to functions from what a module exports: `export`, `export.member`, `export.prototype.method`. */
export function pathsTo(
  functions: ReadonlySet<unknown>,
  exports: unknown,
): ReadonlyMap<unknown, readonly (readonly string[])[]> {
  const paths = new Map<unknown, (readonly string[])[]>();
  for (const [value, path] of membersOf(exports)) {
    if (functions.has(value)) paths.set(value, [...(paths.get(value) ?? []), path]);
  }
  return paths;
}

type Member = readonly [value: unknown, path: readonly string[]];

function* membersOf(exports: unknown): Iterable<Member> {
  yield [exports, []];
  for (const [name, value] of ownValues(exports)) {
    yield [value, [name]];
    for (const member of innerMembers(value)) yield within(name, member);
    // What a module of CommonJS exports is the default of the one that wraps it.
    if (name !== "default") continue;
    for (const [inner, object] of ownValues(value)) {
      for (const member of innerMembers(object)) yield within(name, within(inner, member));
    }
  }
}

function within(name: string, [value, path]: Member): Member {
  return [value, [name, ...path]];
}

/** The members of an object, and the methods of a class. */
function* innerMembers(object: unknown): Iterable<Member> {
  for (const [name, value] of ownValues(object)) {
    yield [value, [name]];
    if (name !== "prototype" || typeof object !== "function") continue;
    for (const [method, fn] of ownValues(value)) yield [fn, [name, method]];
  }
}

/** Own properties that hold their values: a getter is not run. */
function ownValues(object: unknown): readonly (readonly [name: string, value: unknown])[] {
  const isObject = (typeof object === "object" && object !== null) || typeof object === "function";
  // A proxy would run code of its own.
  if (!isObject || types.isProxy(object)) return [];
  return Object.getOwnPropertyNames(object).flatMap((name) => {
    const descriptor = valueOf(object, name);
    return descriptor === undefined ? [] : [[name, descriptor] as const];
  });
}

function valueOf(object: object, name: string): unknown {
  try {
    return Object.getOwnPropertyDescriptor(object, name)?.value;
  } catch {
    // An export that its module has not come to yet.
    return undefined;
  }
}
