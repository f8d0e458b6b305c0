import { builtinModule } from "../../base/util/builtin-module.ts";

/** Names a process, so that others can find out whether it still runs. */
export interface ProcessMark {
  /** The machine since it was started and, on Linux, the namespace in which process ids count. */
  readonly place: string;
  readonly pid: number;
  /** When the process began, on Linux: ids of processes are used again. */
  readonly started?: string;
  /** The thread of the process: each has writers of its own. */
  readonly realm: string;
}

/** The place, and the start of this process: neither changes while it runs. */
let own: Omit<ProcessMark, "realm"> | undefined;

/** The mark of this process; `undefined` where there are no processes, as on an edge runtime. */
export function markProcess(realm: string): ProcessMark | undefined {
  const os = builtinModule("node:os");
  if (!os) return undefined;
  own ??= { place: readPlace() ?? os.hostname(), ...ownStart(), pid: process.pid };
  return { ...own, realm };
}

/** Whether a process still runs; `undefined` where that cannot be known from here. */
export function isRunning({ place, pid, started, realm }: ProcessMark): boolean | undefined {
  const here = markProcess(realm);
  if (!here || place !== here.place) return undefined;
  if (started !== undefined) return readStart(pid) === started;
  // Another thread of this process may have ended.
  return pid === here.pid ? undefined : hasProcess(pid);
}

function ownStart(): { readonly started?: string } {
  const started = readStart(process.pid);
  return started === undefined ? {} : { started };
}

/** What tells apart two machines, two starts of one, and two containers: their process ids are not the same processes. */
function readPlace(): string | undefined {
  const fs = builtinModule("node:fs");
  try {
    const boot = fs?.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return boot && `${boot} ${fs?.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** Fields 3 and 22 of `/proc/PID/stat` (see proc_pid_stat(5)); the second, a name in brackets, may have blanks. */
function readStart(pid: number): string | undefined {
  try {
    const stat = builtinModule("node:fs")?.readFileSync(`/proc/${pid}/stat`, "utf8") ?? "";
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Dead, though its parent has not asked for its end.
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
