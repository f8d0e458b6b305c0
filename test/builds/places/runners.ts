import type { Outcome, Place, PlaceGroup } from "../place.ts";

/** A test that leaves the report in a file: runners print after it. */
const testFile = (from: string): string => `import { writeFileSync } from "node:fs";
import { report } from "../src/report${from}";

it("reports", async () => {
  writeFileSync("report.json", JSON.stringify(await report()));
}, 120_000);
`;

const vitest = (pool: string): Place => ({
  name: `vitest, ${pool}`,
  write: `\`vitest run --pool=${pool} --globals\``,
  gets: "schemas",
  install: "runners",
  files: { "test/table.test.ts": testFile(".ts") },
  run: `vitest run --pool=${pool} --globals && cat report.json`,
});

/** Jest as it runs modules. */
const jest = (transform: string, options: object): Place => ({
  name: `Jest, with ${transform}`,
  write: `\`"extensionsToTreatAsEsm":[".ts"]\` and \`NODE_OPTIONS=--experimental-vm-modules jest\``,
  gets: "schemas",
  install: "jest",
  packageJson: {
    jest: {
      testMatch: ["**/*.test.ts"],
      extensionsToTreatAsEsm: [".ts"],
      transform: { "\\.ts$": [transform, options] },
    },
  },
  files: { "test/table.test.ts": testFile(".ts") },
  run: "NODE_OPTIONS=--experimental-vm-modules jest && cat report.json",
});

/** Jest as it runs CommonJS, into which it loads Skein as a module. */
const jestCommonJs = (transform: string, options: object): Place => ({
  name: `Jest, CommonJS, with ${transform}`,
  write: "`NODE_OPTIONS=--experimental-vm-modules jest`",
  gets: "schemas",
  install: "jest",
  imports: "",
  packageJson: {
    type: "commonjs",
    jest: { testMatch: ["**/*.test.ts"], transform: { "\\.ts$": [transform, options] } },
  },
  compilerOptions: commonJs,
  files: { "test/table.test.ts": testFile("") },
  run: "NODE_OPTIONS=--experimental-vm-modules jest && cat report.json",
});

/** The same without modules at all: Skein is made CommonJS, too. */
const jestTransformed = (transform: string, options: object): Place => ({
  ...jestCommonJs(transform, options),
  name: `Jest, CommonJS, with ${transform} for Skein, too`,
  write: '`"transformIgnorePatterns"` and `jest`',
  gets: {
    refusal: "Run Jest with NODE_OPTIONS=--experimental-vm-modules, leave skein out of what it transforms",
  },
  packageJson: {
    type: "commonjs",
    jest: {
      testMatch: ["**/*.test.ts"],
      transform: { "\\.[jt]s$": [transform, options] },
      transformIgnorePatterns: ["/node_modules/(?!skein/|eventsource-parser/|tool-box/)"],
    },
  },
  run: "jest && cat report.json",
});

const babelPresets = [
  ["@babel/preset-env", { targets: { node: "22" }, modules: false }],
  ["@babel/preset-typescript", { onlyRemoveTypeImports: true }],
];

const babelToCommonJs = {
  configFile: false,
  babelrc: false,
  presets: [
    ["@babel/preset-env", { targets: { node: "22" } }],
    ["@babel/preset-typescript", { onlyRemoveTypeImports: true }],
  ],
};

const swcToCommonJs = {
  jsc: { parser: { syntax: "typescript" }, target: "es2023" },
  module: { type: "commonjs" },
};

/** Compilers that write JavaScript refuse imports of `.ts`. */
const emitting = { noEmit: undefined, allowImportingTsExtensions: undefined };
const commonJs = {
  ...emitting,
  verbatimModuleSyntax: undefined,
};

/** Nothing tells where the calls of the JavaScript that the runner made stand in its source. */
const withoutMaps: Outcome = {
  refusal: [
    "no source map shows where its call of output stands",
    "its type is known only where the function around it is called",
    "do not show which function it is",
  ],
  only: [
    "an output type",
    "a function in a wrapper of its parameters",
    "a function in two wrappers",
    "a partly applied function",
    "a context in a wrapper",
    "a function of a package",
    "a context of a package's function",
  ],
};

/** Compiler options of projects that write their own tsconfig. */
const options = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  verbatimModuleSyntax: true,
  lib: ["es2024", "dom"],
  types: [],
  skipLibCheck: true,
};

