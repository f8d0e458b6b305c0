import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const modules = join(folder, "node_modules");

/** The compilers that are installed, by the paths of what starts them. */
const programs = {
  "TypeScript 5.9": join(modules, "typescript5/bin/tsc"),
  "TypeScript 6": join(modules, "typescript6/bin/tsc"),
  "TypeScript 7": fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url)),
  swc: join(modules, "@swc/cli/bin/swc.js"),
  Babel: join(modules, "@babel/cli/bin/babel.js"),
  esbuild: join(modules, "esbuild/bin/esbuild"),
};

/** A way to compile the sample application. */
export interface Compilation {
  readonly name: string;
  /** Of the package in which it runs. */
  readonly type: "module" | "commonjs";
  readonly command: readonly string[];
  /** What the command reads, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The expressions that are named as not found; all are found by default. */
  readonly missing: readonly string[];
}

type Program = keyof typeof programs;

function compilation(
  program: Program,
  how: string,
  args: string,
  { type = "module", files = {}, missing = [] }: Partial<Omit<Compilation, "name" | "command">> = {},
): Compilation {
  // esbuild's program is a binary, not a script.
  const start = program === "esbuild" ? [] : [process.execPath];
  const command = [...start, programs[program], ...args.split(" ").filter((word) => word !== "")];
  return { name: `${program}, ${how}`, type, command, files, missing };
}

const commonjs = "--module nodenext --target es2017 --esModuleInterop";

/** What an older target makes of spread arguments, and of lists and methods: other expressions. */
const spread = ["config"];
const es5 = ["config", "weatherTools", "comparePlaces", "{ /** Shout a text. */ shout"];

function typescript(program: Program): readonly Compilation[] {
  const type = "commonjs";
  return [
    compilation(program, "source maps", "--sourceMap --declaration --declarationMap"),
    compilation(program, "inline source maps", "--inlineSourceMap --inlineSources"),
    compilation(program, "no source maps", "--declaration"),
    compilation(program, "CommonJS", `${commonjs} --sourceMap`, { type }),
    compilation(program, "CommonJS, no source maps", commonjs, { type, missing: spread }),
    compilation(
      program,
      "TypeScript's own decorators",
      `${commonjs} --sourceMap --experimentalDecorators --emitDecoratorMetadata`,
      { type },
    ),
  ];
}

function swc(how: string, type: Compilation["type"], maps: boolean, version: string): Compilation {
  const parser = { syntax: "typescript", decorators: true };
  const transform =
    version === "legacy"
      ? { legacyDecorator: true, decoratorMetadata: true }
      : { decoratorVersion: "2022-03" };
  const module = type === "module" ? "es6" : "commonjs";
  const config = { jsc: { parser, target: "es2022", transform }, module: { type: module }, sourceMaps: maps };
  const files = { ".swcrc": JSON.stringify(config) };
  return compilation("swc", how, "src -d dist --strip-leading-paths", { type, files });
}

function babel(
  how: string,
  type: Compilation["type"],
  options: string,
  missing: readonly string[] = [],
): Compilation {
  const version = options.includes("legacy") ? "legacy" : "2023-11";
  const presets = type === "module" ? [] : ["@babel/preset-env"];
  const config = {
    presets: [...presets, "@babel/preset-typescript"],
    plugins: [["@babel/plugin-proposal-decorators", { version }]],
  };
  const files = { "babel.config.json": JSON.stringify(config) };
  const maps = options.includes("maps") ? "--source-maps" : "";
  return compilation("Babel", how, `src --out-dir dist --extensions .ts ${maps}`, { type, files, missing });
}

const eachFile = "src/main.ts src/kit.ts src/team.ts src/tools.ts --outdir=dist --log-level=warning";

/** Every compilation that is tried. */
export const compilations: readonly Compilation[] = [
  ...typescript("TypeScript 5.9").filter(({ name }) => !name.includes("no source maps")),
  ...typescript("TypeScript 6"),
  ...typescript("TypeScript 7").filter(({ name }) => !name.includes("decorators")),
  compilation("TypeScript 5.9", "ES5", `${commonjs} --target es5 --downlevelIteration --sourceMap`, {
    type: "commonjs",
  }),
  compilation("TypeScript 5.9", "ES5, no source maps", `${commonjs} --target es5 --downlevelIteration`, {
    type: "commonjs",
    missing: es5,
  }),
  swc("source maps", "module", true, "standard"),
  swc("no source maps", "module", false, "standard"),
  swc("CommonJS", "commonjs", true, "standard"),
  swc("CommonJS, no source maps", "commonjs", false, "standard"),
  swc("TypeScript's own decorators", "commonjs", true, "legacy"),
  babel("source maps", "module", "maps"),
  babel("no source maps", "module", ""),
  babel("CommonJS for old runtimes", "commonjs", "maps"),
  babel("TypeScript's own decorators", "module", "maps legacy"),
  compilation("esbuild", "source maps", `${eachFile} --sourcemap --target=es2022`),
  compilation("esbuild", "no source maps", `${eachFile} --target=es2022`),
  compilation("esbuild", "CommonJS", `${eachFile} --sourcemap --format=cjs --target=es2022`, {
    type: "commonjs",
  }),
  compilation("esbuild", "minified", `${eachFile} --minify --sourcemap --target=es2022`),
];

/** A minified file without source maps, of which nothing can be said. */
export const minified: Compilation = compilation("esbuild", "minified", `${eachFile} --minify`);

/** TypeScript, as it is started for other projects. */
export const tsc: readonly string[] = [process.execPath, programs["TypeScript 6"]];
