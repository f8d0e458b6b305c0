/** Sets up what a user has: the packed package installed in a folder of its own, and the runtimes to try it on. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pruneManifest } from "../scripts/published-manifest.ts";
import { pruneLinks } from "../scripts/published-pages.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const runtimesFolder = fileURLToPath(new URL("runtimes", import.meta.url));

/** A folder without a tsconfig in which the packed package is installed. */
export interface Consumer {
  readonly folder: string;
  /** The files of the package, as npm lists them. */
  readonly packedFiles: readonly string[];
  /** Runs a command in the folder, with nothing of this process's environment but where things are. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Output>;
}

/** What a program said and how it ended. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Packs `dist/` as it stands, and installs the tarball into a new folder of the system's temporary one. */
export async function installPacked(): Promise<Consumer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skein-packed-")));
  const staged = await stagePackage();
  const packed = await execute("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: staged,
  });
  await rm(staged, { recursive: true });
  const [pack] = packDescriptions(JSON.parse(packed.stdout));
  if (!pack) throw new Error(`npm pack did not say what it packed: ${packed.stdout}`);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", `./${pack.filename}`];
  await execute("npm", install, { cwd: folder });
  return { folder, packedFiles: pack.files, run: (command, env) => runIn(folder, command, env) };
}

/** A copy of what is published: tests that run at the same time read the project's own package.json. */
async function stagePackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-staged-"));
  for (const name of ["dist", "docs", "README.md", "LICENSE", "package.json"])
    await cp(join(root, name), join(folder, name), { recursive: true });
  pruneManifest(folder);
  pruneLinks(folder);
  return folder;
}

/** Installs the runtimes of `test/runtimes/package.json`, once, and gives back how to call each. */
export async function installRuntimes(): Promise<Readonly<Record<string, readonly string[]>>> {
  const modules = join(runtimesFolder, "node_modules");
  const node = (version: string): readonly string[] => [join(modules, `node-${version}`, "bin", "node")];
  const runtimes = {
    "Node 22": node("22"),
    "Node 24": [process.execPath],
    "Node 26": node("26"),
    Bun: [join(modules, ".bin", "bun"), "run"],
    Deno: [join(modules, ".bin", "deno"), "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
  };
  await installOnce(runtimesFolder, () =>
    Object.values(runtimes).every(([command = ""]) => existsSync(command)),
  );
  return runtimes;
}

/** Installs what a folder's package.json asks for, unless it is there: once, however many tests ask at the same time. */
export async function installOnce(folder: string, isInstalled: () => boolean): Promise<void> {
  const lock = join(folder, ".installing");
  while (!isInstalled()) {
    const made = await mkdir(lock).then(
      () => true,
      () => false,
    );
    if (!made) {
      await removeOld(lock);
      await setTimeout(200);
      continue;
    }
    try {
      await execute("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
    if (!isInstalled()) throw new Error(`npm install has left something out of ${folder}`);
  }
}

/** A lock that is older than any installation was left behind. */
async function removeOld(lock: string): Promise<void> {
  const made = await stat(lock).catch(() => undefined);
  if (made && Date.now() - made.mtimeMs > 300_000) await rm(lock, { recursive: true, force: true });
}

async function runIn(
  folder: string,
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Output> {
  const { PATH = "", HOME = folder } = process.env;
  const options = {
    cwd: folder,
    env: { PATH, HOME, DENO_DIR: join(folder, ".deno"), ...env },
    timeout: 60_000,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const exitCode = child.exitCode ?? 1;
      resolve({ stdout, stderr: error && !stderr ? error.message : stderr, exitCode });
    });
  });
}

interface PackDescription {
  readonly filename: string;
  readonly files: readonly string[];
}

/** npm lists packages in an array, and since version 12 in an object by name. */
function packDescriptions(json: unknown): PackDescription[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.values(json).flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null || !("filename" in entry) || !("files" in entry))
      return [];
    const files = Array.isArray(entry.files) ? entry.files.map((file: { path: string }) => file.path) : [];
    return [{ filename: String(entry.filename), files }];
  });
}
