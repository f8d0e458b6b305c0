import type { Place, PlaceGroup } from "../place.ts";

const emitting = {
  noEmit: undefined,
  allowImportingTsExtensions: undefined,
  outDir: "dist",
  rootDir: "src",
};

const swcrc = (module: object, sourceMaps: boolean): string =>
  JSON.stringify({
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module,
    sourceMaps,
  });

const babelConfig = JSON.stringify({ presets: ["@babel/preset-typescript"] });

/** JavaScript without a trace of its types. */
const untyped = { refusal: 'run "skein attach dist" after the compiler' };

/** The same where TypeScript is not installed, which could read the declarations of packages. */
const deployed = {
  refusal: [untyped.refusal, 'run "skein attach DIR" before the program is deployed'],
};

/** A compiler's output as it comes, which is refused. */
function compiled(place: Pick<Place, "name" | "build"> & Partial<Place>): Place {
  return {
    write: `\`${place.build}\``,
    gets: untyped,
    install: "compilers",
    imports: ".js",
    compilerOptions: emitting,
    run: "node dist/main.js",
    ...place,
  };
}

const alone: readonly Place[] = [
  compiled({ name: "tsc", build: "tsc" }),
  compiled({ name: "tsc, with source maps, sources there", build: "tsc --sourceMap", gets: "schemas" }),
  compiled({ name: "tsc, `dist` alone", build: "tsc", gets: deployed, deploy: ["dist"] }),
  compiled({
    name: "tsc, with source maps, `dist` alone",
    build: "tsc --sourceMap",
    gets: deployed,
    deploy: ["dist"],
  }),
  compiled({
    name: "tsc, with declarations",
    build: "tsc --declaration",
    gets: {
      refusal: [untyped.refusal, "Write the type where output is called"],
      declared: true,
    },
  }),
  compiled({ name: "TypeScript 5.9", build: "tsc", install: "typescript-5" }),
  compiled({ name: "TypeScript 6", build: "tsc", install: "typescript-6" }),
  compiled({
    name: "swc",
    build: "swc src --out-dir dist --strip-leading-paths",
    files: { ".swcrc": swcrc({ type: "es6" }, false) },
  }),
  compiled({
    name: "swc, with source maps, sources there",
    build: "swc src --out-dir dist --strip-leading-paths",
    files: { ".swcrc": swcrc({ type: "es6" }, true) },
    gets: "schemas",
  }),
  compiled({
    name: "Babel",
    build: "babel src --out-dir dist --extensions .ts",
    files: { "babel.config.json": babelConfig },
  }),
  compiled({ name: "esbuild, file by file", build: "esbuild src/*.ts --format=esm --outdir=dist" }),
];

/** The same with the command after the compiler, run where neither sources nor TypeScript are. */
function attached(place: Pick<Place, "name" | "build"> & Partial<Place>): Place {
  return compiled({
    gets: "schemas",
    deploy: ["dist"],
    ...place,
    build: `${place.build} && skein attach dist`,
  });
}

const commonJs = {
  packageJson: { type: undefined },
  compilerOptions: { ...emitting, verbatimModuleSyntax: undefined },
};

const commonJsAlone: readonly Place[] = [
  compiled({ name: "tsc to CommonJS", build: "tsc", ...commonJs }),
  compiled({
    name: "tsc to CommonJS, with source maps, sources there",
    build: "tsc --sourceMap",
    gets: "schemas",
    ...commonJs,
  }),
];

const withCommand: readonly Place[] = [
  attached({ name: "tsc, then attach", build: "tsc", decorators: "standard" }),
  attached({ name: "tsc with source maps, then attach", build: "tsc --sourceMap" }),
  attached({ name: "tsc with declarations, then attach", build: "tsc --declaration" }),
  attached({ name: "tsc to CommonJS, then attach", build: "tsc", ...commonJs }),
  attached({
    name: "TypeScript 5.9, then attach",
    build: "tsc",
    install: "typescript-5",
    decorators: "standard",
  }),
  attached({ name: "TypeScript 6, then attach", build: "tsc", install: "typescript-6" }),
  attached({
    name: "swc, then attach",
    build: "swc src --out-dir dist --strip-leading-paths",
    files: { ".swcrc": swcrc({ type: "es6" }, false) },
  }),
  attached({
    name: "swc to CommonJS, then attach",
    build: "swc src --out-dir dist --strip-leading-paths",
    files: { ".swcrc": swcrc({ type: "commonjs" }, true) },
    ...commonJs,
  }),
  attached({
    name: "Babel, then attach",
    build: "babel src --out-dir dist --extensions .ts",
    files: { "babel.config.json": babelConfig },
  }),
  attached({
    name: "esbuild, file by file, then attach",
    build: "esbuild src/*.ts --format=esm --target=es2024 --outdir=dist",
    decorators: "standard",
  }),
  attached({
    name: "esbuild, file by file and minified, then attach",
    build: "esbuild src/*.ts --format=esm --minify --sourcemap --outdir=dist",
  }),
];

/** Compilers that write a file for each file. */
export const compilers: PlaceGroup = {
  title: "compilers",
  places: [...withCommand, ...alone, ...commonJsAlone],
};
