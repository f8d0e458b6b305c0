import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../util/error-message.ts";
import { loadFailure } from "./load-failure.ts";

/**
 * Makes sure that there is such a file.
 * @throws ConfigurationError (`module-file`) naming the file.
 */
export async function assertFile(file: string): Promise<void> {
  try {
    const found = await stat(file);
    if (found.isFile()) return;
  } catch (error) {
    throw fileError(
      file,
      errorCode(error) === "ENOENT" ? "does not exist." : `cannot be read: ${errorMessage(error)}`,
    );
  }
  throw fileError(file, "is no file.");
}

/**
 * Runs a module and gives back its exports. TypeScript is run by Node itself, which strips the types.
 * @throws ConfigurationError (`module-file`) naming the file and what it threw.
 */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    if (errorCode(error) === "ERR_UNKNOWN_FILE_EXTENSION") throw fileError(file, unknownExtension(file));
    throw fileError(file, `failed while it was loaded: ${await loadFailure(error, file)}`, error);
  }
}

function unknownExtension(file: string): string {
  if (!/\.[cm]?ts$/.test(file)) return "is no module that Node runs: give a .ts, .mts, .js or .mjs file.";
  return `is TypeScript, which Node runs from version 22.18 on; this is ${process.version}.`;
}

function fileError(file: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${file} ${problem}`, { code: "module-file", cause });
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
