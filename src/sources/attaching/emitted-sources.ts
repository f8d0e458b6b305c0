import { readFileSync, statSync } from "node:fs";
import { displayPath } from "../compiler/diagnostics.ts";
import { createReach } from "../plugin/reach.ts";
import type { Trust } from "./correspondence.ts";
import type { EmittedFile } from "./emitted-files.ts";
import type { Positions } from "./place-by-map.ts";
import type { SourceFinder } from "./project-outputs.ts";
import type { MappedSource } from "./source-map.ts";

/** A source that can use tools, as one emitted file shows it. */
export interface UsingSource {
  /** An absolute path. */
  readonly path: string;
  /** By the source map; `undefined` where there is none, or none that can be trusted. */
  readonly positions: Positions | undefined;
  readonly trust: Trust;
}

/** The sources of an emitted file. */
export interface EmittedSources {
  /** Those that can use tools. */
  readonly using: readonly UsingSource[];
  /** All of them, by their paths. */
  readonly paths: readonly string[];
  /** Why schemas cannot be attached to the file, whole sentences. */
  readonly problems: readonly string[];
  /** Those that have changed since the file was emitted, by path, each with the sentence that says so. */
  readonly changed: ReadonlyMap<string, string>;
}

/** Makes a reader of sources. What they import decides whether they can use tools, as in the build plugin. */
export function createSourceReader(finder: SourceFinder): (file: EmittedFile) => EmittedSources {
  const reach = createReach();

  function canUseTools(path: string): boolean {
    return reach.from(path, readFileSync(path, "utf8")).length > 0;
  }

  return (file) => {
    const sources = sourcesOf(file, finder);
    const paths = sources.flatMap(({ path }) => path ?? []);
    const name = displayPath(file.path);
    const changed = new Map(sources.flatMap((source) => changedSource(file, source)));
    if (sources.length === 0) {
      const problem = `${name} uses Skein, but its source is not found. ${remedies.source}`;
      return { using: [], paths, problems: mentionsSkein(file.code) ? [problem] : [], changed };
    }
    const own = sources.filter(({ path }) => path !== undefined && canUseTools(path));
    if (own.length > 0 && file.map?.holdsSkein) {
      const problem = `${name} is a bundle that contains Skein itself. Use the build plugin (skein/plugin) instead.`;
      return { using: [], paths, problems: [problem], changed };
    }
    const using = own.map(({ path, positions, content }): UsingSource => {
      return { path, positions, trust: content === undefined ? "likely" : "certain" };
    });
    return { using, paths, problems: [], changed };
  };
}

const remedies = {
  source: 'Emit source maps ("sourceMap": true in tsconfig.json), and keep the sources where they lead to.',
};

type FoundSource = Partial<MappedSource> & { readonly path: string };

/** The sources that a map leads to, those in packages left out; else the one that stands where a compiler would find it. */
function sourcesOf(file: EmittedFile, finder: SourceFinder): readonly FoundSource[] {
  const mapped = file.map?.sources ?? [];
  const onDisk = mapped.filter(
    (source): source is MappedSource & { path: string } => source.path !== undefined,
  );
  if (onDisk.length > 0) return onDisk.filter(({ path }) => !/[\\/]node_modules[\\/]/.test(path));
  const path = finder(file.path);
  if (path === undefined || path === file.path) return [];
  return [{ ...(mapped.length === 1 ? mapped[0] : {}), path }];
}

/** Whether the text is that of which the file was made: by the map if it has the text, else by the time of the last change. */
function changedSource(file: EmittedFile, { path, content }: FoundSource): readonly [string, string][] {
  const isSame =
    content === undefined
      ? statSync(path).mtimeMs <= statSync(file.path).mtimeMs
      : sameLines(content, readFileSync(path, "utf8"));
  const message = `${displayPath(path)} has changed since ${displayPath(file.path)} was written. Compile it again, then attach.`;
  return isSame ? [] : [[path, message]];
}

function sameLines(left: string, right: string): boolean {
  const [first, second] = [left, right].map((text) => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  return first === second;
}

function mentionsSkein(code: string): boolean {
  return /["']skein(\/[\w/-]+)?["']/.test(code);
}
