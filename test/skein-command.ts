import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes a folder for a small project outside the repository, in which programs can import `skein`. */
export async function newProject(manifest: object = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skein-project-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", ...manifest }));
  return folder;
}

/** Lets TypeScript find `skein` in a project, too; that takes it some time. */
export async function addTypes(folder: string): Promise<void> {
  const config = { extends: join(root, "tsconfig.json"), include: ["*.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
}

/** What a command printed, and how it ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What comes between `node` and the arguments of the command `skein`, run from the sources. */
export const fromSources: readonly string[] = [
  "--import",
  join(root, "test/from-source.ts"),
  join(root, "src/cli/bin.ts"),
];

/** Starts the command `skein` from the sources, in a process of its own, without keys or colours. */
export function startSkein(
  args: readonly string[],
  cwd: string = root,
  variables: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, [...fromSources, ...args], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: join(tmpdir(), "skein-compiled"),
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the command `skein` to its end. */
export async function skein(
  args: readonly string[],
  cwd?: string,
  variables?: Readonly<Record<string, string>>,
): Promise<Finished> {
  const child = startSkein(args, cwd, variables);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError("the command's output is not piped");
  const [, out, error] = await Promise.all([once(child, "close"), readAll(stdout), readAll(stderr)]);
  return { code: child.exitCode, stdout: out, stderr: error };
}
