/** Holds each entry of the built package to its budget: `node scripts/size.ts`, after a build. */
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The most bytes of each entry, minified and gzipped, with everything that it reaches, dependencies included. */
const budgets: Readonly<Record<string, number>> = {
  index: 25_000,
  "openai/index": 21_000,
  "anthropic/index": 19_500,
  "offline/index": 23_000,
  "testing/index": 4_000,
  "attach/index": 1_000,
};

/** How many bytes an application ships that imports all of an entry: bundled into one file, minified, gzipped. */
export async function bundledSize(entry: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: [`./dist/${entry}.js`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
    // The project's own tsconfig would lead from the package's imports back to the sources.
    tsconfigRaw: {},
    logLevel: "error",
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild wrote nothing for ${entry}`);
  return gzipSync(file.contents, { level: 9 }).byteLength;
}

if (import.meta.main) {
  for (const [entry, budget] of Object.entries(budgets)) {
    const size = await bundledSize(entry);
    const verdict = size <= budget ? "" : "  TOO BIG";
    console.log(`${entry.padEnd(18)} ${kilobytes(size)} of ${kilobytes(budget)}${verdict}`);
    if (size > budget) process.exitCode = 1;
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(5)} KB`;
}
