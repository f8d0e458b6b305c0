import { pageConfiguration } from "../page-configuration.ts";
import type { PlaceGroup } from "../place.ts";

const bunCompile = `import { skein } from "skein/plugin";

await Bun.build({
  entrypoints: ["src/main.ts"],
  compile: { outfile: "app" },
  plugins: [skein.bun()],
});
`;

const handler = `import { report } from "./report.ts";

export const handler = async (event) => ({ statusCode: 200, body: JSON.stringify(await report(event)) });
`;

/** What AWS does with the handler of a function. */
const invoke = `import { handler } from "./dist/handler.mjs";

const { body } = await handler({}, { awsRequestId: "1" });
console.log(body);
`;

const lambdaBuild = `import { build } from "esbuild";
import { skein } from "skein/plugin";

await build({
  entryPoints: ["src/handler.ts"],
  outfile: "dist/handler.mjs",
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  plugins: [skein.esbuild()],
});
`;

const denoFlags = "--allow-env --allow-read --allow-write --allow-run --allow-sys --node-modules-dir=manual";

/** Runtimes beside Node, programs of one file, and functions in a cloud. */
export const runtimes: PlaceGroup = {
  title: "runtimes",
  places: [
    {
      name: "Deno",
      write: `\`deno run ${denoFlags} src/main.ts\``,
      gets: "schemas",
      install: "runtimes",
      run: `deno run ${denoFlags} src/main.ts`,
    },
    {
      name: "Bun",
      write: "`bun --preload skein/register src/main.ts`",
      gets: "schemas",
      install: "runtimes",
      run: "bun --preload skein/register src/main.ts",
    },
    {
      name: "Bun, without the loader",
      write: "`bun src/main.ts`",
      gets: { refusal: 'Start it with "bun --preload skein/register app.ts"' },
      install: "runtimes",
      run: "bun src/main.ts",
    },
    {
      name: "Bun, bundled",
      write: "`plugins: [skein.bun()]`",
      gets: "schemas",
      install: "runtimes",
      files: pageConfiguration("Bun"),
      build: "bun build.js",
      run: "bun dist/main.js",
      deploy: ["dist"],
    },
    {
      name: "Bun, compiled to one file",
      write: '`compile: { outfile: "app" }` and `plugins: [skein.bun()]`',
      gets: "schemas",
      install: "runtimes",
      files: { "build.js": bunCompile },
      build: "bun build.js",
      run: "./app",
      deploy: ["app"],
    },
    {
      name: "Bun, compiled to one file without the plugin",
      write: "`bun build --compile src/main.ts --outfile=app`",
      gets: { refusal: "plugins: [skein.bun()]" },
      install: "runtimes",
      build: "bun build --compile src/main.ts --outfile=app",
      run: "./app",
      deploy: ["app"],
    },
    {
      name: "Deno, compiled to one file",
      write: "`node build.js && deno compile --output app dist/main.js`",
      gets: { untried: "`deno compile` downloads its runtime" },
      install: "runtimes",
      files: pageConfiguration("esbuild"),
      build: "node build.js && deno compile --output app dist/main.js",
      run: "./app",
      deploy: ["app"],
    },
    {
      name: "AWS Lambda",
      write: "`plugins: [skein.esbuild()]`",
      gets: "schemas",
      install: "runtimes",
      files: { "src/handler.ts": handler, "build.js": lambdaBuild, "invoke.js": invoke },
      build: "node build.js",
      run: "node invoke.js",
      deploy: ["dist", "invoke.js"],
    },
    {
      name: "AWS Lambda, without the plugin",
      write:
        "`esbuild src/handler.ts --bundle --minify --platform=node --format=esm --outfile=dist/handler.mjs`",
      gets: { refusal: "Build it with Skein's plugin" },
      install: "runtimes",
      files: { "src/handler.ts": handler, "invoke.js": invoke },
      build:
        "esbuild src/handler.ts --bundle --minify --platform=node --format=esm --outfile=dist/handler.mjs",
      run: "node invoke.js",
      deploy: ["dist", "invoke.js"],
    },
  ],
};
