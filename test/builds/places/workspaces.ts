import { readFileSync } from "node:fs";
import { foreignPackages } from "../managers.ts";
import type { Outcome, Place, PlaceGroup } from "../place.ts";
import { sourceText } from "../workspace.ts";

/** Both packages are compiled; while one develops, the program runs from its sources. */
const emitting = {
  noEmit: undefined,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  outDir: "dist",
  rootDir: "src",
};

/**
 * What is known of the functions of the other package: what its declarations say, which neither tell lists apart nor where a
 * wrapper passes a context on.
 */
const declared: Outcome = {
  refusal: [
    "was built with schemas, and this function has none: mend what the build warned of, list the function",
    "Call it in a function of your own, which passes the context where it belongs",
  ],
  declared: true,
  only: ["a list of another module, spread", "a context in a wrapper"],
};

/** What the declarations do not tell is written: the length of a list, and where a wrapper's function has its context. */
const written = {
  "packages/tools/src/objects.ts": readTable("objects.ts").replace(
    '[transfer, makeTools("kg").round]',
    "$& as const",
  ),
  "apps/main/src/wrapper-cases.ts": sourceText("wrapper-cases.ts", readTable("wrapper-cases.ts"), {
    workspace: "output",
  })
    .replace('import { Agent } from "skein"', 'import { Agent, type ToolContext } from "skein"')
    .replace(
      "{ ban: withLog(ban) }",
      `{
          ban: (name: string, days: number, caller: ToolContext<Session>) =>
            withLog(ban)(name, days, caller),
        }`,
    ),
};

function readTable(file: string): string {
  return readFileSync(new URL(`../table/src/${file}`, import.meta.url), "utf8");
}

const npm = (place: Pick<Place, "name" | "write" | "gets" | "build" | "run"> & Partial<Place>): Place => ({
  manager: "npm",
  install: "managers",
  compilerOptions: emitting,
  packageJson: { workspaces: ["packages/*", "apps/*"], dependencies: undefined },
  ...place,
});

const pnpm = (place: Pick<Place, "name" | "write" | "gets" | "build" | "run"> & Partial<Place>): Place => ({
  manager: "pnpm",
  install: "managers",
  compilerOptions: emitting,
  packageJson: { dependencies: undefined },
  ...place,
  files: { ...place.files, "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n" },
});

const yarn = (place: Pick<Place, "name" | "write" | "gets" | "files">): Place => ({
  manager: "Yarn",
  install: "managers",
  packageJson: { resolutions: foreignPackages("file:./packed/tool-box-1.0.0.tgz") },
  build: "yarn install",
  run: "yarn node src/main.ts",
  ...place,
});

/** Where types of a package are needed, those of Skein included: a context is one. */
const ofPackages = [
  "a context, last",
  "a context, first",
  "a context between others",
  "an optional context",
  "a context by an alias",
  "a context alone",
  "a destructured context",
  "a context before a rest parameter",
  "a context beside a destructured parameter",
  "a bound function with a context",
  "a record with shorthands",
  "a bag of tools",
  "a toolkit with private methods",
  "a toolkit's method with a context",
  "a list of another module, spread",
  "tool(fn) with an approval",
  "tool(fn) with an input",
  "an output type",
  "a decorated method",
  "a context of a decorated method",
  "a function in a wrapper of its parameters",
  "a function in two wrappers",
  "a partly applied function",
  "a context in a wrapper",
  "a function of a package",
  "a context of a package's function",
];

/** Packages that lie beside the program, and where package managers put them. */
export const workspaces: PlaceGroup = {
  title: "workspaces",
  places: [
    npm({
      name: "npm workspaces, of sources",
      write: "`npm run dev -w main`",
      gets: "schemas",
      workspace: "sources",
      build: "npm install",
      run: "npm run dev -w main",
    }),
    npm({
      name: "npm workspaces, of JavaScript and declarations",
      write: "`npm run build -w @acme/tools` and `npm run dev -w main`",
      gets: declared,
      workspace: "output",
      build: "npm install && npm run build -w @acme/tools",
      run: "npm run dev -w main",
    }),
    npm({
      name: "npm workspaces, built",
      write:
        '`as const`, a function around a wrapper that gets a `caller: ToolContext<Session>`, `"build":"tsc && skein attach dist"` and `npm run build --workspaces`',
      gets: "declared schemas",
      workspace: "output",
      files: written,
      build: "npm install && npm run build --workspaces",
      run: "npm run start -w main",
    }),
    pnpm({
      name: "pnpm workspaces, of sources",
      write: "`pnpm --filter main dev`",
      gets: "schemas",
      workspace: "sources",
      build: "pnpm install",
      run: "pnpm --filter main dev",
    }),
    pnpm({
      name: "pnpm workspaces, of JavaScript and declarations",
      write: "`pnpm --filter @acme/tools build` and `pnpm --filter main dev`",
      gets: declared,
      workspace: "output",
      build: "pnpm install && pnpm --filter @acme/tools build",
      run: "pnpm --filter main dev",
    }),
    pnpm({
      name: "pnpm workspaces, built",
      write:
        '`as const`, a function around a wrapper that gets a `caller: ToolContext<Session>`, `"build":"tsc && skein attach dist"` and `pnpm -r build`',
      gets: "declared schemas",
      workspace: "output",
      files: written,
      build: "pnpm install && pnpm -r build",
      run: "pnpm --filter main start",
    }),
    yarn({
      name: "Yarn, with node_modules",
      write: "`nodeLinker: node-modules` and `yarn node src/main.ts`",
      gets: "schemas",
      files: { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules\n" },
    }),
    yarn({
      name: "Yarn Plug'n'Play",
      write: "`nodeLinker: pnp` and `yarn node src/main.ts`",
      gets: {
        refusal: "write nodeLinker: node-modules in .yarnrc.yml",
        only: ofPackages,
        where: "what needs the types of a package, such as Skein's ToolContext,",
      },
      files: { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: pnp\n" },
    }),
  ],
};
