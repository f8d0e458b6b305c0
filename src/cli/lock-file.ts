import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { driftOf, type ToolDrift } from "../check/drift.ts";
import type { CheckedFile, Finding } from "../check/types.ts";
import { changeLockFile, lockPath, readLockFile } from "../lock/lock-file.ts";
import { lockTool, type LockedTools } from "../lock/lock.ts";
import type { Place } from "../base/util/place.ts";
import { displayPath } from "./excerpt.ts";

/**
 * Writes the tools of files to the lock, and returns its path. Entries of other files stay, unless the file no longer exists.
 * @throws ConfigurationError if the lock that is there cannot be read.
 */
export async function writeLockFile(files: readonly CheckedFile[]): Promise<string> {
  const path = lockPath();
  const now = await Promise.all(
    files.map(async (file) => [originOf(path, file), await lockTools(file)] as const),
  );
  await changeLockFile(path, (before) => {
    const unchanged = Object.entries(before).filter(
      ([origin]) => isServer(origin) || existsSync(fileOf(path, origin)),
    );
    return Object.fromEntries([...unchanged, ...now].filter(([, tools]) => Object.keys(tools).length > 0));
  });
  return path;
}

/**
 * What changed in files since they were locked; nothing for a file that is in no lock.
 * @throws ConfigurationError if the lock cannot be read.
 */
export async function findDrift(files: readonly CheckedFile[]): Promise<readonly Finding[]> {
  const path = lockPath();
  const read = await readLockFile(path, displayPath(path));
  if (read === undefined) return [];
  const driftsByFile = await Promise.all(
    files.map(async (file) => {
      const origin = originOf(path, file);
      const locked = Object.hasOwn(read.lock.origins, origin) ? read.lock.origins[origin] : undefined;
      const drifts = locked === undefined ? [] : driftOf(locked, await lockTools(file));
      return drifts.map((drift) => {
        const tool = file.tools.find(({ name }) => name === drift.tool);
        return finding(drift, tool?.source.place ?? placeInLock(path, read.text, origin, drift.tool));
      });
    }),
  );
  return driftsByFile.flat();
}

async function lockTools({ tools }: CheckedFile): Promise<LockedTools> {
  const counts = new Map<string, number>();
  const entries = tools.map(async (tool) => {
    const count = (counts.get(tool.name) ?? 0) + 1;
    counts.set(tool.name, count);
    // Two agents of one file may each have a tool of that name.
    return [count === 1 ? tool.name : `${tool.name}#${count}`, await lockTool(tool)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function finding({ tool, kind, isBreaking, changes, isUnversioned }: ToolDrift, place: Place): Finding {
  const weight = isBreaking ? "breaking" : "not breaking";
  const outcome = kind === "new" ? "is new" : kind === "removed" ? "was removed" : "changed";
  const details = changes.length === 0 ? "" : `: ${changes.join("; ")}`;
  const version = isUnversioned ? " Its version is still the same: raise it." : "";
  return {
    tool,
    place,
    level: isBreaking ? "error" : "warn",
    message: `${tool} ${outcome} since the tools were locked (${weight})${details}.`,
    help: `If that is meant, run skein check --lock.${version}`,
  };
}

/** Where the lock says that there is a tool. */
function placeInLock(path: string, text: string, origin: string, tool: string): Place {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.includes(`${JSON.stringify(origin)}: {`));
  const at = lines.findIndex((line, index) => index > start && line.includes(`${JSON.stringify(tool)}: {`));
  const line = lines[at] ?? "";
  const column = Math.max(0, line.indexOf(JSON.stringify(tool)));
  return { file: path, line: Math.max(0, at) + 1, column: column + 1, length: tool.length + 2 };
}

function originOf(lock: string, { file }: CheckedFile): string {
  return relative(dirname(lock), file).replaceAll("\\", "/");
}

function fileOf(lock: string, origin: string): string {
  return resolve(dirname(lock), origin);
}

function isServer(origin: string): boolean {
  return origin.startsWith("mcp:");
}
