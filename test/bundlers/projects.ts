/** Projects made of the sample application and the configurations that docs/production.md shows. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "../built-package.ts";
import { installOnce } from "../consumer.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(folder, "node_modules");

/** How a command ended, and what it said. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A bundler of the page: the heading, and how it is started in a project. */
export interface Bundler {
  readonly heading: string;
  readonly command: readonly string[];
}

/** Where Bun is, once it is installed. */
export const bun: string = join(modules, ".bin", "bun");

/** webpack and Rspack have their command lines in other packages: this does what those do. */
const compile = join(folder, "compile.js");

/** Every bundler that the page has a configuration for. */
export const bundlers: readonly Bundler[] = [
  { heading: "Vite", command: [process.execPath, join(modules, "vite/bin/vite.js"), "build"] },
  { heading: "Rollup", command: [process.execPath, join(modules, "rollup/dist/bin/rollup"), "-c"] },
  { heading: "Rolldown", command: [process.execPath, join(modules, "rolldown/bin/cli.mjs"), "-c"] },
  { heading: "webpack", command: [process.execPath, compile, "webpack"] },
  { heading: "Rspack", command: [process.execPath, compile, "@rspack/core"] },
  { heading: "esbuild", command: [process.execPath, "build.js"] },
  { heading: "Bun", command: [bun, "build.js"] },
];

/** What the sample application says of its tools. */
export interface Results {
  /** What development and production both see. */
  readonly shapes: Readonly<Record<string, unknown>>;
  /** What only declarations tell. */
  readonly declared: Readonly<Record<string, unknown>>;
}

/** Runs the sample application. */
export async function results(command: readonly string[], project: string): Promise<Results> {
  const { exitCode, stdout, stderr } = await run(command, project);
  if (exitCode !== 0 || stderr !== "")
    throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stderr}`);
  return JSON.parse(stdout);
}

/** The programs in TypeScript that the page shows. */
export async function pagePrograms(): Promise<readonly string[]> {
  const page = await readFile(join(root, "docs", "production.md"), "utf8");
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
}

/** Installs the bundlers, once. */
export async function installBundlers(): Promise<void> {
  const { dependencies }: { dependencies: object } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const names = Object.keys(dependencies);
  await installOnce(folder, () => names.every((name) => existsSync(join(modules, name, "package.json"))));
}

/** Makes a project: the sample application, the package as it is built, and `files`. */
export async function makeProject(
  name: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const project = join(folder, ".work", name);
  await rm(project, { recursive: true, force: true });
  await cp(join(folder, "app"), join(project, "src"), { recursive: true });
  await cp(join(folder, "tool-box"), join(project, "tool-box"), { recursive: true });
  await copyBuilt(join(project, "node_modules", "skein"));
  const { imports }: { imports: unknown } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { compilerOptions }: { compilerOptions: unknown } = JSON.parse(
    await readFile(join(folder, "tsconfig.json"), "utf8"),
  );
  const written = {
    "package.json": JSON.stringify({ name, private: true, type: "module", imports }),
    "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }),
    ...files,
  };
  for (const [file, text] of Object.entries(written)) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  return project;
}

/**
 * Makes a project outside of the repository, with one program: it has Skein with what Skein depends on, the bundlers, and no
 * optional package.
 */
export async function makeBareProject(
  program: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const project = await realpath(await mkdtemp(join(tmpdir(), "skein-bundled-")));
  const { dependencies }: { dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  await copyBuilt(join(project, "node_modules", "skein"));
  const links = [
    ...(await packageNames(modules)).map((name) => [name, join(modules, name)] as const),
    ...Object.keys(dependencies).map((name) => [name, join(root, "node_modules", name)] as const),
  ];
  for (const [name, target] of new Map(links)) {
    await mkdir(dirname(join(project, "node_modules", name)), { recursive: true });
    await symlink(target, join(project, "node_modules", name), "junction");
  }
  const manifest = JSON.stringify({ name: "bare", private: true, type: "module" });
  for (const [file, text] of Object.entries({ "package.json": manifest, "src/main.ts": program, ...files })) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  return project;
}

async function packageNames(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const lists = names.map(async (name) =>
    name.startsWith("@") ? (await readdir(join(folder, name))).map((each) => `${name}/${each}`) : [name],
  );
  return (await Promise.all(lists)).flat();
}

/** The configuration that the page shows under a heading, by the name of its file. */
export async function configuration(heading: string): Promise<Readonly<Record<string, string>>> {
  const page = await readFile(join(root, "docs", "production.md"), "utf8");
  const section = page.split(/^### /m).find((text) => text.startsWith(`${heading}\n`));
  const [, file, code] = /^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/m.exec(section ?? "") ?? [];
  if (file === undefined || code === undefined) throw new Error(`the page shows nothing for ${heading}`);
  return { [file]: code };
}

/** Runs a command to its end. */
export function run([command = "", ...args]: readonly string[], cwd: string): Promise<Finished> {
  const { PATH = "", HOME = folder } = process.env;
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, NO_COLOR: "1", SKEIN_MODEL: "offline" };
  const options = { cwd, env, timeout: 110_000, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? 1, stdout, stderr: stderr || (error?.message ?? "") });
    });
  });
}
