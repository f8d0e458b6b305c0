import { readFile, rm, writeFile } from "node:fs/promises";
import { join, posix, relative } from "node:path";
import { build as bundle, type Metafile, type Plugin } from "esbuild";

type Outputs = Metafile["outputs"];

/** The most bytes of a chunk that is merged: larger ones are worth a file, and leave less for other entries to carry. */
const small = 5_000;

/**
 * Puts the small chunks that `entry` loads into one file, `core.js` in `folder`, and lets everybody load that instead.
 * The more entries there are, the more chunks esbuild cuts what they share into, and each file costs Node most of a
 * millisecond. Paths are relative to `root`, with slashes, as in `outputs`.
 * @throws Error if two of the chunks export one name: then they cannot be one file.
 */
export async function mergeChunks(
  root: string,
  folder: string,
  entry: string,
  outputs: Outputs,
): Promise<void> {
  const chunks = mergeable(entry, outputs);
  assertDistinct(chunks.flatMap((file) => outputs[file]?.exports ?? []));
  const core = `${folder}/core.js`;
  await bundle({
    absWorkingDir: root,
    stdin: { contents: chunks.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: root },
    outfile: core,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    packages: "external",
    external: ["#*"],
    plugins: [leaveForLater(join(root, folder), new Set(chunks.map((file) => join(root, file))))],
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "silent",
  });
  const others = Object.keys(outputs).filter((file) => file.endsWith(".js") && !chunks.includes(file));
  await Promise.all(others.map((file) => redirect(root, file, chunks, core)));
  await Promise.all(chunks.flatMap((file) => [rm(join(root, file)), rm(join(root, `${file}.map`))]));
}

/** What is imported on demand stays a file of its own in `folder`, unless it is one of `merged`. */
function leaveForLater(folder: string, merged: ReadonlySet<string>): Plugin {
  return {
    name: "leave for later",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const file = join(resolveDir, path);
        if (kind !== "dynamic-import" || merged.has(file)) return undefined;
        return { path: `./${relative(folder, file).replaceAll("\\", "/")}`, external: true };
      });
    },
  };
}

/** Small chunks that import nothing but each other: so the file they become is in no cycle. */
function mergeable(entry: string, outputs: Outputs): readonly string[] {
  const isSmall = (file: string): boolean => (outputs[file]?.bytes ?? small) < small;
  return [...loadedBy(entry, outputs)].filter(
    (file) => file !== entry && [...loadedBy(file, outputs)].every(isSmall),
  );
}

/** A file and all that it imports, directly or not; what is imported later, on demand, is left out. */
function loadedBy(file: string, outputs: Outputs, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { path, kind, external } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement" && !external) loadedBy(path, outputs, loaded);
  }
  return loaded;
}

function assertDistinct(names: readonly string[]): void {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`Two chunks of the root entry export ${twice.join(", ")}.`);
}

async function redirect(root: string, file: string, chunks: readonly string[], core: string): Promise<void> {
  const text = await readFile(join(root, file), "utf8");
  const redirected = chunks.reduce(
    (code, chunk) => code.replaceAll(`"${specifier(file, chunk)}"`, `"${specifier(file, core)}"`),
    text,
  );
  if (redirected !== text) await writeFile(join(root, file), redirected);
}

function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
