import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a page ships that imports all of the client. */
async function bundle(): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, "src/client/index.ts")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    absWorkingDir: root,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return { code: outputFiles[0]?.text ?? "", imports };
}

test("the client of a page has no module of Node, and at most 6,000 bytes", async () => {
  const { code, imports } = await bundle();
  expect(imports).toEqual([]);
  expect(code).not.toMatch(/\bnode:|\bprocess\.|\bBuffer\b/);
  expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThanOrEqual(6_000);
});
