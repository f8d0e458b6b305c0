import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ExecResult, SandboxOptions } from "skein/sandbox";

/** What a program of another user is asked for, a list in each line. */
export interface OtherCall {
  readonly options: SandboxOptions;
  readonly argv: readonly string[];
}

/** How it answers. */
export interface OtherAnswer {
  readonly result?: ExecResult;
  readonly error?: { readonly code: unknown; readonly message: string };
}

/** Runs programs in sandboxes of a process that is not root's. */
export interface OtherUser {
  readonly exec: (options: SandboxOptions, argv: readonly string[]) => Promise<ExecResult>;
  /** Runs programs at once, each in a sandbox of its own. */
  readonly execAll: (calls: readonly OtherCall[]) => Promise<readonly OtherAnswer[]>;
  /** Waits until the process has come to its end by itself. */
  readonly close: () => Promise<void>;
  /** Ends the process by force, in the middle of what it does. */
  readonly kill: () => Promise<void>;
}

/** The user "nobody". */
const nobody = 65_534;

/** Programs outside of boxes that sandbox-runtime leaves behind if its process is killed. */
function bridgesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.map(Number).filter((each) => readFileSync(`/proc/${each}/comm`, "utf8") === "socat\n");
}

/**
 * Starts a process of a user without rights, if this one is root's and that is not to be kept. It reaches this
 * folder by a mount: the way to it may be root's.
 */
export async function startOtherUser(isOther = true): Promise<OtherUser> {
  const root = join(import.meta.dirname, "../..");
  const isRoot = isOther && process.getuid?.() === 0;
  const place = isRoot ? mkdtempSync(join(tmpdir(), "skein-source-")) : root;
  if (isRoot) execFileSync("mount", ["--bind", root, place]);
  const child = spawn(
    join(place, "node_modules/.bin/node"),
    ["--import", join(place, "test/from-source.ts"), join(place, "test/sandbox/other-user-process.ts")],
    {
      cwd: place,
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH: process.env["PATH"], HOME: "/tmp" },
      ...(isRoot && { uid: nobody, gid: nobody }),
    },
  );
  const exit = new Promise((resolve) => child.once("exit", resolve));
  const end = async (how: () => void): Promise<void> => {
    how();
    await exit;
    if (!isRoot) return;
    execFileSync("umount", ["--lazy", place]);
    rmdirSync(place);
  };
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function execAll(calls: readonly OtherCall[]): Promise<readonly OtherAnswer[]> {
    child.stdin.write(`${JSON.stringify(calls)}\n`);
    const line = await answers.next();
    const all: readonly OtherAnswer[] = JSON.parse(String(line.value));
    return all;
  }
  return {
    execAll,
    async exec(options, argv) {
      const [{ result, error } = {}] = await execAll([{ options, argv }]);
      if (result) return result;
      throw Object.assign(new Error(error?.message), { code: error?.code });
    },
    close: () => end(() => child.stdin.end()),
    kill: async () => {
      const left = child.pid === undefined ? [] : bridgesOf(child.pid);
      await end(() => child.kill("SIGKILL"));
      for (const pid of left) process.kill(pid, "SIGKILL");
    },
  };
}
