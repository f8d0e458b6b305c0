import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Workspace } from "../compiler/project.ts";

/** Tells from which source a file was emitted, by the place where it is. */
export type SourceFinder = (emitted: string) => string | undefined;

/**
 * Reads the tsconfigs around a folder of emitted files: where each says that its files go. Compilers that are not configured by a
 * tsconfig keep the paths of the sources below some folder: that folder under which most of the files are found.
 * @param folder - An absolute path.
 * @param files - What was emitted there.
 */
export function createSourceFinder(
  workspace: Workspace,
  folder: string,
  files: readonly string[],
): SourceFinder {
  const configs = configsAround(folder).flatMap((path) => readOutputs(workspace, path));
  const outputs = new Map(configs.flatMap((config) => [...config.outputs]));
  const base = mostFrequent(
    files.filter((file) => !outputs.has(stem(file))),
    sourceFolders(folder, configs),
    (file, candidate) => sourceBelow(candidate, relative(folder, file)) !== undefined,
  );
  return (emitted) =>
    outputs.get(stem(emitted)) ??
    (base === undefined ? undefined : sourceBelow(base, relative(folder, emitted)));
}

interface ProjectOutputs {
  /** The sources by what is emitted from them, without its ending. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly sourceFolders: readonly string[];
}

const sourceEndings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/** A path without its ending: `main.mts` becomes `main.mjs`, and `view.tsx` may become `view.jsx`. */
function stem(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}

/** The tsconfigs of the nearest folder that has any, of the working directory, and of those that they refer to. */
function configsAround(folder: string): readonly string[] {
  const configs = new Set([...nearestConfigs(dirname(folder)), ...configsIn(process.cwd())]);
  // A set that grows while it is walked.
  for (const config of configs) for (const reference of referencesOf(config)) configs.add(reference);
  return [...configs];
}

function nearestConfigs(folder: string): readonly string[] {
  for (let at = folder; ; at = dirname(at)) {
    const configs = configsIn(at);
    if (configs.length > 0 || dirname(at) === at) return configs;
  }
}

function configsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^tsconfig.*\.json$/.test(name))
    .map((name) => join(folder, name));
}

/** The tsconfigs that one refers to. Read from its text: comments and trailing commas keep it from being JSON. */
function referencesOf(config: string): readonly string[] {
  const [, list = ""] = /"references"\s*:\s*\[([^\]]*)\]/.exec(readFileSync(config, "utf8")) ?? [];
  return [...list.matchAll(/"path"\s*:\s*"([^"]+)"/g)].flatMap(([, path = ""]) => {
    const target = resolve(dirname(config), path);
    const file = statSync(target, { throwIfNoEntry: false })?.isDirectory()
      ? join(target, "tsconfig.json")
      : target;
    return existsSync(file) ? [file] : [];
  });
}

function readOutputs(workspace: Workspace, config: string): readonly ProjectOutputs[] {
  const { fileNames, options } = workspace.readConfig(config);
  const { outDir, rootDir } = options;
  const sources = fileNames.filter((name) => !/\.d\.[cm]?ts$/.test(name) && !name.endsWith(".json"));
  const folders = [typeof rootDir === "string" ? rootDir : undefined, commonFolder(sources), dirname(config)];
  const sourceFolders = folders.flatMap((path) => (path === undefined ? [] : [resolve(path)]));
  const outputs = new Map<string, string>();
  if (typeof outDir === "string") {
    // The tsconfig's own folder is the default of TypeScript 6, what the files have in common that of those before.
    for (const base of sourceFolders.toReversed()) {
      for (const source of sources)
        outputs.set(stem(resolve(outDir, relative(base, source))), resolve(source));
    }
  }
  return [{ outputs, sourceFolders }];
}

function commonFolder(files: readonly string[]): string | undefined {
  const [first, ...others] = files.map((file) => dirname(file).split("/"));
  if (first === undefined) return undefined;
  const same = first.findIndex((part, index) => others.some((parts) => parts[index] !== part));
  return (same < 0 ? first : first.slice(0, same)).join("/");
}

/** The folders of which a compiler without a tsconfig may have kept the paths below. */
function sourceFolders(folder: string, configs: readonly ProjectOutputs[]): readonly string[] {
  const parent = dirname(folder);
  const usual = [join(parent, "src"), join(parent, "source"), join(parent, "lib"), parent, process.cwd()];
  const all = new Set([...configs.flatMap((config) => config.sourceFolders), ...usual]);
  return [...all].filter((path) => path !== folder && !path.startsWith(folder + sep));
}

/** The source of which the path below a folder is that of an emitted file. */
function sourceBelow(folder: string, path: string): string | undefined {
  const base = stem(join(folder, path));
  return sourceEndings
    .map((ending) => base + ending)
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The candidate that fits most of the items; the first of those that fit as many. */
function mostFrequent<Item, Candidate>(
  items: readonly Item[],
  candidates: readonly Candidate[],
  fits: (item: Item, candidate: Candidate) => boolean,
): Candidate | undefined {
  const counts = candidates.map((candidate) => items.filter((item) => fits(item, candidate)).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? undefined : candidates[counts.indexOf(most)];
}
