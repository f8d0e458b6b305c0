import { SchemaNotFoundError } from "../errors.ts";
import { createHost, loadTypeScript, type Host, type Snapshot } from "./host.ts";

/** TypeScript at work on a set of files, each in the project whose tsconfig includes it, or in none. */
export interface Workspace {
  /** Makes files (absolute paths) known at once; cheaper than one by one. */
  open(files: readonly string[]): void;
  /** The project that `file` (an absolute path) belongs to. Throws where TypeScript cannot read the file. */
  hostFor(file: string): Host;
  /** Reads files again that have changed on disk. */
  refresh(files: readonly string[]): void;
  /** Ends TypeScript's process. */
  close(): void;
}

/**
 * Starts TypeScript. Its process ends with this one, and never keeps it alive.
 * @param cwd - The directory in which TypeScript works; the current one by default.
 */
export async function openWorkspace(cwd: string = process.cwd()): Promise<Workspace> {
  const modules = await loadTypeScript();
  const api = new modules.typescript.API({ cwd });
  const opened = new Set<string>();
  const hosts = new Map<string, Host>();
  let snapshot: Snapshot | undefined;

  function open(files: readonly string[]): void {
    const fresh = files.filter((file) => !opened.has(file));
    if (fresh.length === 0) return;
    for (const file of fresh) opened.add(file);
    snapshot = api.updateSnapshot({ openFiles: fresh });
    hosts.clear();
  }

  return {
    open,
    hostFor(file) {
      open([file]);
      const project = snapshot?.getDefaultProjectForFile(file);
      if (project === undefined) {
        throw new SchemaNotFoundError(`TypeScript finds no project for ${file}.`, { data: { file } });
      }
      const known = hosts.get(project.id);
      if (known !== undefined) return known;
      const host = createHost(modules, project);
      hosts.set(project.id, host);
      return host;
    },
    refresh(files) {
      // An open file keeps the text it was opened with, as in an editor: it is closed, and opened anew when asked for.
      const closing = files.filter((file) => opened.delete(file));
      snapshot = api.updateSnapshot({ closeFiles: closing, fileChanges: { changed: [...files] } });
      hosts.clear();
    },
    close: () => api.close(),
  };
}
