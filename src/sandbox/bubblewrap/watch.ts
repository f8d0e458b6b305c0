import { readdirSync, readFileSync, readlinkSync, statfsSync } from "node:fs";
import { systemCode } from "../../base/util/system-code.ts";
import type { ExecEnd, TierOptions } from "../types.ts";

/** How often a box is looked into, in milliseconds. */
const interval = 50;

/** Files in the memory of a box: each takes some of the kernel's. */
const mostFilesInMemory = 50_000;

/**
 * Looks after what limits of single processes do not hold: the memory of all processes and of the files in memory, and the number of
 * processes where the user is root, whom the kernel does not limit.
 * @param pid - The first process of the box.
 * @param folders - Those of the box that may be memory.
 * @param end - Called once, when a limit is passed or the box cannot be looked into.
 * @returns what ends the watch.
 */
export function watchBox(
  pid: number,
  limits: Pick<TierOptions, "memoryMb" | "processes">,
  end: (reason: ExecEnd | Error) => void,
  folders: readonly string[],
): () => void {
  const timer = setInterval(() => {
    const reason = look(pid, limits, folders);
    if (reason === undefined) return;
    clearInterval(timer);
    end(reason);
  }, interval);
  return () => clearInterval(timer);
}

function look(
  pid: number,
  { memoryMb, processes }: Pick<TierOptions, "memoryMb" | "processes">,
  folders: readonly string[],
): ExecEnd | Error | undefined {
  try {
    const usage = usageOf(pid, processes, folders);
    if (!usage) return undefined;
    if (usage.tasks > processes) return "processes";
    return usage.bytes > memoryMb * 1_048_576 || usage.files > mostFilesInMemory ? "memory" : undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Kilobytes of a process that are its own: its pages, those that it shares, and the tables of all of them. */
const memoryFields = ["RssAnon", "RssShmem", "VmPTE"];

/** How the kernel calls a file system in memory: https://man7.org/linux/man-pages/man2/statfs.2.html */
const memoryFileSystem = 0x01021994;

interface Usage {
  readonly tasks: number;
  readonly bytes: number;
  readonly files: number;
}

/**
 * What a box uses; `undefined` before it has been set up, and once it is gone.
 * @param processes - Of more processes than these, only the number is found out.
 */
function usageOf(pid: number, processes: number, folders: readonly string[]): Usage | undefined {
  const root = `/proc/${pid}/root`;
  try {
    // This process is in its own /proc only: as long as it is there, the box still has the machine's.
    if (isLink(`${root}/proc/self`)) return undefined;
    const usage = { tasks: 0, bytes: 0, files: 0 };
    const numbers = readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name));
    if (numbers.length > processes) return { ...usage, tasks: numbers.length };
    for (const name of numbers) {
      const status = statusOf(`${root}/proc/${name}/status`);
      usage.tasks += numberIn(status, "Threads");
      usage.bytes += memoryFields.reduce((sum, name) => sum + numberIn(status, name), 0) * 1024;
    }
    for (const folder of folders) {
      const { type, blocks, bfree, bsize, files, ffree } = statfsSync(root + folder);
      if (type !== memoryFileSystem) continue;
      usage.bytes += (blocks - bfree) * bsize;
      usage.files += files - ffree;
    }
    return usage;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== "";
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** The status of a process; empty once it is gone. */
function statusOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isGone(error)) return "";
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ESRCH";
}

function numberIn(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
}
