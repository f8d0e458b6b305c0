import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A project that holds only the files asked for, under the options of the tsconfig that includes them. */
export interface NarrowProject {
  /** The path of a configuration file that exists for TypeScript alone, beside the tsconfig. */
  readonly path: string;
  readonly files: Set<string>;
  /** The configuration as text. */
  text(): string;
}

/** Chooses the project of a file. */
export interface ProjectChooser {
  /** `undefined` for a file that the nearest tsconfig.json does not include itself. */
  projectOf(file: string): NarrowProject | undefined;
  /** The text of a configuration that this made; `undefined` for any other file. */
  textOf(path: string): string | undefined;
}

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
    const found = existsSync(here) ? slashed(here) : parent === folder ? undefined : nearestConfig(parent);
    nearest.set(folder, found);
    return found;
  }

  return {
    projectOf(file) {
      const tsconfig = nearestConfig(dirname(file));
      if (tsconfig === undefined) return undefined;
      const files = included.get(tsconfig) ?? new Set(filesOf(tsconfig));
      included.set(tsconfig, files);
      if (!files.has(slashed(file))) return undefined;
      const path = tsconfig.replace(/tsconfig\.json$/, ".skein.tsconfig.json");
      const project = projects.get(path) ?? narrowProject(path, tsconfig, files);
      projects.set(path, project);
      return project;
    },
    textOf: (path) => projects.get(path)?.text(),
  };
}

function narrowProject(path: string, tsconfig: string, included: Iterable<string>): NarrowProject {
  const files = new Set([...included].filter((file) => /\.d\.[cm]?ts$/.test(file)));
  return {
    path,
    files,
    text: () => JSON.stringify({ extends: tsconfig, files: [...files], include: [], references: [] }),
  };
}

/** A path as TypeScript writes it. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
