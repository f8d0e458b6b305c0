import { readFileSync } from "node:fs";
import type { Outcome, Place, PlaceGroup } from "../place.ts";

/** Both packages are compiled; while one develops, the program runs from its sources. */
const emitting = {
  noEmit: undefined,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  outDir: "dist",
  rootDir: "src",
};

/** What is known of the functions of the other package: what its declarations say, which do not tell lists apart. */
const declared: Outcome = {
  refusal:
    "was built with schemas, and this function has none: mend what the build warned of, list the function",
  declared: true,
  only: ["a list of another module, spread"],
};

/** A list of which the declarations tell the length. */
const listed = {
  "packages/tools/src/objects.ts": readFileSync(
    new URL("../table/src/objects.ts", import.meta.url),
    "utf8",
  ).replace('[transfer, makeTools("kg").round]', "$& as const"),
};

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
      write: '`as const`, `"build":"tsc && skein attach dist"` and `npm run build --workspaces`',
      gets: "declared schemas",
      workspace: "output",
      files: listed,
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
      write: '`as const`, `"build":"tsc && skein attach dist"` and `pnpm -r build`',
      gets: "declared schemas",
      workspace: "output",
      files: listed,
      build: "pnpm install && pnpm -r build",
      run: "pnpm --filter main start",
    }),
  ],
};
