/** Makes the project of a place and runs its commands. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "../built-package.ts";
import { installPackages } from "./install.ts";
import { managerEnvironment, packedDependencies, packPackages } from "./managers.ts";
import type { Place } from "./place.ts";
import { sourcePath, sourceText, workspaceFiles } from "./workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const table = fileURLToPath(new URL("table", import.meta.url));

/** How a command ended, and what it wrote. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project on the disk. */
export interface Project {
  readonly folder: string;
  /** The folder whose packages the project has besides its own. */
  readonly installed: string;
  /** Runs a command line to its end. */
  run(commandLine: string): Promise<Finished>;
  /** Removes a project that stands among the temporary files; others stay, to be looked at. */
  remove(): Promise<void>;
}

/** Makes the project of a place: the table, `skein` as it is published, and the place's own files. */
export async function makeProject(place: Place): Promise<Project> {
  const installed = await installPackages(place.install);
  const name = place.name.replaceAll(/[^a-z0-9.]+/gi, "-").toLowerCase();
  const folder = place.manager ? await temporaryFolder() : join(installed, "projects", name);
  await rm(folder, { recursive: true, force: true });
  await writeSources(folder, place);
  await writeFiles(folder, { ...(await defaultFiles(place)), ...place.files });
  if (place.manager) {
    await packPackages(folder);
    return projectIn(folder, installed, await managerEnvironment(installed));
  }
  await addPackages(folder, ["typescript"]);
  if (place.withoutDeclarations) await removeDeclarations(join(folder, "node_modules", "tool-box"));
  return projectIn(folder, installed);
}

/** Copies what is deployed into a folder of its own, with `skein` but without TypeScript; commands stay those of the project. */
export async function deployProject(project: Project, paths: readonly string[]): Promise<Project> {
  const folder = await temporaryFolder();
  for (const path of ["package.json", ...paths])
    await cp(join(project.folder, path), join(folder, path), { recursive: true });
  await addPackages(folder, []);
  return projectIn(folder, project.installed);
}

async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "skein-place-")));
}

/** The table's files, their imports of each other written as the place has them. */
async function writeSources(folder: string, place: Place): Promise<void> {
  const { javascript, decorators } = place;
  for (const file of await readdir(join(table, "src"))) {
    const isDecorated = file === "clerk.ts" && decorators !== undefined;
    const text = await readFile(
      join(table, isDecorated ? join("decorated", `${decorators}.ts`) : join("src", file)),
      "utf8",
    );
    if (javascript === undefined || file === "types.ts")
      await writeFiles(folder, { [sourcePath(file, place)]: sourceText(file, text, place) });
    else
      await writeFiles(folder, {
        [`src/${file.replace(/\.ts$/, ".js")}`]: javascriptText(file, text, place),
      });
  }
  if (javascript === "typed") await cp(join(table, "javascript"), join(folder, "src"), { recursive: true });
}

/** The same file without types; what it says of them in comments stays. */
function javascriptText(file: string, text: string, place: Place): string {
  return sourceText(file, stripTypeScriptTypes(text), { ...place, imports: ".js" });
}

async function defaultFiles(place: Place): Promise<Readonly<Record<string, string>>> {
  const { compilerOptions: usual, include }: Record<string, object> = JSON.parse(
    await readFile(join(table, "tsconfig.json"), "utf8"),
  );
  const tsconfig = { compilerOptions: { ...usual, paths: undefined, ...place.compilerOptions }, include };
  const dependencies = place.manager ? packedDependencies(0) : { skein: "0.0.0", "tool-box": "1.0.0" };
  const {
    dependencies: own,
  }: Record<string, Record<string, string>> = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const files: Readonly<Record<string, object>> = {
    "package.json": {
      name: "app",
      private: true,
      type: "module",
      dependencies,
      ...(place.manager && { devDependencies: { typescript: own?.["typescript"] } }),
      ...place.packageJson,
    },
    "tsconfig.json": tsconfig,
    ...workspaceFiles(place, packedDependencies(2), tsconfig),
  };
  return Object.fromEntries(Object.entries(files).map(([file, json]) => [file, JSON.stringify(json)]));
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

/**
 * Installs `skein` as npm would: what is published, and its own dependencies below it, of the versions it pins.
 * @param extras - The dependencies that only development needs.
 */
async function addPackages(folder: string, extras: readonly string[]): Promise<void> {
  const modules = join(folder, "node_modules");
  await copyBuilt(join(modules, "skein"));
  await cp(join(table, "tool-box"), join(modules, "tool-box"), { recursive: true });
  const { dependencies }: { dependencies: object } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const names = Object.keys(dependencies).filter((name) => name !== "typescript" || extras.includes(name));
  for (const name of names) {
    const link = join(modules, "skein", "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link);
  }
  await mkdir(join(modules, ".bin"), { recursive: true });
  await symlink("../skein/dist/cli/bin.js", join(modules, ".bin", "skein"));
}

/** Makes a package one that is written in JavaScript and says nothing of its types. */
async function removeDeclarations(folder: string): Promise<void> {
  await rm(join(folder, "index.d.ts"));
  const manifest = join(folder, "package.json");
  const { types: _types, ...others } = JSON.parse(await readFile(manifest, "utf8"));
  await writeFile(manifest, JSON.stringify({ ...others, exports: "./index.js" }));
}

/** The commands of the project come first, then those of its packages, then Node's; none of this repository's. */
function projectIn(
  folder: string,
  installed: string,
  variables: Readonly<Record<string, string>> = {},
): Project {
  const system = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((path) => !path.includes("node_modules"));
  const bins = [join(folder, "node_modules/.bin"), join(installed, "node_modules/.bin")];
  const PATH = [...bins, dirname(process.execPath), ...system].join(delimiter);
  const env = { PATH, HOME: process.env["HOME"] ?? folder, NO_COLOR: "1", CI: "1", ...variables };
  return {
    folder,
    installed,
    run: (commandLine) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env, timeout: 240_000, maxBuffer: 2 ** 26 };
        const child = execFile("/bin/sh", ["-c", commandLine], options, (error, stdout, stderr) => {
          resolve({ exitCode: child.exitCode ?? 1, stdout, stderr: stderr || (error?.message ?? "") });
        });
      }),
    remove: async () => {
      if (dirname(folder) === (await realpath(tmpdir()))) await rm(folder, { recursive: true, force: true });
    },
  };
}
