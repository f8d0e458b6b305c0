import { watch, type FSWatcher } from "node:fs";
import { dirname, resolve } from "node:path";
import { openCompiler, type Compiler } from "../sources/compiler/index.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { readInChild } from "./read-in-child.ts";
import { mustRun, readToolFile, type ToolFile } from "./tool-file.ts";

/** Editors write a file in several steps: what changes within this many milliseconds is one change. */
const settling = 50;

/**
 * Reads the tools of files and reports them, again whenever one of the files or of their imports changes. Only files that
 * a change concerns are read again. Never resolves; rejects if the files cannot be watched.
 */
export async function watchFiles(
  paths: readonly string[],
  report: (files: readonly ToolFile[]) => void,
): Promise<never> {
  const compiler = await openCompiler();
  const read = new Map<string, ToolFile>();
  using watcher = new FolderWatcher();
  watcher.follow(paths.map((path) => resolve(path)));
  for (const path of paths) read.set(path, await readFresh(compiler, path));
  for (;;) {
    watcher.follow([...read.values()].flatMap(({ madeOf }) => madeOf));
    report([...read.values()]);
    const changed = await watcher.nextChange();
    compiler.refresh([...changed]);
    for (const [path, { madeOf }] of read) {
      if (madeOf.some((file) => changed.has(file))) read.set(path, await readFresh(compiler, path, madeOf));
    }
  }
}

/** The tools of a file as it is now; `before` is what it was made of, which may still decide how a broken file is mended. */
async function readFresh(
  compiler: Compiler,
  path: string,
  before: readonly string[] = [],
): Promise<ToolFile> {
  const file = resolve(path);
  try {
    return mustRun(compiler, path) ? await readInChild(path) : await readToolFile(compiler, path);
  } catch (error) {
    // A file that is being moved or written is not there for a moment: it is read again once it changes.
    const place = { file, line: 1, column: 1, length: 1 };
    const problems = [{ message: errorMessage(error), place }];
    return {
      file,
      tools: [],
      exported: [],
      agents: [],
      warnings: [],
      problems,
      madeOf: [...new Set([file, ...before])],
    };
  }
}

/** Notes which of the files it follows change. Folders are watched, because editors replace files. */
export class FolderWatcher {
  readonly #folders = new Map<string, FSWatcher>();
  #files: ReadonlySet<string> = new Set();
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** Follows these files, and no others. */
  follow(files: readonly string[]): void {
    this.#files = new Set(files);
    const folders = new Set(files.map((file) => dirname(file)));
    for (const [folder, watcher] of this.#folders) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) {
      if (this.#folders.has(folder)) continue;
      const watcher = watch(folder, (_event, name) => this.#note(resolve(folder, name ?? "")));
      watcher.on("error", (error) => {
        this.#failure = error;
        this.#wake?.();
      });
      this.#folders.set(folder, watcher);
    }
  }

  /** The files that have changed since the last call, once they have settled. */
  async nextChange(): Promise<ReadonlySet<string>> {
    while (this.#changed.size === 0 || this.#timer !== undefined) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
  }

  #note(file: string): void {
    if (!this.#files.has(file)) return;
    this.#changed.add(file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#wake?.();
    }, settling);
  }
}
