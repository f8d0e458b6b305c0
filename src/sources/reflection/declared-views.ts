import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { nearestAbove } from "./cache-folder.ts";
import { resolveFrom, type NamedFile } from "./loaded-modules.ts";

/** A place from which modules are named, as those who write there name them. */
export interface View {
  /** The path of a file in the folder from which names are resolved; it need not exist. */
  readonly from: string;
  readonly files: readonly NamedFile[];
}

/** A script whose functions are looked for, and the file that passed them on. */
export interface DeclaredPlace {
  readonly script: string;
  readonly caller: string | undefined;
}

/**
 * The places from which a script's functions may be named, the best first: the file that passed them on, by what it imports;
 * the package of the script, as its users name it; the script itself, which may have declarations beside it.
 */
export const views: readonly ((place: DeclaredPlace) => View | undefined)[] = [
  ({ caller }) =>
    caller === undefined ? undefined : { from: caller, files: resolveFrom(caller, specifiersIn(caller)) },
  packageView,
  ({ script }) => ({ from: script, files: [{ specifier: `./${basename(script)}`, file: script }] }),
];

/** The modules that a file may load, by its text: one too many is not loaded for that. */
function specifiersIn(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const imports = readFileSync(file, "utf8").matchAll(
    /\b(?:from|import|require)\s*\(?\s*(["'])([^"'\n]+)\1/g,
  );
  return [...new Set([...imports].map(([, , specifier = ""]) => specifier))];
}

function packageView({ script, caller }: DeclaredPlace): View | undefined {
  const home = packageOf(script);
  if (home === undefined) return undefined;
  const { name, folder } = home;
  const packageFolder = caller && nearestAbove(dirname(caller), join("node_modules", name));
  const isSame =
    caller !== undefined && packageFolder !== undefined && realpathSync(packageFolder) === folder;
  const from = isSame ? caller : join(home.users, "index.mjs");
  return { from, files: filesOf(home, script, from) };
}

interface Package {
  readonly name: string;
  readonly folder: string;
  /** A folder in which the package has its name. */
  readonly users: string;
}

function packageOf(script: string): Package | undefined {
  const path = script.replaceAll("\\", "/");
  const [, modules, name] = /^(.*\/node_modules)\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (modules !== undefined && name !== undefined) {
    return { name, folder: join(modules, name), users: dirname(modules) };
  }
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    const { name: own } = readManifest(join(folder, "package.json"));
    if (typeof own === "string") return { name: own, folder, users: folder };
    if (dirname(folder) === folder) return undefined;
  }
}

function readManifest(file: string): Readonly<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof manifest === "object" && manifest !== null ? { ...manifest } : {};
  } catch {
    // Without a manifest that can be read, Node finds no package either.
    return {};
  }
}

/** The modules that a package lets its users name: the targets of its `exports`, or its main module and any file. */
function filesOf({ name, folder }: Package, script: string, from: string): readonly NamedFile[] {
  const { exports } = readManifest(join(folder, "package.json"));
  const path = relative(folder, script).replaceAll("\\", "/");
  if (exports === undefined || exports === null) {
    return [...resolveFrom(from, [name]), { specifier: `${name}/${path}`, file: script }];
  }
  const isMap = typeof exports === "object" && Object.keys(exports).some((key) => key.startsWith("."));
  const entries = isMap ? Object.entries(exports) : [[".", exports] as const];
  return entries.flatMap(([key, value]) =>
    targetsIn(value).flatMap((target): readonly NamedFile[] => {
      const isPattern = key.includes("*");
      const star = isPattern ? starIn(target, `./${path}`) : "";
      if (star === undefined) return [];
      const specifier = name + key.slice(1).replace("*", () => star);
      return [{ specifier, file: isPattern ? script : join(folder, target) }];
    }),
  );
}

/** The files that an entry of `exports` names, whatever the condition. */
function targetsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(targetsIn) : [];
}

/** What stands for the star of a pattern in a path. */
function starIn(pattern: string, path: string): string | undefined {
  const [start = "", end = "", ...others] = pattern.split("*");
  const fits = path.startsWith(start) && path.endsWith(end) && path.length > start.length + end.length;
  return fits && others.length === 0 && pattern.includes("*")
    ? path.slice(start.length, path.length - end.length)
    : undefined;
}
