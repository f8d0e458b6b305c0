import { posix } from "node:path";
import { allowedImports, roomOf } from "./layers.ts";
import type { SourceModule } from "./modules.ts";

const maxLines = 400;

/** The root entry, and what it reaches through `imports` of package.json: what a bundler sees of `import "skein"`. */
const roots = [
  "src/index.ts",
  "src/sources/reflection/index.ts",
  "src/providers/resolution/index.ts",
  "src/base/offload/index.ts",
];

/** Everything in which `modules`, all of `src/`, break the rules of CONTRIBUTING.md: one sentence each. */
export function checkModules(modules: readonly SourceModule[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  return [
    ...modules.flatMap((module) => checkImports(module, known)),
    ...findCycles(modules).map((cycle) => `import cycle: ${cycle.join(" -> ")}`),
    ...modules.flatMap((module) => checkForm(module)),
    ...findAssets(modules),
  ];
}

/** Bundlers copy what `new URL(..., import.meta.url)` names, and Next.js stops where that is a folder. */
function findAssets(modules: readonly SourceModule[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const reached = new Set(roots);
  for (const path of reached) {
    const module = byPath.get(path);
    for (const specifier of module?.imports ?? []) {
      if (module && specifier.startsWith(".")) reached.add(resolve(module, specifier));
    }
  }
  return [...reached]
    .filter((path) => byPath.get(path)?.namesAsset)
    .map(
      (path) =>
        `${path} says new URL(..., import.meta.url), which bundlers of the root entry take for a file`,
    );
}

function checkImports(module: SourceModule, known: ReadonlySet<string>): string[] {
  const room = roomOf(withinSource(module.path));
  const allowed = new Set([room, ...allowedImports(room)]);
  return module.imports.flatMap((specifier) => {
    if (/^skein(\/|$)/.test(specifier)) return [`${module.path} imports ${specifier} instead of a file`];
    if (!specifier.startsWith(".")) return [];
    const target = resolve(module, specifier);
    if (!known.has(target)) return [`${module.path} imports ${specifier}, which is not a file of src/`];
    const other = roomOf(withinSource(target));
    if (allowed.has(other)) return [];
    return [`${module.path} imports ${target}: ${room} must not import ${other}`];
  });
}

function checkForm({ path, lines, undocumented }: SourceModule): string[] {
  const tooLong = lines > maxLines ? [`${path} has ${lines} lines; ${maxLines} is the most`] : [];
  return [...tooLong, ...undocumented.map((name) => `${path} exports ${name} without a doc comment`)];
}

/** The files of each import cycle, the first one repeated at the end. A cycle within a cycle is found once the first is gone. */
function findCycles(modules: readonly SourceModule[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const done = new Set<string>();
  const trail: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    const module = byPath.get(path);
    if (start >= 0 || done.has(path) || !module) return;
    trail.push(path);
    for (const specifier of module.imports) {
      if (specifier.startsWith(".")) visit(resolve(module, specifier));
    }
    trail.pop();
    done.add(path);
  };
  for (const { path } of modules) visit(path);
  return cycles;
}

function withinSource(path: string): string {
  return path.replace(/^src\//, "");
}

function resolve(module: SourceModule, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(module.path), specifier));
}
