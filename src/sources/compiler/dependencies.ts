import type { Host, SourceFile } from "./host.ts";
import { libraryPath } from "./shapes.ts";

/**
 * The files whose text decides what the functions of `file` look like: itself, what it imports, directly or not, and what
 * declares things globally. Of packages only the file that is imported: a package changes with its manifest.
 */
export function dependenciesOf(host: Host, file: string): ReadonlySet<string> {
  const reached = new Set([file, ...globalDeclarations(host)]);
  // A set that grows while it is walked.
  for (const path of reached) {
    const source = isInPackage(path) ? undefined : host.sourceFile(path);
    for (const module of source === undefined ? [] : modulesOf(host, source)) reached.add(module);
  }
  return reached;
}

const globals = new WeakMap<Host, readonly string[]>();

function globalDeclarations(host: Host): readonly string[] {
  const cached =
    globals.get(host) ??
    host
      .fileNames()
      .filter((path) => /\.d\.[cm]?ts$/.test(path) && !libraryPath.test(path) && !isInPackage(path));
  globals.set(host, cached);
  return cached;
}

const modules = new WeakMap<SourceFile, readonly string[]>();

function modulesOf(host: Host, source: SourceFile): readonly string[] {
  const cached = modules.get(source) ?? host.modulesOf(source).filter((path) => !libraryPath.test(path));
  modules.set(source, cached);
  return cached;
}

function isInPackage(path: string): boolean {
  return path.includes("/node_modules/");
}
