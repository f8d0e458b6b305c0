type RejectionListener = (reason: unknown, promise: Promise<unknown>) => void;

/** What is needed of `node:process`; other runtimes may lack any of it. */
interface ProcessLike {
  listeners?(event: "unhandledRejection"): readonly RejectionListener[];
  on?(event: "unhandledRejection", listener: RejectionListener): unknown;
  off?(event: "unhandledRejection", listener: RejectionListener): unknown;
  removeAllListeners?(event: "unhandledRejection"): unknown;
  getActiveResourcesInfo?(): readonly string[];
}

/** What a stretch of work left behind. */
export interface LeftBehind {
  readonly rejections: readonly unknown[];
  /** Such as `2 x Timeout`. */
  readonly pending: readonly string[];
}

/** What keeps a process alive and is nobody else's. A socket may be kept for the next request, or be a server's of the test. */
const kinds: ReadonlySet<string> = new Set(["Timeout", "ProcessWrap"]);

/** How often it is looked whether what is still there goes away by itself, every few milliseconds. */
const looks = 30;

/** Notes rejections that nobody handles, in place of other listeners, and what keeps the process alive. */
export function watchProcess(): { end(): Promise<LeftBehind> } {
  const process: ProcessLike | undefined = globalThis.process;
  const rejections: unknown[] = [];
  const before = active(process);
  const others = process?.listeners?.("unhandledRejection") ?? [];
  process?.removeAllListeners?.("unhandledRejection");
  const note = (reason: unknown): void => void rejections.push(reason);
  process?.on?.("unhandledRejection", note);
  return {
    async end() {
      let pending = await later(process, before);
      for (let look = 1; pending.length > 0 && look < looks; look++) pending = await later(process, before);
      process?.off?.("unhandledRejection", note);
      for (const listener of others) process?.on?.("unhandledRejection", listener);
      return { rejections, pending };
    },
  };
}

/** What is there beyond what was there before, in a while. */
async function later(
  process: ProcessLike | undefined,
  before: ReadonlyMap<string, number>,
): Promise<string[]> {
  await new Promise((resolve) => void setTimeout(resolve, 5));
  return [...active(process)].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} x ${kind}`] : [];
  });
}

function active(process: ProcessLike | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process?.getActiveResourcesInfo?.() ?? [])
    if (kinds.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
