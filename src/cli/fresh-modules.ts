import { registerHooks } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Marks the addresses of modules that are loaded once more: Node keeps what it has loaded under an address. */
const mark = "skein-reload";

/** This package's own files, of which there must be one copy only. */
const ownFolder = new URL("../", import.meta.url).href;

/** Loads a program's own modules again, with all of its own that they import: not packages, and nothing of Skein. */
export class FreshModules {
  /** The program's files that were loaded. */
  readonly files: Set<string> = new Set();
  #round = 0;
  readonly #hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      if (!isOwnProgram(resolved.url)) return resolved;
      this.files.add(fileURLToPath(withoutQuery(resolved.url)));
      return this.#round === 0 ? resolved : { ...resolved, url: this.#marked(resolved.url) };
    },
  });

  /** From now on, what is imported is loaded again. */
  renew(): void {
    this.#round++;
    this.files.clear();
  }

  [Symbol.dispose](): void {
    this.#hooks.deregister();
  }

  #marked(url: string): string {
    return `${withoutQuery(url)}?${mark}=${this.#round}`;
  }
}

function isOwnProgram(url: string): boolean {
  if (!url.startsWith("file:") || url.startsWith(ownFolder)) return false;
  const path = fileURLToPath(withoutQuery(url));
  return !/[\\/]node_modules[\\/]/.test(path) && /\.[cm]?[jt]sx?$/.test(path) && dirname(path) !== "";
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}
