import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** How a process ended. */
export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What reflection is imported from by programs of other folders. */
export const reflection: string = new URL("index.ts", import.meta.url).href;

/** The program that prints what is found of `fixtures/functions.ts`. */
export const printProgram: string = fileURLToPath(new URL("fixtures/print.ts", import.meta.url));

/** Runs a command to its end; nothing of how this process was started goes with it. */
export function runProcess(
  [command = "", ...args]: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Finished> {
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd: options.cwd, env: { PATH, HOME, ...options.env } },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}

/** A folder of its own with a program in it. */
export interface Project {
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): void;
  /** Runs `main.ts` and returns what it printed as JSON. Throws what else it said where it failed. */
  run(env?: Readonly<Record<string, string>>): Promise<unknown>;
  remove(): void;
}

/** Makes a folder outside every tsconfig. */
export function makeProject(files: Readonly<Record<string, string>>): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skein-project-")));
  const path = (name: string): string => join(folder, name);
  const project: Project = {
    folder,
    path,
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    },
    async run(env) {
      const { stdout, stderr, exitCode } = await runProcess([process.execPath, "main.ts"], {
        cwd: folder,
        ...(env && { env }),
      });
      if (exitCode !== 0) throw new Error(`main.ts ended with ${exitCode}: ${stderr}`);
      return JSON.parse(stdout);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  project.write("package.json", '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}
