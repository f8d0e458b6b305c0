import type { Compiler, UseSites } from "../compiler/index.ts";
import { slashed } from "../compiler/project-config.ts";
import { attachSchemas, type ModuleFormat } from "./edit.ts";

/** A source map, version 3: as an object, since not every bundler reads JSON. */
export interface EditMap {
  readonly version: 3;
  readonly sources: string[];
  readonly sourcesContent?: string[];
  readonly names: string[];
  readonly mappings: string;
}

/** A file with its schemas attached. */
export interface Transformed {
  /** `undefined` where nothing is attached. */
  readonly code: string | undefined;
  readonly map: EditMap | undefined;
  /** Tools whose schema cannot be determined, one message each, with `file:line`. */
  readonly problems: readonly string[];
  /** The other files on which the schemas depend. */
  readonly files: readonly string[];
  /** The tsconfigs and package manifests on which they depend, too: for caches that outlive the process. */
  readonly configFiles: readonly string[];
}

/** Attaches schemas in files. */
export interface Transformer {
  /**
   * @param file - An absolute path.
   * @param code - The file's text as it is on disk.
   * @param reached - The files of the program that it reaches and that are likely to be next: itself first.
   * @param format - Told from the text by default.
   */
  transform(file: string, code: string, reached: readonly string[], format?: ModuleFormat): Transformed;
  /** Reads changed files again, and describes again what depends on them. Without files, everything. */
  changed(files?: readonly string[]): void;
}

/** Makes a transformer. What was described once is not described again until something that it is made of has changed. */
export function createTransformer(compiler: Compiler): Transformer {
  const done = new Map<string, { readonly code: string; readonly result: Transformed }>();

  function transform(
    file: string,
    code: string,
    reached: readonly string[],
    format?: ModuleFormat,
  ): Transformed {
    compiler.open(reached);
    let sites = compiler.useSites(file);
    if (sites.text !== withoutMark(code)) {
      compiler.refresh([file]);
      sites = compiler.useSites(file);
    }
    if (sites.text !== withoutMark(code)) return changedBefore(file, sites);
    const result = edit(file, sites, format);
    // What a file's functions expect is decided by the files that it reaches.
    const files = new Set([...result.files, ...reached.map(slashed)]);
    files.delete(slashed(file));
    return { ...result, files: [...files], configFiles: [...compiler.configFiles()] };
  }

  return {
    transform(file, code, reached, format) {
      const previous = done.get(file);
      if (previous?.code === code) return previous.result;
      const result = transform(file, code, reached, format);
      done.set(file, { code, result });
      return result;
    },
    changed(files) {
      compiler.refresh(files);
      // TypeScript writes paths with slashes, bundlers as the system does.
      const stale = files && new Set(files.map(slashed));
      for (const [file, { result }] of done) {
        if (!stale || stale.has(slashed(file)) || result.files.some((path) => stale.has(path)))
          done.delete(file);
      }
    },
  };
}

function edit(file: string, useSites: UseSites, format?: ModuleFormat): Omit<Transformed, "configFiles"> {
  const { isModule, problems, sites } = useSites;
  const files = [...useSites.files].filter((path) => !path.includes("/node_modules/"));
  if (sites.length === 0) return { code: undefined, map: undefined, problems, files };
  const byText = isModule || !/\brequire\s*\(/.test(useSites.text) ? "module" : "commonjs";
  const edited = attachSchemas(useSites, format ?? byText);
  const { sources, names, mappings } = edited.generateMap({ source: file, hires: "boundary" });
  const map: EditMap = { version: 3, sources, sourcesContent: [useSites.text], names, mappings };
  return { code: edited.toString(), map, problems, files };
}

/** TypeScript speaks of the file on disk: on another text, its places would be wrong. */
function changedBefore(file: string, { sites }: UseSites): Transformed {
  const problem = `${file}: another plugin has changed this file before Skein's could read it: list Skein's first`;
  return {
    code: undefined,
    map: undefined,
    problems: sites.length > 0 ? [problem] : [],
    files: [],
    configFiles: [],
  };
}

/** TypeScript reads a file without its byte order mark. */
function withoutMark(code: string): string {
  return code.replace(/^\uFEFF/, "");
}
