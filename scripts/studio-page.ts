/** Builds the page of `skein/studio`: one HTML file, one script and one style sheet, which nothing else belongs to. */
import { copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../studio/", import.meta.url));

/** Writes the page into a folder. */
export async function buildStudioPage(folder: string): Promise<void> {
  await build({
    absWorkingDir: source,
    entryPoints: [
      { in: "main.tsx", out: "page" },
      { in: "page.css", out: "page" },
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2023", "chrome120", "firefox121", "safari17"],
    legalComments: "none",
    logLevel: "silent",
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
  });
  await copyFile(join(source, "index.html"), join(folder, "index.html"));
}

/** How many bytes a page ships, each file gzipped. */
export async function studioPageSize(folder: string): Promise<number> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).byteLength, 0);
}
