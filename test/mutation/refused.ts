/** Which changes the type check refuses: one that no test notices, and that does not compile, is noticed all the same. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A changed place of a file. */
export interface Change {
  /** Its path from the root of the project. */
  readonly file: string;
  /** The file as it was, and with the change. */
  readonly source: string;
  readonly changed: string;
}

/**
 * Checks changes of files in `src/`, in a copy within `work`: one of each file at a time, since the place of an error says
 * which change it is of.
 * @throws Error if the sources do not compile as they are.
 */
export function refusedByTypes<T extends Change>(
  root: string,
  work: string,
  changes: readonly T[],
): ReadonlySet<T> {
  const folder = join(work, "types");
  copyProject(root, folder);
  const errors = filesWithErrors(root, folder);
  if (errors.size > 0) throw new Error(`The sources do not compile: ${[...errors].join(", ")}.`);
  const refused = new Set<T>();
  for (let left = changes; left.length > 0;) {
    const round = new Map(left.toReversed().map((change) => [change.file, change]));
    for (const [file, { changed }] of round) writeFileSync(join(folder, file), changed);
    const withErrors = filesWithErrors(root, folder);
    for (const [file, change] of round) {
      if (withErrors.has(file)) refused.add(change);
      writeFileSync(join(folder, file), change.source);
    }
    left = left.filter((change) => round.get(change.file) !== change);
  }
  return refused;
}

function copyProject(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const { exclude } = JSON.parse(readFileSync(join(root, "tsconfig.build.json"), "utf8"));
  const config = {
    // A name that a change leaves unused does not count: a mistake would not.
    compilerOptions: { ...compilerOptions, noUnusedLocals: false, noUnusedParameters: false },
    include: ["src"],
    exclude,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
}

/** The files that the compiler reports, as paths from the folder. */
function filesWithErrors(root: string, folder: string): ReadonlySet<string> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  const files = [...stdout.matchAll(/^(.+)\(\d+,\d+\): error /gm)].flatMap(([, file]) => file ?? []);
  if (status !== 0 && files.length === 0) throw new Error(`The compiler failed. ${stdout}${stderr}`);
  return new Set(files);
}
