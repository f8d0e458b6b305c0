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
    return await importRun(name);
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
