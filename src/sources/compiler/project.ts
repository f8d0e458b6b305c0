import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SchemaNotFoundError } from "../../errors.ts";
import { isJavaScript } from "./diagnostics.ts";
import { createHost, type Host, type Project, type Snapshot } from "./host.ts";
import { createProjectChooser, slashed, type NarrowProject } from "./project-config.ts";
import { hideTags } from "./script-tags.ts";
import { loadTypeScript, openApi } from "./typescript-process.ts";

/** A JavaScript text, and the name that says how it is to be read: `main.mjs`. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** TypeScript at work on a set of files, each under the tsconfig that includes it, or under none. */
export interface Workspace {
  /** Makes files (absolute paths) known at once; cheaper than one by one. */
  open(files: readonly string[]): void;
  /** The project that `file` (an absolute path) belongs to. Throws where there is none. */
  hostFor(file: string): Host;
  /** The same, where there may be none. */
  hostOf(file: string): Host | undefined;
  /** Opens JavaScript code that is not in a file, by syntax alone, and returns its path. */
  openText(text: string): string;
  /** The same of several texts, which share a project, under their file names. */
  openTexts(texts: readonly NamedText[]): readonly string[];
  /** Adds a text as a module beside `file`, with its compiler options, and returns its path. One for each folder. */
  openBeside(file: string, text: string): string;
  /** What a tsconfig (an absolute path) includes, and its options, inherited ones among them. Throws for one that cannot be read. */
  readConfig(tsconfig: string): {
    readonly fileNames: readonly string[];
    readonly options: Readonly<Record<string, unknown>>;
  };
  /** The tsconfigs and package manifests read so far. */
  configFiles(): ReadonlySet<string>;
  /** The folders in which a new file belongs to a project, under the tsconfigs read so far. */
  includedFolders(): ReadonlySet<string>;
  /** Reads files again that have changed on disk; without `files`, everything, and looks again for what was missing. */
  refresh(files?: readonly string[]): void;
  /** Ends TypeScript's process. */
  close(): void;
}

/**
 * Starts TypeScript. Its process ends with this one, and never keeps it alive.
 * @param cwd - The directory in which TypeScript works; the current one by default.
 */
export async function openWorkspace(cwd: string = process.cwd()): Promise<Workspace> {
  const modules = await loadTypeScript();
  const chooser = createProjectChooser((tsconfig) => api.parseConfigFile(tsconfig).fileNames);
  const texts = new Map<string, string>();
  const configs = new Set<string>();
  const api = openApi(modules, cwd, (path) => {
    const text = chooser.textOf(path) ?? texts.get(path);
    if (isJavaScript(path)) return scriptText(path, text);
    if (text === undefined && path.endsWith(".json")) configs.add(path);
    return text;
  });
  const opened = new Map<string, NarrowProject | undefined>();
  const hosts = new Map<string, Host>();
  let snapshot: Snapshot | undefined;

  function open(files: readonly string[]): void {
    const fresh = [...new Set(files)].filter((file) => !opened.has(file));
    if (fresh.length === 0) return;
    for (const file of fresh) {
      const project = chooser.projectOf(file);
      project?.files.add(slashed(file));
      opened.set(file, project);
    }
    const changed = [...new Set(fresh.flatMap((file) => opened.get(file)?.path ?? []))];
    const loose = fresh.filter((file) => opened.get(file) === undefined);
    snapshot = api.updateSnapshot({ openProjects: changed, openFiles: loose, fileChanges: { changed } });
    hosts.clear();
  }

  function projectOf(file: string): Project | undefined {
    const narrow = opened.get(file);
    return narrow ? snapshot?.getProject(narrow.path) : snapshot?.getDefaultProjectForFile(file);
  }

  function hostOf(file: string): Host | undefined {
    open([file]);
    const project = projectOf(file);
    if (project === undefined) return undefined;
    const host = hosts.get(project.id) ?? createHost(modules, project);
    hosts.set(project.id, host);
    return host;
  }

  function openTexts(named: readonly NamedText[]): readonly string[] {
    const folder = slashed(resolve(`/.skein/texts-${texts.size}`));
    const files = named.map(({ name }, index) => `${folder}/${index}/${name}`);
    const config = `${folder}/tsconfig.json`;
    const compilerOptions = {
      allowJs: true,
      noLib: true,
      types: [],
      noResolve: true,
      moduleDetection: "force",
    };
    texts.set(config, JSON.stringify({ compilerOptions, files }));
    for (const [index, file] of files.entries()) {
      texts.set(file, named[index]?.text ?? "");
      opened.set(file, { path: config, files: new Set(files), text: () => texts.get(config) ?? "" });
    }
    snapshot = api.updateSnapshot({ openProjects: [config] });
    hosts.clear();
    return files;
  }

  function openBeside(file: string, text: string): string {
    const [, kind = ""] = /\.([cm]?)[jt]sx?$/.exec(file) ?? [];
    const path = slashed(join(dirname(file), `.skein.module.${kind}ts`));
    if (texts.get(path) === text) return path;
    const isOpen = chooser.projectOf(file) !== undefined || !existsSync(file);
    if (!isOpen) open([file]);
    const tsconfig = isOpen ? undefined : snapshot?.getDefaultProjectForFile(file)?.configFileName;
    const project = chooser.projectBeside(
      file,
      tsconfig !== undefined && existsSync(tsconfig) ? tsconfig : undefined,
    );
    texts.set(path, text);
    project.files.add(path);
    opened.set(path, project);
    const fileChanges = { changed: [project.path, path] };
    snapshot = api.updateSnapshot({ openProjects: [project.path], fileChanges });
    hosts.clear();
    return path;
  }

  return {
    open,
    hostOf,
    openBeside,
    hostFor(file) {
      const host = hostOf(file);
      if (host !== undefined) return host;
      throw new SchemaNotFoundError(`TypeScript finds no project for ${file}.`, { data: { file } });
    },
    openText(text) {
      for (const [textPath, itsText] of texts) if (itsText === text) return textPath;
      const [path = ""] = openTexts([{ name: "script.js", text }]);
      return path;
    },
    openTexts,
    readConfig: (tsconfig) => api.parseConfigFile(tsconfig),
    configFiles: () => configs,
    includedFolders: () => chooser.includedFolders(),
    refresh(files) {
      chooser.forget();
      // A loose file keeps the text it was opened with, as in an editor: it is closed, and opened again when needed.
      const loose = (files ?? [...opened.keys()]).filter(
        (file) => opened.has(file) && opened.get(file) === undefined,
      );
      for (const file of loose) opened.delete(file);
      const fileChanges = files === undefined ? { invalidateAll: true as const } : { changed: [...files] };
      snapshot = api.updateSnapshot({ closeFiles: loose, fileChanges });
      hosts.clear();
    },
    close: () => api.close(),
  };
}

/** JavaScript as TypeScript has to read it; `undefined` where that is what the disk has. */
function scriptText(path: string, text: string | undefined): string | undefined {
  if (text !== undefined) return hideTags(text);
  const onDisk = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const readable = onDisk && hideTags(onDisk);
  return readable === onDisk ? undefined : readable;
}
