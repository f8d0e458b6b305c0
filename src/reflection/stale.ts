import type { Compiler, FunctionSchema } from "../compiler/index.ts";
import { isPlainObject } from "../util/json.ts";
import { inspectScriptsWhere, type Script } from "./inspector.ts";
import { filePath, sourceFilesOf } from "./source-locations.ts";

/**
 * What changed modules say that the code of theirs which is loaded does not: a list that has become longer, another name of a
 * member. A module whose types alone have changed runs as it did, and so does one that nothing has loaded.
 */
export async function unloadedLiterals(
  compiler: Compiler,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const loaded = await loadedNames(compiler, files);
  const entries = [...files].flatMap((file) => {
    const names = loaded.get(file);
    if (names === undefined) return [];
    const unloaded = [...compiler.runtimeLiterals(file)].filter((literal) => !names.has(literal));
    return unloaded.length === 0 ? [] : [[file, new Set(unloaded)] as const];
  });
  return new Map(entries);
}

/** What stands in the code that is loaded of files. */
async function loadedNames(
  compiler: Compiler,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sources = new Map<string, readonly string[]>();
  const scripts = await inspectScriptsWhere((url, sourceMapUrl) => {
    const script = filePath(url);
    if (script === undefined || script.includes("/node_modules/")) return false;
    const originals = files.has(script)
      ? [script]
      : sourceFilesOf(url, sourceMapUrl).filter((each) => files.has(each));
    if (originals.length > 0) sources.set(url, originals);
    return originals.length > 0;
  });
  // A module that was loaded again is what its last script says.
  const latest = new Map<string, Script>(scripts.map((script) => [script.url, script]));
  const names = new Map<string, Set<string>>();
  for (const { url, text = "" } of latest.values()) {
    const inText = compiler.namesInText(text);
    for (const file of sources.get(url) ?? []) {
      names.set(file, new Set([...(names.get(file) ?? []), ...inText]));
    }
  }
  return names;
}

/** Whether a schema has one of these words: as a value that it allows, or as the name of a property. */
export function mentions(schema: FunctionSchema, words: ReadonlySet<string>): boolean {
  const isMentioned = (value: unknown): boolean => {
    if (typeof value === "string" || typeof value === "number") return words.has(String(value));
    if (Array.isArray(value)) return value.some(isMentioned);
    return (
      isPlainObject(value) &&
      Object.entries(value).some(([name, inner]) => words.has(name) || isMentioned(inner))
    );
  };
  return isMentioned(schema.inputSchema);
}
