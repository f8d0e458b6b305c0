/** The table as two packages of a workspace: one has the functions, the other one uses them. */
import type { Place } from "./place.ts";

const toolsName = "@acme/tools";
const isOfApp = /^(?:main|report|hostile|case|[a-z]+-cases)\.ts$/;
const relativeImport = /(?<=from ")\.\/([^"]+)\.ts(?=")/g;

/** Where a file of the table's `src/` stands in the project of a place. */
export function sourcePath(file: string, { workspace }: Place): string {
  if (workspace === undefined) return `src/${file}`;
  return `${isOfApp.test(file) ? "apps/main" : "packages/tools"}/src/${file}`;
}

/** The text of a file of the table, its imports of other files written as the place has them. */
export function sourceText(
  file: string,
  text: string,
  { imports = ".ts", workspace }: Pick<Place, "imports" | "workspace">,
): string {
  const crosses = (imported: string): boolean =>
    workspace !== undefined && isOfApp.test(file) && !isOfApp.test(`${imported}.ts`);
  return text.replaceAll(relativeImport, (_path, imported: string) =>
    crosses(imported) ? `${toolsName}/${imported}` : `./${imported}${imports}`,
  );
}

/**
 * The manifests and configurations of both packages.
 * @param dependencies - What both depend on, as it is written in the manifests of a workspace's packages.
 */
export function workspaceFiles(
  { workspace, manager }: Place,
  dependencies: object,
  tsconfig: object,
): Readonly<Record<string, object>> {
  if (workspace === undefined) return {};
  const exports =
    workspace === "sources"
      ? { "./*": "./src/*.ts" }
      : { "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" } };
  const common = { version: "1.0.0", private: true, type: "module" };
  const tools = manager === "npm" ? "*" : "workspace:*";
  return {
    "packages/tools/package.json": {
      ...common,
      name: toolsName,
      exports,
      scripts: { build: "tsc && skein attach dist" },
      dependencies,
    },
    "packages/tools/tsconfig.json": tsconfig,
    "apps/main/package.json": {
      ...common,
      name: "main",
      scripts: { build: "tsc && skein attach dist", dev: "node src/main.ts", start: "node dist/main.js" },
      dependencies: { [toolsName]: tools, ...dependencies },
    },
    "apps/main/tsconfig.json": tsconfig,
  };
}
