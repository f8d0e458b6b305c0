import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FunctionSchema } from "../../schema/function-schema.ts";
import { cacheFolder, isOwn, makeFolder, nearestAbove, tidyFolder } from "./cache-folder.ts";
import { cacheVersion } from "./cache-version.ts";
import { hashOf } from "./hash.ts";
import { decidingFolders, listingOf } from "./listings.ts";
import { changeFinder } from "./outdated.ts";

/** What identifies a running function. */
export interface FunctionKey {
  /** The source file, an absolute path. */
  readonly file: string;
  /** A hash of its name, its text and its place. */
  readonly id: string;
}

/** A schema as an earlier process has found it. */
export interface CachedSchema extends FunctionSchema {
  /** Where the function stood, if the schema was held against its code: it says nothing of others with the same text. */
  readonly runsAt?: string;
}

/** Schemas that earlier processes have found, as long as the files they were read from have not changed. */
export interface SchemaCache {
  /**
   * `null` for a place that was looked at, and shows nothing.
   * @param loadedAt - When the code that runs was read or built: what modules say that changed since may not be what runs.
   */
  find(key: FunctionKey, loadedAt?: number): CachedSchema | null | undefined;
  add(key: FunctionKey, schema: CachedSchema | null): void;
  /**
   * Writes what was added. Never throws: a cache that cannot be written only saves nothing.
   * @param filesOf - The files whose text decides what the functions of a file look like; `undefined` for a file that is
   * not to be kept.
   * @param included - The folders of which every file belongs to the program.
   */
  save(filesOf: (file: string) => Iterable<string> | undefined, included: Iterable<string>): void;
}

/** What is kept of one source file: the hashes of what it depends on, and schemas by the ids of functions. */
interface Entry {
  readonly files: Readonly<Record<string, string>>;
  /** Of what they hold: a new file may be what an import names. */
  readonly folders: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, CachedSchema | null>>;
}

/** Functions that one entry holds at most; more come only from a program that makes new ones on and on. */
const mostSchemas = 2000;

/** Folders that this process has tidied: once is enough, as each source file has one entry. */
const tidied = new Set<string>();

const noCache: SchemaCache = { find: () => undefined, add: () => {}, save: () => {} };

/** Opens the cache for one look at files as they are now. `SKEIN_CACHE=off` gives one that keeps nothing. */
export function openCache(): SchemaCache {
  // Within a bundle, this version of Skein cannot be distinguished from others.
  if (process.env["SKEIN_CACHE"] === "off" || attempt(cacheVersion) === undefined) return noCache;
  const hashes = new Map<string, string | undefined>();
  const listings = new Map<string, string | undefined>();
  const entries = new Map<string, Entry | undefined>();
  const added = new Map<string, Map<string, CachedSchema | null>>();
  const changedSince = changeFinder();

  function fileHash(file: string): string | undefined {
    if (!hashes.has(file))
      hashes.set(
        file,
        attempt(() => hashOf(readFileSync(file))),
      );
    return hashes.get(file);
  }

  function folderHash(folder: string): string | undefined {
    if (!listings.has(folder)) listings.set(folder, listingOf(folder));
    return listings.get(folder);
  }

  function read(file: string): Entry | undefined {
    const entry = attempt(() => readEntry(entryPath(file)));
    const { files = {}, folders = {} } = entry ?? {};
    const isCurrent =
      Object.entries(files).every(([path, hash]) => fileHash(path) === hash) &&
      Object.entries(folders).every(([path, hash]) => folderHash(path) === hash);
    return isCurrent ? entry : undefined;
  }

  function entryWith(file: string, files: readonly string[], included: Iterable<string>): Entry {
    // Another process may have written meanwhile.
    const cached = read(file);
    const folders = decidingFolders(files, included);
    const schemas = [...Object.entries(cached?.schemas ?? {}), ...(added.get(file) ?? [])];
    return {
      files: { ...cached?.files, ...hashesOf(files, fileHash) },
      folders: { ...cached?.folders, ...hashesOf(folders, folderHash) },
      schemas: Object.fromEntries(schemas.slice(-mostSchemas)),
    };
  }

  return {
    find({ file, id }, loadedAt) {
      if (!entries.has(file)) entries.set(file, read(file));
      const { schemas = {}, files = {} } = entries.get(file) ?? {};
      if (loadedAt !== undefined && changedSince(file, Object.keys(files), loadedAt).length > 0)
        return undefined;
      return Object.hasOwn(schemas, id) ? schemas[id] : undefined;
    },
    add({ file, id }, schema) {
      const schemas = added.get(file) ?? new Map<string, CachedSchema | null>();
      added.set(file, schemas.set(id, schema));
    },
    save(filesOf, included) {
      const folders = new Set<string>();
      for (const file of added.keys()) {
        const files = filesOf(file);
        if (files === undefined) continue;
        const path = entryPath(file);
        attempt(() => writeEntry(path, entryWith(file, [...files], included)));
        folders.add(dirname(path));
      }
      for (const folder of folders) {
        if (!tidied.has(folder)) attempt(() => tidyFolder(folder));
        tidied.add(folder);
      }
      added.clear();
    },
  };
}

/** The hashes of what is there. */
function hashesOf(
  paths: Iterable<string>,
  hash: (path: string) => string | undefined,
): Readonly<Record<string, string>> {
  const entries = [...paths].flatMap((path) => {
    const value = hash(path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Warnings name files as seen from the working directory, and another tsconfig may give other types. */
function entryPath(file: string): string {
  const folder = dirname(file);
  const name = hashOf(
    JSON.stringify([cacheVersion(), process.cwd(), file, nearestAbove(folder, "tsconfig.json")]),
  );
  return join(cacheFolder(folder), `${name}.json`);
}

/** The first line is the hash of the rest: whatever is cut short or not from here does not fit. */
function readEntry(path: string): Entry | undefined {
  const text = readFileSync(path, "utf8");
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== hashOf(body) || !isOwn(dirname(path))) return undefined;
  const entry: Entry = JSON.parse(body);
  return entry;
}

/** Readers see the old file or the new one, never half of one. */
function writeEntry(path: string, entry: Entry): void {
  const body = JSON.stringify(entry);
  const temporary = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  makeFolder(dirname(path));
  try {
    writeFileSync(temporary, `${hashOf(body)}\n${body}`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** `undefined` where the disk does not do it: a failing cache must not fail the program. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
