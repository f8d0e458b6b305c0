import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { installBuilt } from "../built-package.ts";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = join(folder, "node_modules");

beforeAll(async () => {
  const manifest: { dependencies: object } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const names = Object.keys(manifest.dependencies);
  await installOnce(folder, () => names.every((name) => existsSync(join(modules, name, "package.json"))));
}, 240_000);

/** A project with the sample test, the package as it is built, and `jest` as its configuration. */
async function makeProject(name: string, jest: object): Promise<string> {
  const project = join(folder, ".work", name);
  await rm(project, { recursive: true, force: true });
  await cp(join(folder, "app"), project, { recursive: true });
  await installBuilt(project);
  const compilerOptions = {
    strict: true,
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  };
  const files = {
    "package.json": { name, private: true, type: "module", jest: { testMatch: ["**/*-test.ts"], ...jest } },
    "tsconfig.json": { compilerOptions },
  };
  for (const [file, json] of Object.entries(files))
    await writeFile(join(project, file), JSON.stringify(json));
  return project;
}

/** Runs Jest in a project, and gives back all that it says. */
function runJest(project: string, nodeOptions: string): Promise<string> {
  const { PATH = "", HOME = folder } = process.env;
  const env = { PATH, HOME, NO_COLOR: "1", SKEIN_CACHE: "off", NODE_OPTIONS: nodeOptions };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(modules, "jest", "bin", "jest.js"), "--ci", "--rootDir", project],
      { cwd: project, env, timeout: 120_000 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

const modulesOfJest = "--experimental-vm-modules --disable-warning=ExperimentalWarning";

const babelPresets = [
  ["@babel/preset-env", { targets: { node: "22" }, modules: false }],
  ["@babel/preset-typescript", { onlyRemoveTypeImports: false, rewriteImportExtensions: false }],
];

test.each([
  { name: "ts-jest", transform: { "\\.ts$": ["ts-jest", { useESM: true, diagnostics: false }] } },
  {
    name: "babel-jest",
    transform: { "\\.ts$": ["babel-jest", { configFile: false, babelrc: false, presets: babelPresets }] },
  },
  {
    name: "@swc-jest",
    transform: { "\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2023" } }] },
  },
])(
  "under Jest with modules and $name, functions have the schemas of their types",
  async ({ name, transform }) => {
    const project = await makeProject(name, { extensionsToTreatAsEsm: [".ts"], transform });
    expect(await runJest(project, modulesOfJest)).toContain("Tests:       2 passed, 2 total");
  },
);

test("under Jest without modules, the error says how to run with them", async () => {
  const project = await makeProject("common", {
    transform: {
      "\\.[jt]s$": [
        "@swc/jest",
        { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
      ],
    },
    transformIgnorePatterns: ["/node_modules/(?!skein/|eventsource-parser/)"],
  });
  await writeFile(
    join(project, "package.json"),
    (await readFile(join(project, "package.json"), "utf8")).replace('"module"', '"commonjs"'),
  );
  const output = await runJest(project, "");
  expect(output).toMatch(/Jest runs this test as CommonJS.*--experimental-vm-modules/);
});
