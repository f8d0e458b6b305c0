import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { type Compiler, openCompiler } from "../sources/compiler/index.ts";

/**
 * Opens the compiler.
 * @throws ConfigurationError (`no-typescript`) where TypeScript was left out of what is installed.
 */
export async function openInstalledCompiler(): Promise<Compiler> {
  try {
    return await openCompiler();
  } catch (error) {
    if (!/^ERR_MODULE_NOT_FOUND$/.test(codeOf(error)) || !/typescript/.test(errorMessage(error))) throw error;
    throw new ConfigurationError(
      "TypeScript is not installed here, and sources cannot be read without it. Run: npm install typescript",
      { code: "no-typescript", cause: error },
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
