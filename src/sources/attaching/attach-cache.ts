import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isPlainObject } from "../../base/util/json.ts";
import { cacheFolder, isOwn, makeFolder } from "../reflection/cache-folder.ts";
import { cacheVersion } from "../reflection/cache-version.ts";
import { hashOf } from "../reflection/hash.ts";

/** What the last run that went well has seen and written, by hashes. */
interface Entry {
  /** The emitted files with their schemas; all of them. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Sources, and whatever else decides what is attached. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Whether a folder is as the last run has left it, and all that its schemas were made from as it was then. */
export function isUnchanged(folder: string, scripts: readonly string[]): boolean {
  const entry = isOff() ? undefined : attempt(() => readEntry(entryPath(folder)));
  if (entry === undefined || Object.keys(entry.scripts).length !== scripts.length) return false;
  return (
    scripts.every((path) => Object.hasOwn(entry.scripts, path) && fileHash(path) === entry.scripts[path]) &&
    Object.entries(entry.inputs).every(([path, hash]) => fileHash(path) === hash)
  );
}

/** Remembers a folder as it is now. A cache that cannot be written only saves nothing. */
export function rememberFolder(folder: string, scripts: readonly string[], inputs: Iterable<string>): void {
  if (isOff()) return;
  const hashes = (paths: Iterable<string>): Record<string, string> =>
    Object.fromEntries([...paths].map((path) => [path, fileHash(path)]));
  attempt(() => writeEntry(entryPath(folder), { scripts: hashes(scripts), inputs: hashes(inputs) }));
}

function isOff(): boolean {
  return process.env["SKEIN_CACHE"] === "off";
}

/** Empty for a file that is not there. */
function fileHash(path: string): string {
  return attempt(() => hashOf(readFileSync(path))) ?? "";
}

function entryPath(folder: string): string {
  const ownCode = fileHash(fileURLToPath(import.meta.url));
  const name = hashOf(JSON.stringify([cacheVersion(), ownCode, process.cwd(), folder]));
  return join(cacheFolder(dirname(folder)), `attach-${name}.json`);
}

/** The first line is the hash of the rest: whatever is cut short does not fit. */
function readEntry(path: string): Entry | undefined {
  const text = readFileSync(path, "utf8");
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== hashOf(body) || !isOwn(dirname(path))) return undefined;
  const entry: unknown = JSON.parse(body);
  return isEntry(entry) ? entry : undefined;
}

function isEntry(value: unknown): value is Entry {
  return isPlainObject(value) && isPlainObject(value["scripts"]) && isPlainObject(value["inputs"]);
}

/** Readers see the old file or the new one, never half of one. */
function writeEntry(path: string, entry: Entry): void {
  const body = JSON.stringify(entry);
  const temporary = `${path}.${process.pid}`;
  makeFolder(dirname(path));
  try {
    writeFileSync(temporary, `${hashOf(body)}\n${body}`, { mode: 0o600 });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** `undefined` where the disk fails: a program must not fail for its cache. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
