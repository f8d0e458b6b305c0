import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { isPlainObject, isObject } from "../base/util/json.ts";
import { beforeEnd } from "./early-end.ts";
import { loadFailure } from "./load-failure.ts";
import { planLoading } from "./plan-loading.ts";

/**
 * Makes sure that there is such a file.
 * @throws ConfigurationError (`module-file`) naming the file.
 */
export async function assertFile(file: string): Promise<void> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) return;
  } catch (error) {
    throw fileError(
      file,
      errorCode(error) === "ENOENT" ? "does not exist." : `cannot be read: ${errorMessage(error)}`,
    );
  }
  throw fileError(file, `is not a file. Name the modules in it, such as ${join(file, "tools.ts")}.`);
}

/**
 * Makes sure that there is such a file, and that it is a module: TypeScript ends with a fault of its own on some others.
 * @throws ConfigurationError (`module-file`) naming the file.
 */
export async function assertModule(file: string): Promise<void> {
  await assertFile(file);
  if (!/\.[cm]?[jt]sx?$/.test(file))
    throw fileError(file, "is not a module. Expected .ts, .tsx, .js, .jsx, .mts, .mjs, .cts or .cjs.");
}

/**
 * Runs a module and returns its exports. Node itself runs what it can, which starts fastest; a loader runs what needs one:
 * enums, decorators, JSX, path aliases, imports as bundlers resolve them.
 * @throws ConfigurationError (`module-file`) naming the file and what it threw.
 */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  await assertModule(file);
  const { isCommonJs, need, emitted, decorated = [] } = planLoading(path);
  const run = async (): Promise<unknown> => {
    if (need === undefined) return import(pathToFileURL(path).href);
    const { registerLoader, requireModule } = await import("./module-loader.ts");
    await registerLoader(need, decorated);
    return emitted ? requireModule(path, emitted) : import(pathToFileURL(path).href);
  };
  try {
    const problem = `${file} ended the process while it was loaded. Call process.exit() only where the file is the program itself, and await nothing that never comes.`;
    return exportsOf(await beforeEnd(problem, run), isCommonJs);
  } catch (error) {
    if (error instanceof ConfigurationError && error.code === "module-loader") throw error;
    throw fileError(file, `failed while it was loaded: ${await loadFailure(error, file)}`, error);
  }
}

/** What CommonJS exports as a whole, members of it under their names. */
function exportsOf(module: unknown, isCommonJs: boolean): Readonly<Record<string, unknown>> {
  if (!isObject(module)) return { default: module };
  if (!isCommonJs) return module;
  const whole =
    module["module.exports"] ??
    (isPlainObject(module) && "__esModule" in module ? module : module["default"]);
  if (whole === undefined) return module;
  return isPlainObject(whole) ? whole : { default: whole };
}

function fileError(file: string, problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${file} ${problem}`, { code: "module-file", cause });
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
