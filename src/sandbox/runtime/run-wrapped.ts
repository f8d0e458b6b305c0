import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { placeholder } from "../bubblewrap/box-arguments.ts";
import { killerOf } from "../bubblewrap/killer.ts";
import { watchBox } from "../bubblewrap/watch.ts";
import { assertSize, killed, usualVariables, type ProgramResult } from "../kit.ts";
import type { BoxCall } from "../program-sandbox.ts";
import { supervise, writeTo } from "../supervise.ts";

/** How often a box is looked at while it starts, in milliseconds. */
const interval = 2;

/** Starts what `sandbox-runtime` has written, which ends in bubblewrap, and watches over it as over a box of bubblewrap. */
export async function runWrapped(
  [command = "", ...args]: readonly string[],
  { options, signal, stdin }: BoxCall,
  memoryFolders: readonly string[],
): Promise<ProgramResult> {
  signal.throwIfAborted();
  // All arguments of the program are in one of these.
  assertSize(args);
  const child = spawn(command, args, {
    cwd: options.cwd,
    // The names mean nothing to what makes the box; the program gets the values under its own.
    env: {
      ...usualVariables,
      ...Object.fromEntries(Object.values(options.env).map((value, index) => [placeholder(index), value])),
    },
  });
  const killer = killerOf(child);
  const supervision = supervise(child, options, signal, killer.kill);
  const stops = [killer.stop];
  child.stdin.on("error", () => {});
  stops.push(
    whenStarted(child, (pid) => {
      killer.start(pid);
      stops.push(watchBox(pid, options, supervision.end, memoryFolders));
      // The program starts at the first line, so that nothing runs unwatched.
      child.stdin.write("\n");
      writeTo(child.stdin, stdin ?? "");
    }),
  );
  const { ended, stdout, stderr } = await supervision.outcome.finally(() => {
    for (const stop of stops) stop();
  });
  return { exitCode: ended === undefined ? (child.exitCode ?? killed) : killed, ended, stdout, stderr };
}

/** Waits for the first process of a box: the child of the bubblewrap that the shell has become. */
function whenStarted(child: ChildProcess, then: (pid: number) => void): () => void {
  const timer = setInterval(() => {
    const pid = child.pid === undefined ? undefined : firstIn(child.pid);
    if (pid === undefined) return;
    clearInterval(timer);
    then(pid);
  }, interval);
  return () => clearInterval(timer);
}

function firstIn(pid: number): number | undefined {
  try {
    if (readFileSync(`/proc/${pid}/comm`, "utf8") !== "bwrap\n") return undefined;
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return first ? Number(first) : undefined;
  } catch {
    // It is gone, or not there yet.
    return undefined;
  }
}
