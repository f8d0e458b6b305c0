import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A project that holds only the files asked for. */
export interface NarrowProject {
  /** The path of a configuration file that exists for TypeScript alone. */
  readonly path: string;
  readonly files: Set<string>;
  /** The configuration as text. */
  text(): string;
}

/** Chooses the project of a file. */
export interface ProjectChooser {
  /** `undefined` where TypeScript itself must look: the nearest tsconfig.json leaves the file to those it refers to. */
  projectOf(file: string): NarrowProject | undefined;
  /** The project for a module beside `file` that exists for TypeScript alone. `tsconfig` is what TypeScript found where it must look. */
  projectBeside(file: string, tsconfig: string | undefined): NarrowProject;
  /** The text of a configuration that this made; `undefined` for any other file. */
  textOf(path: string): string | undefined;
  /** The folders of the files that the tsconfigs read so far include, and those above them under the tsconfig. */
  includedFolders(): ReadonlySet<string>;
  /** Looks for tsconfigs, and at what they include, again. */
  forget(): void;
}

/** For files that no tsconfig includes: whatever Node can run, read strictly. */
const looseOptions = {
  strict: true,
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  noEmit: true,
  allowJs: true,
  resolveJsonModule: true,
  jsx: "preserve",
};

/**
 * Narrow projects instead of whole ones: TypeScript then reads what the files import, and not what else the tsconfig
 * includes, which in a larger repository takes most of the time. Declaration files stay, for what they declare globally.
 * @param filesOf - The files that a tsconfig includes.
 */
export function createProjectChooser(filesOf: (tsconfig: string) => readonly string[]): ProjectChooser {
  const nearest = new Map<string, string | undefined>();
  const included = new Map<string, ReadonlySet<string>>();
  const projects = new Map<string, NarrowProject>();

  function nearestConfig(folder: string): string | undefined {
    if (nearest.has(folder)) return nearest.get(folder);
    const here = join(folder, "tsconfig.json");
    const parent = dirname(folder);
    const config = existsSync(here) ? slashed(here) : parent === folder ? undefined : nearestConfig(parent);
    nearest.set(folder, config);
    return config;
  }

  function filesIn(tsconfig: string): ReadonlySet<string> {
    const files = included.get(tsconfig) ?? new Set(filesOf(tsconfig));
    included.set(tsconfig, files);
    return files;
  }

  function project(path: string, base: object, files: Iterable<string>): NarrowProject {
    const narrowed = projects.get(slashed(path)) ?? narrowProject(path, base, files);
    projects.set(narrowed.path, narrowed);
    return narrowed;
  }

  function projectUnder(tsconfig: string): NarrowProject {
    const declarations = [...filesIn(tsconfig)].filter((name) => /\.d\.[cm]?ts$/.test(name));
    const path = join(dirname(tsconfig), `.skein.${basename(tsconfig)}`);
    return project(path, { extends: tsconfig }, declarations);
  }

  function looseProject(file: string): NarrowProject {
    return project(join(dirname(file), ".skein.loose.json"), { compilerOptions: looseOptions }, []);
  }

  function projectOf(file: string): NarrowProject | undefined {
    const tsconfig = nearestConfig(dirname(file));
    if (tsconfig === undefined) return looseProject(file);
    if (filesIn(tsconfig).has(slashed(file))) return projectUnder(tsconfig);
    return refersToOthers(tsconfig) ? undefined : looseProject(file);
  }

  return {
    projectOf,
    projectBeside: (file, tsconfig) =>
      projectOf(file) ?? (tsconfig === undefined ? looseProject(file) : projectUnder(tsconfig)),
    textOf: (path) => projects.get(path)?.text(),
    includedFolders: () =>
      new Set([...included].flatMap(([tsconfig, files]) => [...foldersOf(dirname(tsconfig), files)])),
    forget: () => {
      nearest.clear();
      included.clear();
    },
  };
}

/** The folders of files, each with those above it up to `root`. */
function foldersOf(root: string, files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set([root]);
  for (const file of files) {
    for (let at = dirname(file); at.startsWith(`${root}/`) && !folders.has(at); at = dirname(at))
      folders.add(at);
  }
  return folders;
}

function narrowProject(path: string, base: object, included: Iterable<string>): NarrowProject {
  const files = new Set(included);
  return {
    path: slashed(path),
    files,
    text: () => JSON.stringify({ ...base, files: [...files], include: [], references: [] }),
  };
}

/** Whether a tsconfig may name other projects. Decided by its text: with comments and trailing commas, it is not JSON. */
function refersToOthers(tsconfig: string): boolean {
  return readFileSync(tsconfig, "utf8").includes('"references"');
}

/** A path as TypeScript writes it. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
