import type { Compiler, FoundFunction } from "../compiler/index.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { inspectScriptsWhere, type Script } from "./inspector.ts";
import { filePath, sourceFilesOf } from "./source-locations.ts";

/** A function whose schema was read from modules of which some have changed since its code was loaded. */
export interface SuspectedFunction {
  readonly file: string;
  readonly match: FoundFunction;
  readonly schema: JsonSchema;
  readonly changed: readonly string[];
}

/**
 * The functions whose schemas speak of what a changed module says and its loaded code does not: a list that has become longer,
 * another name of a member; with that module. One whose types alone have changed runs as it did, and so does one that nothing has loaded.
 */
export async function findOutdated(
  compiler: Compiler,
  suspects: ReadonlyMap<Function, SuspectedFunction>,
): Promise<ReadonlyMap<Function, string>> {
  const literals = new Map<string, ReadonlySet<string>>();
  const wordsByFunction = new Map<Function, Spoken>();
  for (const [fn, suspect] of suspects) {
    const words = wordsOf(suspect.schema);
    // What the function itself says was compared with what runs before.
    const own = suspect.match.literals();
    const byFile = suspect.changed.map((file) => {
      const fileLiterals = literals.get(file) ?? compiler.runtimeLiterals(file);
      literals.set(file, fileLiterals);
      const isOwn = file === suspect.file;
      return [file, words.filter((word) => fileLiterals.has(word) && !(isOwn && own.has(word)))] as const;
    });
    wordsByFunction.set(fn, new Map(byFile.filter(([, each]) => each.length > 0)));
  }
  const files = new Set([...wordsByFunction.values()].flatMap((each) => [...each.keys()]));
  // To ask what is loaded takes longer than to describe a file's functions.
  if (files.size === 0) return new Map();
  const loaded = await loadedNames(compiler, files);
  const outdated = [...wordsByFunction].flatMap(([fn, words]) => {
    const at = [...words].find(([file, each]) => isLacking(loaded.get(file), each));
    return at === undefined ? [] : [[fn, at[0]] as const];
  });
  return new Map(outdated);
}

/** The parts of a schema that the code of a file repeats, by files. */
type Spoken = ReadonlyMap<string, readonly string[]>;

/** Whether code that is loaded lacks a word. */
function isLacking(loaded: ReadonlySet<string> | undefined, words: readonly string[]): boolean {
  return loaded !== undefined && words.some((word) => !loaded.has(word));
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

const values: ReadonlySet<string> = new Set(["enum", "const", "default"]);

/** The values that a schema speaks of, and the names of its properties. */
function wordsOf(schema: JsonSchema): readonly string[] {
  const words = new Set<string>();
  function readValue(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") words.add(String(value));
    else if (Array.isArray(value)) value.forEach(readValue);
    else if (isPlainObject(value)) readNamed(value, readValue);
  }
  function readNamed(members: Readonly<Record<string, unknown>>, read: (member: unknown) => void): void {
    for (const [name, member] of Object.entries(members)) {
      words.add(name);
      read(member);
    }
  }
  function readSchema(part: unknown): void {
    if (Array.isArray(part)) part.forEach(readSchema);
    if (!isPlainObject(part)) return;
    for (const [keyword, inner] of Object.entries(part)) {
      if (values.has(keyword)) readValue(inner);
      else if (keyword === "properties" && isPlainObject(inner)) readNamed(inner, readSchema);
      else if (keyword === "$defs" && isPlainObject(inner)) Object.values(inner).forEach(readSchema);
      else readSchema(inner);
    }
  }
  readSchema(schema);
  return [...words];
}