/** What runs TypeScript as it is: programs and tests. */
export const runners: PlaceGroup = {
  title: "runners",
  places: [
    { name: "tsx", write: "`tsx src/main.ts`", gets: "schemas", install: "runners", run: "tsx src/main.ts" },
    {
      name: "tsx, CommonJS",
      write: "`tsx src/main.ts`",
      gets: "schemas",
      install: "runners",
      imports: "",
      packageJson: { type: "commonjs" },
      compilerOptions: commonJs,
      run: "tsx src/main.ts",
    },
    {
      name: "ts-node",
      write: "`node --loader ts-node/esm src/main.ts`",
      gets: "schemas",
      install: "runners",
      imports: ".js",
      compilerOptions: emitting,
      run: "node --loader ts-node/esm src/main.ts",
    },
    {
      name: "ts-node, transpile-only",
      write: "`TS_NODE_TRANSPILE_ONLY=true node --loader ts-node/esm src/main.ts`",
      gets: "schemas",
      install: "runners",
      imports: ".js",
      compilerOptions: emitting,
      run: "TS_NODE_TRANSPILE_ONLY=true node --loader ts-node/esm src/main.ts",
    },
    {
      name: "ts-node, CommonJS",
      write: "`ts-node src/main.ts`",
      gets: "schemas",
      install: "runners",
      imports: "",
      packageJson: { type: "commonjs" },
      compilerOptions: commonJs,
      run: "ts-node src/main.ts",
    },
    {
      name: "swc-node",
      write: "`node --import @swc-node/register/esm-register src/main.ts`",
      gets: withoutMaps,
      install: "runners",
      run: "node --import @swc-node/register/esm-register src/main.ts",
    },
    {
      name: "swc-node, CommonJS",
      write: "`node -r @swc-node/register src/main.ts`",
      gets: withoutMaps,
      install: "runners",
      imports: "",
      packageJson: { type: "commonjs" },
      compilerOptions: commonJs,
      run: "node -r @swc-node/register src/main.ts",
    },
    {
      name: "Mocha, with tsx",
      write: "`mocha --import=tsx test/table.test.ts`",
      gets: "schemas",
      install: "runners",
      files: { "test/table.test.ts": testFile(".ts").replace("}, 120_000)", "}).timeout(120_000)") },
      run: "mocha --import=tsx test/table.test.ts && cat report.json",
    },
    {
      name: "Mocha, with ts-node",
      write: "`mocha --require=ts-node/register/transpile-only test/table.test.ts`",
      gets: "schemas",
      install: "runners",
      imports: "",
      packageJson: { type: "commonjs" },
      compilerOptions: commonJs,
      files: { "test/table.test.ts": testFile("").replace("}, 120_000)", "}).timeout(120_000)") },
      run: "mocha --require=ts-node/register/transpile-only test/table.test.ts && cat report.json",
    },
    vitest("forks"),
    vitest("threads"),
    vitest("vmThreads"),
    jest("ts-jest", { useESM: true, diagnostics: false }),
    jest("babel-jest", { configFile: false, babelrc: false, presets: babelPresets }),
    jest("@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2023" } }),
    jestCommonJs("ts-jest", { diagnostics: false }),
    jestCommonJs("babel-jest", babelToCommonJs),
    jestCommonJs("@swc/jest", swcToCommonJs),
    jestTransformed("ts-jest", {
      diagnostics: false,
      tsconfig: { ...options, module: "commonjs", allowJs: true },
    }),
    jestTransformed("babel-jest", babelToCommonJs),
    jestTransformed("@swc/jest", swcToCommonJs),
    {
      name: "Path aliases, with tsx",
      write: '`"paths":{"@/*":["./src/*"]}`',
      gets: "schemas",
      install: "runners",
      files: {
        "src/main.ts": 'import { report } from "@/report";\n\nconsole.log(JSON.stringify(await report()));\n',
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...options,
            moduleResolution: "bundler",
            module: "esnext",
            noEmit: true,
            paths: { "@/*": ["./src/*"] },
          },
        }),
      },
      run: "tsx src/main.ts",
    },
    {
      name: "Project references",
      write: '`"references":[{"path":"./src"}]`',
      gets: "schemas",
      files: {
        "tsconfig.json": JSON.stringify({ files: [], references: [{ path: "./src" }] }),
        "src/tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...options,
            composite: true,
            rewriteRelativeImportExtensions: true,
            outDir: "../dist",
          },
        }),
      },
      run: "node src/main.ts",
    },
  ],
};
