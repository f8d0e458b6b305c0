import type * as Run from "run";
import { ConfigurationError } from "../errors.ts";

/**
 * Loads the interpreter's package.
 * @throws ConfigurationError (`missing-package`) if it is not installed.
 */
export async function loadRun(): Promise<typeof Run> {
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "run";
  try {
    return await importRun(name).catch(() => importRunOfProject(name));
  } catch (error) {
    throw new ConfigurationError(`skein/code needs the package ${name}: npm install ${name}`, {
      code: "missing-package",
      data: { package: name },
      cause: error,
    });
  }
}

async function importRun(name: string): Promise<typeof Run> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

/**
 * Where packages do not see those beside them, a project's own is reached from its folder: this one does not name it as an
 * optional peer, since npm then puts a copy of this package into each workspace of a project that has TypeScript 7.
 */
async function importRunOfProject(name: string): Promise<typeof Run> {
  const path = process
    .getBuiltinModule("node:module")
    .createRequire(`${process.cwd()}/package.json`)
    .resolve(name);
  return importRun(process.getBuiltinModule("node:url").pathToFileURL(path).href);
}
