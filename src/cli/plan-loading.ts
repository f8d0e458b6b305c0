import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { nearestAbove } from "../sources/reflection/cache-folder.ts";
import { isPlainObject } from "../base/util/json.ts";
import { type ModuleText, readModuleText } from "./module-text.ts";
import { ImportResolver } from "./resolve-import.ts";

/** How a module is to be loaded. */
export interface LoadPlan {
  readonly isCommonJs: boolean;
  /** Why Node alone cannot load it; absent if it can. */
  readonly need?: LoaderNeed;
  /** The files that TypeScript must write as CommonJS: the module itself, and what it imports of that kind. */
  readonly emitted?: readonly string[];
  /** The modules with decorators. */
  readonly decorated?: readonly string[];
}

/** What Node alone cannot load, and where. */
export interface LoaderNeed {
  readonly file: string;
  /** Counted from 1; absent for the file as a whole. */
  readonly line?: number;
  readonly what: string;
}

/** This package's own files, which Node runs as they are. */
const ownFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Decides how to load a file, by the texts of it and of the files that it imports. Only reads: a module that has begun to
 * run cannot be run again.
 */
export function planLoading(entry: string): LoadPlan {
  using resolver = new ImportResolver();
  const emitted: string[] = [];
  const decorated: string[] = [];
  let need: LoaderNeed | undefined;
  let isCommonJs = false;
  const files = new Set([entry]);
  // A set that grows while it is walked.
  for (const file of files) {
    const code = readFileSync(file, "utf8");
    const text = readModuleText(code);
    const isMixed = isMixedCommonJs(file, text);
    if (isMixed) emitted.push(file);
    if (text.unusual?.kind === "decorator") decorated.push(file);
    if (file === entry) isCommonJs = isMixed || isPlainCommonJs(file, text);
    need ??= findSyntaxNeed(file, code, text);
    if (isMixed) need ??= { file, what: "import or export in a CommonJS file" };
    for (const { specifier, isRequired, hasAttributes } of text.imports) {
      const target = resolver.resolve(specifier, file, isRequired || isMixed);
      const isPlainJson = /^[./].*\.json$/.test(specifier) && !isRequired && !hasAttributes;
      if (target.isByLoader || isPlainJson) {
        need ??= { file, line: lineOf(code, specifier), what: `the import of "${specifier}"` };
      }
      if (target.file !== undefined && isOwnProgram(target.file)) files.add(target.file);
    }
  }
  if (need === undefined) return { isCommonJs };
  return { isCommonJs, need, decorated, ...(emitted[0] === entry && { emitted }) };
}

/** Packages are built already, unless they are TypeScript, which Node refuses there. */
function isOwnProgram(file: string): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(file) || file.startsWith(ownFolder)) return false;
  return !/[\\/]node_modules[\\/]/.test(file);
}

function findSyntaxNeed(file: string, code: string, { unusual }: ModuleText): LoaderNeed | undefined {
  const extension = extname(file);
  if (/^\.[jt]sx$/.test(extension)) return { file, what: `JSX (it is a ${extension} file)` };
  if (unusual === undefined) return undefined;
  const { kind, line } = unusual;
  if (kind === "decorator") return { file, line, what: "a decorator" };
  if (!/\.[cm]?ts$/.test(file) || isStrippable(code)) return undefined;
  return { file, line, what: "TypeScript that is more than types" };
}

/** Whether Node removes the types by itself; Node reports a syntax error itself. */
function isStrippable(code: string): boolean {
  const emitWarning = Reflect.get(process, "emitWarning");
  // Node warns that the function is experimental: to the user, that says nothing.
  process.emitWarning = () => {};
  try {
    stripTypeScriptTypes(code);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Whether a file has `import` or `export` and is CommonJS to Node, or to its author, who uses what only CommonJS has. */
function isMixedCommonJs(file: string, { hasModuleSyntax, usesCommonJs }: ModuleText): boolean {
  if (!hasModuleSyntax || /\.m[jt]s$/.test(file)) return false;
  if (/\.c[jt]s$/.test(file)) return true;
  const type = packageType(file);
  return type === "commonjs" || (type === undefined && usesCommonJs);
}

function isPlainCommonJs(file: string, { hasModuleSyntax, usesCommonJs }: ModuleText): boolean {
  return /\.c[jt]s$/.test(file) || (usesCommonJs && !hasModuleSyntax && !/\.m[jt]s$/.test(file));
}

/** Whether a file exports as CommonJS does, which TypeScript's outline of a `.ts` file does not show. */
export function exportsAsCommonJs(file: string): boolean {
  return isPlainCommonJs(file, readModuleText(readFileSync(file, "utf8")));
}

function packageType(file: string): unknown {
  // Node's own findPackageJSON returns the file itself if no folder above it has a manifest.
  const manifest = nearestAbove(dirname(file), "package.json");
  if (manifest === undefined) return undefined;
  const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return isPlainObject(content) ? content["type"] : undefined;
}

function lineOf(code: string, specifier: string): number {
  return code.slice(0, Math.max(0, code.indexOf(specifier))).split("\n").length;
}
