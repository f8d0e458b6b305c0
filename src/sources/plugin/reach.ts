import { existsSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";

/** Tells which files can use tools, by the modules that they name: cheaper than asking TypeScript. */
export interface Reach {
  /**
   * The files of a program that can use tools, of those that `file` reaches: itself first. None if it cannot.
   * A file can where it imports Skein, or anything that does, directly or not: types come by that way.
   */
  from(file: string, text: string): readonly string[];
  /** Reads these files again. */
  forget(files: Iterable<string>): void;
  /** What has changed on disk since it was read; it is read again. */
  refresh(): Changes;
}

/** What has changed on disk. */
export interface Changes {
  readonly files: readonly string[];
  /** Whether a file is there now that another one names, and that was not there before. */
  readonly hasNew: boolean;
}

interface Imports {
  /** Whether Skein, or a package that depends on it, or a module that may be anything, is named. */
  readonly direct: boolean;
  readonly files: readonly string[];
  /** The relative paths that it names and under which there is no file. */
  readonly missing: readonly string[];
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"];

/** `from "x"`, `import "x"`, `import("x")`, `require("x")`. Text that looks like one does no harm. */
const specifiers = /\b(?:from|import|require)\s*\(?\s*(["'])([^"'\n]+)\1/g;

/** Makes the scanner. */
export function createReach(): Reach {
  const cached = new Map<string, Imports>();
  /** When each file had last been changed. */
  const times = new Map<string, number>();
  const packages = new Map<string, boolean>();

  function importsOf(file: string, text: string): Imports {
    const names = [...new Set([...text.matchAll(specifiers)].map(([, , name = ""]) => name))];
    const relative = names.filter((name) => name.startsWith("."));
    const direct = names.some((name) => !name.startsWith(".") && leadsToSkein(name, dirname(file)));
    const paths = relative.map((name) => resolve(dirname(file), name));
    const files = paths.map(resolveFile);
    times.set(file, changedAt(file));
    return {
      direct,
      files: files.filter((path) => path !== undefined),
      missing: paths.filter((_, index) => files[index] === undefined),
    };
  }

  function leadsToSkein(specifier: string, folder: string): boolean {
    if (specifier === "skein" || specifier.startsWith("skein/")) return true;
    if (isBuiltin(specifier)) return false;
    const [first = "", second = ""] = specifier.split("/");
    const name = first.startsWith("@") ? `${first}/${second}` : first;
    const answer = packages.get(name) ?? dependsOnSkein(name, folder);
    packages.set(name, answer);
    return answer;
  }

  function read(file: string): Imports {
    const imports = cached.get(file) ?? importsOf(file, readFileSync(file, "utf8"));
    cached.set(file, imports);
    return imports;
  }

  /** The files that `file` reaches, each with what it names. */
  function closure(file: string): ReadonlyMap<string, Imports> {
    const importsByFile = new Map([[file, read(file)]]);
    for (const { files } of importsByFile.values()) {
      for (const next of files) if (!importsByFile.has(next)) importsByFile.set(next, read(next));
    }
    return importsByFile;
  }

  return {
    from(file, text) {
      cached.set(file, importsOf(file, text));
      const reached = closure(file);
      const using = new Set([...reached].filter(([, { direct }]) => direct).map(([path]) => path));
      // Who imports a file that can use tools can, too: until nothing is added.
      for (let size = -1; size !== using.size;) {
        size = using.size;
        for (const [path, { files }] of reached) if (files.some((next) => using.has(next))) using.add(path);
      }
      return using.has(file) ? [file, ...[...using].filter((path) => path !== file)] : [];
    },
    forget(files) {
      for (const file of files) cached.delete(file);
      packages.clear();
    },
    refresh() {
      const files = [...cached.keys()].filter((file) => changedAt(file) !== times.get(file));
      const finds = [...cached].filter(([, { missing }]) => missing.some(resolveFile));
      for (const file of [...files, ...finds.map(([path]) => path)]) cached.delete(file);
      packages.clear();
      return { files, hasNew: finds.length > 0 };
    },
  };
}

/** The file that a relative specifier means, as TypeScript and bundlers look for it. */
function resolveFile(path: string): string | undefined {
  const withoutJs = path.replace(/\.([cm]?)jsx?$/, "");
  const flavour = /\.([cm]?)jsx?$/.exec(path)?.[1] ?? "";
  const sources = path === withoutJs ? [] : [`${withoutJs}.${flavour}ts`, `${withoutJs}.tsx`];
  const added = extensions.flatMap((extension) => [path + extension, join(path, `index${extension}`)]);
  return [path, ...sources, ...added].find(
    (candidate) => extensions.some((extension) => candidate.endsWith(extension)) && isFile(candidate),
  );
}

/** When a file was last changed; 0 for one that is not there. */
export function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a package depends on Skein; also if there is none of that name, for then it is an alias of a path. */
function dependsOnSkein(name: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = join(at, "node_modules", name, "package.json");
    if (existsSync(manifest)) return /"skein"\s*:/.test(readFileSync(manifest, "utf8"));
    if (at === dirname(at)) return true;
  }
}
