import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, posix, relative } from "node:path";
import { build as bundle, type Metafile, type Plugin } from "esbuild";
import { edgeEntries, entries } from "./entries.ts";

type Outputs = Metafile["outputs"];

/** The most bytes of a chunk that other entries are made to carry. */
const largest = 12_000;

/** The module that the first run loads, and the one through which it loads what most runs lack. */
const runner = "src/run/runner.ts";
const features = "src/run/features.ts";

/** Those that find the schemas of plain functions. */
const reflection = "src/sources/reflection/index.ts";

/** Who speaks to providers: what all of them load, each may as well load in one file. */
const providers = ["openai", "anthropic", "google"].map((name) => `src/providers/${name}/index.ts`);

/**
 * Puts chunks together, and lets everybody load these files instead. The more entries there are, the more chunks esbuild cuts
 * what they share into, and each file costs Node most of a millisecond. Paths are relative to `root`, with slashes, as in
 * `outputs`; the files go into `folder`.
 * @throws Error if two chunks of a file export one name: then they cannot be one file.
 */
export async function mergeChunks(
  root: string,
  folder: string,
  entry: string,
  metafile: Metafile,
): Promise<void> {
  const { outputs } = metafile;
  const files = Object.keys(outputs).filter((file) => file.endsWith(".js"));
  for (const [name, group] of groupsOf(entry, metafile)) {
    const target = `${folder}/${name}.js`;
    await merge(root, target, group, outputs, files);
    files.push(target);
  }
}

/**
 * Which chunks become one file: `core` the small ones that `entry` loads, which other entries share, `agents` the rest that it
 * loads, `provider` what all providers load besides; `turn` and `schemas` the small ones that others share with the runner and
 * with what finds schemas; `running` what the runner loads besides, `features` what most runs lack.
 */
function groupsOf(entry: string, { inputs, outputs }: Metafile): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  const assigned = new Set([entry]);
  const load = (file: string): string[] => [...loadedBy(file, outputs)];
  const loadModules = (modules: readonly string[]): string[][] =>
    modules.map((module) => load(chunkOf(module, outputs)));
  const claim = (name: string, chunks: readonly string[]): void => {
    const group = [...new Set(chunks)].filter((file) => !assigned.has(file));
    for (const file of group) assigned.add(file);
    groups.set(name, group);
  };
  // A file that is merged must not load what loads it.
  const addsLittle = (file: string): boolean =>
    load(file).every((part) => assigned.has(part) || isSmall(part, outputs));
  const isPart = (file: string): boolean => outputs[file]?.entryPoint === undefined;

  const loaded = load(entry);
  claim("core", loaded.filter(addsLittle));
  claim("agents", loaded);
  const [first = [], ...others] = loadModules(providers);
  claim(
    "provider",
    first.filter((file) => isPart(file) && others.every((other) => other.includes(file))),
  );
  const elsewhere = new Set(entriesWithout(new Set(loaded), outputs).flatMap(load));
  const [ofRunner = [], ofReflection = []] = loadModules([runner, reflection]);
  claim(
    "turn",
    ofRunner.filter((file) => isPart(file) && elsewhere.has(file) && addsLittle(file)),
  );
  const applications = entries.filter(
    (name) => !/^(?:sources|cli)\//.test(name) || edgeEntries.includes(name),
  );
  const inBundles = new Set(
    applications.flatMap((name) => [...reachedBy(chunkOf(`src/${name}.ts`, outputs), outputs)]),
  );
  // Applications are bundled without what finds schemas: what they share with it must not bring that along.
  claim(
    "schemas",
    ofReflection.filter((file) => isPart(file) && !inBundles.has(file) && addsLittle(file)),
  );
  for (const file of elsewhere) assigned.add(file);
  // The runner's own chunk stays: loaded on demand, a merged file would show bundlers all that chunks share.
  assigned.add(chunkOf(runner, outputs));
  claim("running", ofRunner);
  const later = (inputs[features]?.imports ?? []).filter(({ kind }) => kind === "dynamic-import");
  claim("features", loadModules(later.map(({ path }) => path)).flat());
  return groups;
}

