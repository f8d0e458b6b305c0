import { existsSync, readFileSync, statSync } from "node:fs";
import { isBuiltin, registerHooks } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where an import leads. */
export interface ImportTarget {
  /** Absent for built-in modules and for what is not found. */
  readonly file?: string;
  /** Whether Node alone would not find it. */
  readonly isByLoader?: boolean;
}

const outside: ImportTarget = {};

/** Resolves specifiers as Node does, each from the file that imports it. */
export class ImportResolver {
  #parent: string | undefined;
  readonly #hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, this.#parent === undefined ? context : { ...context, parentURL: this.#parent }),
  });

  /** @param isRequired - `require` completes extensions of JavaScript, which `import` does not. */
  resolve(specifier: string, importer: string, isRequired: boolean): ImportTarget {
    if (isBuiltin(specifier) || /^(?:data|https?):/.test(specifier)) return outside;
    const parent = pathToFileURL(importer).href;
    if (/^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier))
      return findFile(new URL(specifier, parent), isRequired);
    const url = this.#resolvePackage(specifier, parent);
    if (url === undefined) return mayBeAlias(importer) ? { isByLoader: true } : outside;
    return url.startsWith("file:") ? findFile(new URL(url), isRequired) : outside;
  }

  [Symbol.dispose](): void {
    this.#hooks.deregister();
  }

  #resolvePackage(specifier: string, parent: string): string | undefined {
    this.#parent = parent;
    try {
      return import.meta.resolve(specifier);
    } catch (error) {
      if (error instanceof Error && "code" in error) return undefined;
      throw error;
    } finally {
      this.#parent = undefined;
    }
  }
}

function findFile(url: URL, isRequired: boolean): ImportTarget {
  const file = fileURLToPath(url);
  if (isFile(file)) return { file };
  const other = findAlternative(file);
  if (other === undefined) return outside;
  return { file: other, isByLoader: !isRequired || !/\.(?:js|json)$/.test(other) };
}

const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
const sources: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".jsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** The file that a bundler takes for one that is not there. */
function findAlternative(file: string): string | undefined {
  const extension = extname(file);
  const bare = join(dirname(file), basename(file, extension));
  const candidates = [
    ...(sources[extension] ?? []).map((source) => bare + source),
    ...extensions.map((each) => file + each),
    ...extensions.map((each) => join(file, `index${each}`)),
    join(file, "package.json"),
  ];
  return candidates.find(isFile);
}

/** Whether a tsconfig above the file may say where a name leads. */
function mayBeAlias(importer: string): boolean {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const config = join(folder, name);
      if (existsSync(config))
        return /"(?:paths|baseUrl|extends|references)"/.test(readFileSync(config, "utf8"));
    }
    if (folder === dirname(folder)) return false;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
