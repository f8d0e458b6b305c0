/**
 * Builds `dist/`: a bundle with shared chunks for the entries, and a declaration file for every module.
 * The new `dist/` takes the old one's place only when it is whole, so that other programs never read half of it.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build as bundle } from "esbuild";
import { entries } from "./entries.ts";
import { mergeChunks } from "./merge-chunks.ts";
import { buildStudioPage } from "./studio-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Rebuilds everything; returns the milliseconds it took. */
export async function build(): Promise<number> {
  const startedAt = performance.now();
  const target = `dist.${process.pid}`;
  try {
    await bundleEntries(target);
    await buildStudioPage(join(root, target, "studio/page"));
    await emitDeclarations(target);
    await takePlace(join(root, target), join(root, "dist"));
  } finally {
    await rm(join(root, target), { recursive: true, force: true });
  }
  return performance.now() - startedAt;
}

/** Renames twice and removes afterwards: the time without a `dist/` is as short as can be. */
async function takePlace(target: string, place: string): Promise<void> {
  const old = `${target}.old`;
  if (existsSync(place)) await rename(place, old);
  await rename(target, place);
  await rm(old, { recursive: true, force: true });
}

async function bundleEntries(target: string): Promise<void> {
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => `./src/${entry}.ts`),
    outbase: "src",
    outdir: target,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    packages: "external",
    external: ["#reflection", "#model-resolution", "#offload", "#workspace", "#transport"],
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
  });
  await mergeChunks(root, target, `${target}/index.js`, metafile);
}

async function emitDeclarations(target: string): Promise<void> {
  const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
  const tsc = join(dirname(typescript), "bin", "tsc");
  const args = [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", join(root, target)];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root });
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`tsc could not emit the declarations:\n${output}`, { cause: error });
  }
}

if (import.meta.main) {
  try {
    const took = await build();
    console.log(`dist/ built: ${entries.length} entries in ${(took / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