/** The chunk that stands for a module which is imported dynamically. */
function chunkOf(module: string, outputs: Outputs): string {
  const chunk = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === module);
  if (chunk === undefined) throw new Error(`${module} is not a chunk of its own.`);
  return chunk;
}

/**
 * Makes `target` of chunks, and lets `files` import that instead. None of what the chunks import besides may import one of
 * them.
 */
async function merge(
  root: string,
  target: string,
  chunks: readonly string[],
  outputs: Outputs,
  files: readonly string[],
): Promise<void> {
  // A chunk without code of its own only hands on what another one exports.
  const originals = chunks.filter((file) => Object.keys(outputs[file]?.inputs ?? {}).length > 0);
  assertDistinct(
    target,
    originals.flatMap((file) => outputs[file]?.exports ?? []),
  );
  await bundle({
    absWorkingDir: root,
    stdin: { contents: chunks.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: root },
    outfile: target,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    packages: "external",
    external: ["#*"],
    plugins: [
      leaveOthers(join(root, posix.dirname(target)), new Set(chunks.map((file) => join(root, file)))),
    ],
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "silent",
  });
  const standing = files.filter((file) => !chunks.includes(file) && existsSync(join(root, file)));
  await Promise.all(standing.map((file) => redirect(root, file, chunks, target)));
  await Promise.all(chunks.flatMap((file) => [rm(join(root, file)), rm(join(root, `${file}.map`))]));
}

/** Whatever is not merged stays a file of its own in `folder`. */
function leaveOthers(folder: string, merged: ReadonlySet<string>): Plugin {
  return {
    name: "leave others",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path);
        if (merged.has(file)) return undefined;
        return { path: `./${relative(folder, file).replaceAll("\\", "/")}`, external: true };
      });
    },
  };
}

/** The entries that load no agents, such as the providers: they are not made to carry what runs them. */
function entriesWithout(agents: ReadonlySet<string>, outputs: Outputs): readonly string[] {
  const named = new Set(entries.map((name) => `src/${name}.ts`));
  const files = Object.keys(outputs).filter((file) => named.has(outputs[file]?.entryPoint ?? ""));
  const isLarge = (file: string): boolean => agents.has(file) && !isSmall(file, outputs);
  return files.filter((file) => ![...loadedBy(file, outputs)].some(isLarge));
}

/** Whether a chunk adds little to what other entries load. */
function isSmall(file: string, outputs: Outputs): boolean {
  return (outputs[file]?.bytes ?? 0) <= largest;
}

/** A file and all that it imports, directly or not; what is imported later, on demand, is left out. */
function loadedBy(file: string, outputs: Outputs): Set<string> {
  return importsOf(file, outputs, (kind) => kind === "import-statement");
}

/** A file and all that it may ever import. */
function reachedBy(file: string, outputs: Outputs): Set<string> {
  return importsOf(file, outputs, () => true);
}

function importsOf(
  file: string,
  outputs: Outputs,
  isWanted: (kind: string) => boolean,
  visited = new Set<string>(),
): Set<string> {
  if (visited.has(file)) return visited;
  visited.add(file);
  for (const { path, kind, external } of outputs[file]?.imports ?? [])
    if (isWanted(kind) && !external) importsOf(path, outputs, isWanted, visited);
  return visited;
}

function assertDistinct(target: string, names: readonly string[]): void {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Two chunks of ${target} export ${twice.join(", ")}.`);
}

async function redirect(root: string, file: string, chunks: readonly string[], core: string): Promise<void> {
  const text = await readFile(join(root, file), "utf8");
  const redirected = chunks.reduce((code, chunk) => {
    const from = `"${specifier(file, chunk)}"`;
    // Importing nothing of a chunk only keeps an order of effects, and there are none (`sideEffects` of package.json).
    return code.replaceAll(`import ${from};\n`, "").replaceAll(from, `"${specifier(file, core)}"`);
  }, text);
  if (redirected !== text) await writeFile(join(root, file), redirected);
}

function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
