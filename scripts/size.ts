/** Holds each entry of the built package to its budget: `node scripts/size.ts`, after a build. */
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";

/** The most bytes that each entry loads, minified and gzipped, with all that it imports, dependencies included. */
const budgets: Readonly<Record<string, number>> = {
  index: 25_000,
  "openai/index": 23_000,
  "anthropic/index": 21_500,
  "ai-sdk/index": 15_500,
  "models/index": 9_000,
  "offline/index": 23_000,
  "testing/index": 8_500,
  "testing/conformance/index": 52_000,
  "sessions/index": 5_000,
  "attach/index": 1_500,
};

/** The most bytes that an entry may load later, each part when it is first used. */
const onDemandBudget = 50_000;

/** Bytes, minified and gzipped. */
export interface BundledSize {
  /** What is there once the entry is imported. */
  readonly loaded: number;
  /** That, and what an agent's first run loads besides: the loop, the execution of tools. */
  readonly running: number;
  /** All that is loaded when it is first used: also policies of tools, repair of arguments, sessions, the search of tools. */
  readonly onDemand: number;
}

/** How many bytes an application ships that imports all of an entry. */
export async function bundledSize(entry: string): Promise<BundledSize> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: [`./dist/${entry}.js`],
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
    // The project's own tsconfig would lead from the package's imports back to the sources.
    tsconfigRaw: {},
    logLevel: "error",
  });
  const start = Object.keys(metafile.outputs).find((file) =>
    metafile.outputs[file]?.entryPoint?.endsWith(`${entry}.js`),
  );
  if (start === undefined) throw new Error(`esbuild wrote nothing for ${entry}`);
  const loaded = loadedBy(start, metafile.outputs);
  const runs = Object.keys(metafile.outputs).filter((file) => /\/running-[^/]*$/.test(file));
  const running = new Set([...loaded, ...runs.flatMap((file) => [...loadedBy(file, metafile.outputs)])]);
  const sizeOf = (isMeant: (file: string) => boolean): number => {
    const files = outputFiles.filter(({ path }) => isMeant(posix.join("out", posix.basename(path))));
    const contents = files.map((file) => file.contents);
    return files.length === 0 ? 0 : gzipSync(Buffer.concat(contents), { level: 9 }).byteLength;
  };
  return {
    loaded: sizeOf((file) => loaded.has(file)),
    running: sizeOf((file) => running.has(file)),
    onDemand: sizeOf((file) => !loaded.has(file)),
  };
}

/** A file and all that it imports, directly or not; what is imported later, on demand, is left out. */
function loadedBy(start: string, outputs: Metafile["outputs"]): ReadonlySet<string> {
  const loaded = new Set([start]);
  // A set that grows while it is walked.
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === "import-statement") loaded.add(path);
  }
  return loaded;
}

if (import.meta.main) {
  for (const [entry, budget] of Object.entries(budgets)) {
    const { loaded, onDemand } = await bundledSize(entry);
    const isOver = loaded > budget || onDemand > onDemandBudget;
    const later = onDemand === 0 ? "" : `, and ${kilobytes(onDemand)} on demand`;
    console.log(
      `${entry.padEnd(18)} ${kilobytes(loaded).padStart(8)} of ${kilobytes(budget)}${later}${isOver ? "  TOO BIG" : ""}`,
    );
    if (isOver) process.exitCode = 1;
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
