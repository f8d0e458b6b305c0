import { pageConfiguration } from "../page-configuration.ts";
import type { Place, PlaceGroup } from "../place.ts";

/** What users of Vite's development server write to load a module of theirs. */
const viteDev = `import { createServer } from "vite";

const server = await createServer({ server: { middlewareMode: true, ws: false }, appType: "custom" });
await server.ssrLoadModule("/src/main.ts");
await server.close();
`;

/** The program is one file, with Skein in it. */
const bundled = "Build it with Skein's plugin";

const viteConfig = (plugins: string): string => `import { skein } from "skein/plugin";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [${plugins}], build: { ssr: "src/main.ts" } });
`;

const withPlugin: readonly Place[] = [
  {
    name: "Vite, SSR build",
    write: "`plugins: [skein.vite()]`",
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("Vite"),
    build: "vite build",
    run: "node dist/main.js",
  },
  {
    name: "Vite, SSR build with packages outside the bundle",
    write: "`plugins: [skein.vite()]`",
    gets: "schemas",
    install: "bundlers",
    files: { "vite.config.js": viteConfig("skein.vite()") },
    build: "vite build",
    run: "node dist/main.js",
  },
  {
    name: "Vite, SSR in development",
    write: "`plugins: [skein.vite()]`",
    gets: "schemas",
    install: "bundlers",
    files: { "vite.config.js": viteConfig("skein.vite()"), "dev.js": viteDev },
    run: "node dev.js",
  },
  {
    name: "Rollup",
    write: '`plugins: [skein.rollup(), nodeResolve(), esbuild({ target: "es2022" })]`',
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("Rollup"),
    decorators: "standard",
    build: "rollup -c",
    run: "node dist/main.js",
  },
  {
    name: "Rolldown",
    write: "`plugins: [skein.rolldown()]`",
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("Rolldown"),
    build: "rolldown -c",
    run: "node dist/main.js",
  },
  {
    name: "webpack",
    write: "`plugins: [skein.webpack()]`",
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("webpack"),
    build: "webpack build",
    run: "node dist/main.js",
  },
  {
    name: "Rspack",
    write: "`plugins: [skein.rspack()]`",
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("Rspack"),
    build: "rspack build",
    run: "node dist/main.js",
  },
  {
    name: "esbuild, bundled and minified",
    write: "`plugins: [skein.esbuild()]`",
    gets: "schemas",
    install: "bundlers",
    files: pageConfiguration("esbuild"),
    build: "node build.js",
    run: "node dist/main.js",
    deploy: ["dist"],
  },
  {
    name: "esbuild, with packages outside the bundle",
    write: "`plugins: [skein.esbuild()]`",
    gets: "schemas",
    install: "bundlers",
    files: {
      "build.js": (pageConfiguration("esbuild")["build.js"] ?? "").replace(
        'platform: "node",',
        'platform: "node",\n  packages: "external",',
      ),
    },
    build: "node build.js",
    run: "node dist/main.js",
    deploy: ["dist"],
  },
  {
    name: "tsup",
    decorators: "standard",
    write: "`esbuildPlugins: [skein.esbuild()]`",
    gets: "schemas",
    install: "packagers",
    files: {
      "tsup.config.js": `import { skein } from "skein/plugin";
import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  esbuildPlugins: [skein.esbuild()],
});
`,
    },
    build: "tsup",
    run: "node dist/main.js",
  },
  {
    name: "tsdown",
    write: "`plugins: [skein.rolldown()]`",
    gets: "schemas",
    install: "packagers",
    files: {
      "tsdown.config.js": `import { skein } from "skein/plugin";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/main.ts"],
  platform: "node",
  plugins: [skein.rolldown()],
});
`,
    },
    build: "tsdown",
    run: "node dist/main.mjs",
  },
];

const without: readonly Place[] = [
  {
    name: "Vite, SSR in development, without the plugin",
    write: '`ssrLoadModule("/src/main.ts")`',
    gets: "schemas",
    install: "bundlers",
    files: { "dev.js": viteDev },
    run: "node dev.js",
  },
  {
    name: "esbuild, bundled without the plugin",
    write: "`esbuild src/main.ts --bundle --platform=node --format=esm --outdir=dist`",
    gets: { refusal: bundled },
    install: "bundlers",
    build: "esbuild src/main.ts --bundle --platform=node --format=esm --outdir=dist",
    run: "node dist/main.js",
  },
  {
    name: "esbuild, bundled and minified without the plugin",
    write: "`esbuild src/main.ts --bundle --minify --platform=node --format=esm --outdir=dist`",
    gets: { refusal: bundled },
    install: "bundlers",
    build: "esbuild src/main.ts --bundle --minify --platform=node --format=esm --outdir=dist",
    run: "node dist/main.js",
  },
  {
    name: "esbuild, packages outside the bundle, without the plugin",
    write: "`esbuild src/main.ts --bundle --packages=external --platform=node --format=esm --outdir=dist`",
    gets: { refusal: "is a bundle: build it with Skein's plugin" },
    install: "bundlers",
    build: "esbuild src/main.ts --bundle --packages=external --platform=node --format=esm --outdir=dist",
    run: "node dist/main.js",
  },
  {
    name: "esbuild, minified, packages outside the bundle, without the plugin",
    write:
      "`esbuild src/main.ts --bundle --minify --packages=external --platform=node --format=esm --outdir=dist`",
    gets: { refusal: "is minified: build it with Skein's plugin" },
    install: "bundlers",
    build:
      "esbuild src/main.ts --bundle --minify --packages=external --platform=node --format=esm --outdir=dist",
    run: "node dist/main.js",
  },
];

/** Bundlers with the plugin, and without it. */
export const bundlers: PlaceGroup = { title: "bundlers", places: [...withPlugin, ...without] };
