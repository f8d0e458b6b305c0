import { realpathSync } from "node:fs";
import { dependenciesOf } from "../compiler/dependencies.ts";
import { displayPath } from "../compiler/diagnostics.ts";
import { prefetch } from "../compiler/prefetch.ts";
import { openWorkspace, type Workspace } from "../compiler/project.ts";
import { findClashes, type FunctionUse } from "../compiler/use-sites-clashes.ts";
import { findUseSites } from "../compiler/use-sites.ts";
import { isUnchanged, rememberFolder } from "./attach-cache.ts";
import { listScripts, readEmitted, type EmittedFile } from "./emitted-files.ts";
import { createSourceReader, type EmittedSources } from "./emitted-sources.ts";
import { findSyntaxError, parseScripts, treeOf } from "./parse-texts.ts";
import { placeFile, type PlacedFile, type ReadSource } from "./place-file.ts";
import { createSourceFinder } from "./project-outputs.ts";
import { writeFiles } from "./write-files.ts";

/** What has become of a folder of emitted files. */
export interface AttachReport {
  /** How many scripts are in it, with tools and without. */
  readonly scripts: number;
  /** Those that hold schemas now, and at how many places. */
  readonly attached: readonly { readonly path: string; readonly places: number }[];
  /** Whether nothing has changed since the last time, so that nothing was done. */
  readonly isUnchanged: boolean;
  /** What keeps schemas from being attached, one message each; then nothing is written. */
  readonly problems: readonly string[];
}

/**
 * Writes the schemas of functions into files that a compiler has emitted: the same schemas that the build plugin attaches to
 * the sources, at the same expressions. Run again, it replaces what it wrote before.
 * @throws Error for a folder that cannot be read or written.
 */
export async function attachFolder(path: string): Promise<AttachReport> {
  const folder = realpathSync(path);
  const scripts = listScripts(folder);
  const report = { scripts: scripts.length, attached: [], isUnchanged: false, problems: [] };
  if (isUnchanged(folder, scripts)) return { ...report, isUnchanged: true };
  const workspace = await openWorkspace();
  try {
    const { placed, problems, inputs } = placeScripts(workspace, folder, scripts);
    if (problems.length > 0) return { ...report, problems };
    writeFiles(placed.flatMap(({ edited }) => edited ?? []));
    rememberFolder(folder, scripts, inputs);
    const attached = placed.flatMap(({ edited, places }) =>
      edited === undefined || places === 0 ? [] : [{ path: edited.path, places }],
    );
    return { ...report, attached };
  } finally {
    workspace.close();
  }
}

interface PlacedScripts {
  readonly placed: readonly PlacedFile[];
  readonly problems: readonly string[];
  /** The files whose text decides what is attached. */
  readonly inputs: ReadonlySet<string>;
}

interface ScriptWithSources {
  readonly file: EmittedFile;
  readonly sources: EmittedSources;
}

function placeScripts(workspace: Workspace, folder: string, scripts: readonly string[]): PlacedScripts {
  const problems = new Set<string>();
  const all = readScripts(workspace, folder, scripts, problems);
  const using = all.filter(({ file, sources }) => sources.using.length > 0 || file.earlier !== undefined);
  // Classes whose methods become tools elsewhere may stand in files that use no tools.
  workspace.open(all.flatMap(({ sources }) => sources.paths.filter((path) => /\.[cm]?[jt]sx?$/.test(path))));
  const paths = parseScripts(
    workspace,
    using.map(({ file }) => ({ path: file.path, text: file.code })),
  );
  prefetchSources(workspace, new Set(using.flatMap(({ sources }) => sources.using.map(({ path }) => path))));
  const readSource = createSourceTable(workspace);
  const placed = using.map(({ file, sources }, index) => {
    const read = sources.using.map((source) => ({ ...source, ...readSource(source.path) }));
    for (const { useSites } of read) for (const problem of useSites.problems) problems.add(problem);
    const result = placeFile(file, treeOf(workspace, paths[index] ?? ""), read);
    for (const problem of result.problems) problems.add(problem);
    return result;
  });
  for (const problem of findClashes(usesOf(readSource, using))) problems.add(problem);
  const decisive = new Set(
    using.flatMap(({ sources }) => sources.using.flatMap(({ path }) => [path, ...readSource(path).files])),
  );
  // What a tool was, and what has been compiled, must be the same.
  for (const { sources } of all) {
    for (const [path, problem] of sources.changed) if (decisive.has(path)) problems.add(problem);
  }
  const inputs = new Set([
    ...decisive,
    ...all.flatMap(({ sources }) => sources.paths),
    ...workspace.configFiles(),
  ]);
  const syntaxError =
    problems.size > 0
      ? undefined
      : findSyntaxError(
          workspace,
          placed.flatMap(({ edited }) => edited ?? []),
        );
  if (syntaxError !== undefined) problems.add(`${syntaxError} Build it with a target that Node can run.`);
  return { placed, problems: [...problems], inputs };
}

/** The functions that the sources use as tools, each source once. */
function usesOf(
  readSource: (path: string) => SourceFacts,
  scripts: readonly ScriptWithSources[],
): readonly FunctionUse[] {
  const paths = new Set(scripts.flatMap(({ sources }) => sources.using.map(({ path }) => path)));
  return [...paths].flatMap((path) => readSource(path).useSites.uses);
}

function readScripts(
  workspace: Workspace,
  folder: string,
  scripts: readonly string[],
  problems: Set<string>,
): readonly ScriptWithSources[] {
  const readSources = createSourceReader(createSourceFinder(workspace, folder, scripts));
  return scripts.flatMap((path) => {
    const file = readEmitted(path);
    if (typeof file === "string") {
      problems.add(`${displayPath(path)} cannot be read: ${file}.`);
      return [];
    }
    const sources = readSources(file);
    for (const problem of sources.problems) problems.add(problem);
    return [{ file, sources }];
  });
}

/** Asks in one go for what describing the functions of all sources needs. */
function prefetchSources(workspace: Workspace, paths: Iterable<string>): void {
  for (const [host, files] of Map.groupBy(paths, (path) => workspace.hostFor(path))) {
    prefetch(
      host,
      files.flatMap((path) => host.sourceFile(path) ?? []),
    );
  }
}

interface SourceFacts extends Pick<ReadSource, "useSites" | "tree"> {
  /** The files whose text decides what the source's uses of tools are. */
  readonly files: ReadonlySet<string>;
}

/** Reads each source once, however many files are made from it. */
function createSourceTable(workspace: Workspace): (path: string) => SourceFacts {
  const table = new Map<string, SourceFacts>();
  return (path) => {
    const facts = table.get(path) ?? readSource(workspace, path);
    table.set(path, facts);
    return facts;
  };
}

function readSource(workspace: Workspace, path: string): SourceFacts {
  const host = workspace.hostFor(path);
  const tree = treeOf(workspace, path);
  const useSites = findUseSites(host, tree.source);
  return { useSites, tree, files: new Set([...useSites.files, ...dependenciesOf(host, path)]) };
}
