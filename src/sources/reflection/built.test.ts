import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProcess } from "./test-process.ts";

// Programs that esbuild has built without the plugin, and that run where nothing but the result is.

const root = fileURLToPath(new URL("../../..", import.meta.url));
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-built-")));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const skein = join(folder, "node_modules", "skein");
  mkdirSync(skein, { recursive: true });
  cpSync(join(root, "dist"), join(skein, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(skein, "package.json"));
  symlinkSync(join(root, "node_modules"), join(skein, "node_modules"), "junction");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { schemaOf } from "skein";
function getWeather(city: string) { return city; }
console.log(await schemaOf(getWeather).then((schema) => JSON.stringify(schema), (error) => error.message));
`;

async function buildAndRun(name: string, options: BuildOptions): Promise<string> {
  const outfile = join(folder, name);
  await build({
    stdin: { contents: program, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    // What esbuild says of TypeScript's own code is not of interest.
    logLevel: "silent",
    ...options,
  });
  const { stdout, stderr } = await runProcess([process.execPath, outfile], {
    cwd: folder,
    env: { SKEIN_CACHE: "off" },
  });
  return stdout + stderr;
}

test.each([
  { what: "a bundle", name: "bundle.js", options: {}, plugin: "esbuild" },
  { what: "a bundle with a source map", name: "mapped.js", options: { sourcemap: true }, plugin: "esbuild" },
  { what: "a minified bundle", name: "minified.js", options: { minify: true }, plugin: "vite" },
])(
  "$what without the plugin names the bundle, and the plugin of its bundler",
  async ({ name, options, plugin }) => {
    const message = await buildAndRun(name, options);
    expect(message).toContain("the program is a bundle with Skein in it, in which TypeScript cannot run");
    expect(message).toContain(`import { skein } from "skein/plugin", and plugins: [skein.${plugin}()]`);
  },
);
