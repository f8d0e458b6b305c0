import {
  createRequire,
  registerHooks,
  type LoadFnOutput,
  type LoadHookContext,
  type LoadHookSync,
} from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { emitJavaScript, findLegacyDecorated } from "./emit-javascript.ts";
import { displayPath } from "./excerpt.ts";
import type { LoaderNeed } from "./plan-loading.ts";

/** Modules with standard decorators, as TypeScript writes them. */
const undecorated = new Map<string, string>();

/**
 * Has this process load what Node alone does not, from now on. What has been loaded before stays as it is.
 * @param decorated - The modules with decorators: the loader knows legacy ones only, in files that a tsconfig includes; TypeScript writes the others.
 * @throws ConfigurationError (`module-loader`) if the loader is not installed for this platform.
 */
export async function registerLoader(
  { file, line, what }: LoaderNeed,
  decorated: readonly string[],
): Promise<void> {
  try {
    // @ts-expect-error -- it is imported for what it does, and has no types
    await import("@oxc-node/core/register");
  } catch (cause) {
    const place = `${displayPath(file)}${line === undefined ? "" : `:${line}`}`;
    throw new ConfigurationError(
      `${place} has ${what}, which Node alone cannot load, and the loader failed: ${errorMessage(cause)}. ` +
        "Install it: npm install @oxc-node/core",
      { code: "module-loader", cause },
    );
  }
  const legacy = findLegacyDecorated(decorated);
  const standard = decorated.filter((each) => !legacy.has(each));
  if (standard.length > 0 && undecorated.size === 0) registerHooks({ load: loadUndecorated });
  for (const [path, code] of emitJavaScript(standard, "esnext")) undecorated.set(path, code);
}

/**
 * Runs a module as the CommonJS that TypeScript makes of it and of `files`, those that it requires.
 * @returns what it exports
 */
export function requireModule(entry: string, files: readonly string[]): unknown {
  const emitted = emitJavaScript(files, "commonjs");
  const require = createRequire(entry);
  for (const extension of new Set(files.map((file) => extname(file)))) {
    const before = require.extensions[extension];
    require.extensions[extension] = (module, file) => {
      const code = emitted.get(file);
      if (code === undefined) before?.(module, file);
      else Reflect.get(module, "_compile").call(module, code, file);
    };
  }
  return require(entry);
}

function loadUndecorated(
  url: string,
  context: LoadHookContext | undefined,
  next: Parameters<LoadHookSync>[2],
): LoadFnOutput {
  const source = url.startsWith("file:")
    ? undecorated.get(fileURLToPath(url.replace(/[?#].*$/, "")))
    : undefined;
  return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
}
