import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, type Finished } from "../bundlers/projects.ts";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(folder, "node_modules");

/** Installs the compilers, once. */
export async function installCompilers(): Promise<void> {
  const { dependencies }: { dependencies: object } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const names = Object.keys(dependencies);
  await installOnce(folder, () => names.every((name) => existsSync(join(modules, name, "package.json"))));
}

/** How a project is compiled. */
export const compilerOptions: Readonly<Record<string, unknown>> = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  rootDir: "src",
  outDir: "dist",
  lib: ["es2023", "dom"],
  types: [],
};

/** Makes a project of the sample application, and of `files`. */
export async function makeProject(
  name: string,
  type: "module" | "commonjs",
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const project = join(folder, ".work", name.replaceAll(/\W+/g, "-"));
  await rm(project, { recursive: true, force: true });
  await cp(join(folder, "app"), join(project, "src"), { recursive: true });
  await linkSkein(project);
  await writeAll(project, {
    "package.json": JSON.stringify({ private: true, type }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    ...files,
  });
  return project;
}

/** Writes files below a folder. */
export async function writeAll(project: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
}

/** Skein as it is built, and no other package. */
async function linkSkein(project: string): Promise<void> {
  await mkdir(join(project, "node_modules"), { recursive: true });
  await symlink(root, join(project, "node_modules", "skein"), "dir");
}

/** Attaches schemas in folders of a project. */
export function attach(project: string, ...folders: readonly string[]): Promise<Finished> {
  return run([process.execPath, join(root, "dist", "cli", "bin.js"), "attach", ...folders], project);
}

/** What was emitted, in a folder with nothing but Skein's files: no sources, no TypeScript. Prints what the program prints. */
export async function runAlone(project: string, main = "dist/main.js"): Promise<unknown> {
  const alone = `${project}-alone`;
  await rm(alone, { recursive: true, force: true });
  await cp(join(project, "dist"), join(alone, "dist"), { recursive: true });
  await cp(join(project, "package.json"), join(alone, "package.json"));
  const skein = join(alone, "node_modules", "skein");
  await cp(join(root, "dist"), join(skein, "dist"), { recursive: true });
  await cp(join(root, "package.json"), join(skein, "package.json"));
  // In a test's folder, packages above would be found: with this one, TypeScript is not.
  await writeAll(join(alone, "node_modules", "typescript"), { "package.json": '{ "exports": {} }' });
  const { exitCode, stdout, stderr } = await run([process.execPath, main], alone);
  if (exitCode !== 0 || stderr !== "") throw new Error(`${alone} ended with ${exitCode}:\n${stderr}`);
  return JSON.parse(stdout);
}
