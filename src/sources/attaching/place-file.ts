import { isUtf8 } from "node:buffer";
import { displayPath } from "../compiler/diagnostics.ts";
import type { UseSite, UseSites } from "../compiler/index.ts";
import { editEmitted, type EditedFile } from "./edit-emitted.ts";
import type { EmittedFile } from "./emitted-files.ts";
import type { UsingSource } from "./emitted-sources.ts";
import { readFormat } from "./module-format.ts";
import { placeSites } from "./place-sites.ts";
import { createStructures } from "./structure.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/** An emitted file with its schemas, or why it cannot have them. */
export interface PlacedFile {
  /** `undefined` where there is nothing to write. */
  readonly edited: EditedFile | undefined;
  /** How many expressions have schemas. */
  readonly places: number;
  readonly problems: readonly string[];
}

/** A source with its uses of tools, and its tree. */
export interface ReadSource extends UsingSource {
  readonly useSites: UseSites;
  readonly tree: SyntaxTree;
}

/** Places the uses of tools of its sources in an emitted file, and writes their schemas there. */
export function placeFile(
  file: EmittedFile,
  emitted: SyntaxTree,
  sources: readonly ReadSource[],
): PlacedFile {
  const format = readFormat(emitted, file.path);
  const problems: string[] = [];
  const placed = new Map<string, UseSite>();
  const structures = createStructures();
  for (const source of sources) {
    const { useSites, tree, positions, trust, path } = source;
    const result = placeSites({ tree, sites: useSites.sites, positions, trust }, emitted, structures);
    for (const site of result.placed) {
      const key = `${site.start} ${site.end}`;
      const other = placed.get(key);
      if (other === undefined) placed.set(key, site);
      else if (JSON.stringify(other.schemas) !== JSON.stringify(site.schemas))
        problems.push(
          `${displayPath(file.path)}: two tools of ${displayPath(path)} are at one place. ${mapRemedy(source)}`,
        );
    }
    for (const site of result.missing) problems.push(missingProblem(file, source, site));
  }
  if (format === "amd" || format === "system") {
    const problem = `${displayPath(file.path)} is a module for an ${format === "amd" ? "AMD" : "SystemJS"} loader. Emit CommonJS or ECMAScript modules.`;
    return { edited: undefined, places: 0, problems: placed.size > 0 ? [problem] : problems };
  }
  if (placed.size > 0 && !isUtf8(file.bytes))
    problems.push(
      `${displayPath(file.path)} is not UTF-8. Emit it as UTF-8: writing it would change its texts.`,
    );
  const isAsBefore = placed.size === 0 && file.earlier === undefined;
  const edited = isAsBefore ? undefined : editEmitted(file, [...placed.values()], format);
  return { edited, places: placed.size, problems };
}

function missingProblem(file: EmittedFile, source: ReadSource, { start, end }: UseSite): string {
  const { text } = source.useSites;
  const line = source.tree.source.getLineAndCharacterOfPosition(start).line + 1;
  const expression = text.slice(start, end).replaceAll(/\s+/g, " ");
  const excerpt = expression.length > 60 ? `${expression.slice(0, 60)}…` : expression;
  const place = `${displayPath(source.path)}:${line}`;
  return `${place}: ${excerpt} is not found in ${displayPath(file.path)}. ${mapRemedy(source, file)}`;
}

function mapRemedy({ positions }: ReadSource, file?: EmittedFile): string {
  if (positions !== undefined) return "Build it again, or use the build plugin (skein/plugin) instead.";
  const remedy =
    'Emit source maps ("sourceMap": true in tsconfig.json), or use the build plugin (skein/plugin).';
  return file !== undefined && isMinified(file.code) ? `The file is minified. ${remedy}` : remedy;
}

function isMinified(code: string): boolean {
  return code.length / code.split("\n").length > 300;
}
