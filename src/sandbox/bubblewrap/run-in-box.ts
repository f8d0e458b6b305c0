import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { closeSync } from "node:fs";
import { SandboxError } from "../errors.ts";
import { killed, usualVariables, type ProgramResult } from "../kit.ts";
import { supervise, writeTo } from "../supervise.ts";
import type { ExecOptions, TierOptions } from "../types.ts";
import { boxArguments, descriptorOf, limitedProgram, variableArguments } from "./box-arguments.ts";
import { inheritedDescriptors, openNothing } from "./descriptors.ts";
import { killerOf } from "./killer.ts";
import { whenBound } from "./when-bound.ts";
import { watchBox } from "./watch.ts";

/** A box to be. */
export interface BoxProgram extends ExecOptions {
  /** The path of bubblewrap. */
  readonly bwrap: string;
  readonly filter: Uint8Array;
  readonly options: TierOptions;
  readonly argv: readonly string[];
  /** Of the folders, in their order. They are closed once the box has them. */
  readonly descriptors: readonly number[];
}

/**
 * Runs a program in a box of its own.
 * @throws the signal's reason once the box is gone; SandboxError if there was none.
 */
export async function runInBox(program: BoxProgram): Promise<ProgramResult> {
  const { options, signal, stdin } = program;
  let child: ChildProcess;
  try {
    signal?.throwIfAborted();
    child = startBox(program);
  } finally {
    for (const descriptor of program.descriptors) closeSync(descriptor);
  }
  const killer = killerOf(child);
  const supervision = supervise(child, options, signal, killer.kill);
  const stops = [killer.stop];
  const status = readStatus(child, (pid) => {
    killer.start(pid);
    stops.push(watchBox(pid, options, supervision.end, memoryFolders));
    // A box starts its program at the first line: from then on, it ends with this process.
    stops.push(
      whenBound(pid, () => {
        child.stdin?.write("\n");
        writeTo(child.stdin, stdin ?? "");
      }),
    );
  });
  child.stdin?.on("error", () => {});
  const pipes: readonly unknown[] = child.stdio;
  writeTo(pipes[descriptorOf.seccomp], program.filter);
  writeTo(pipes[descriptorOf.variables], variableArguments(options.env));
  const { ended, stdout, stderr } = await supervision.outcome.finally(() => {
    for (const stop of stops) stop();
  });
  const { exitCode } = status;
  if (ended === undefined && exitCode === undefined)
    throw new SandboxError(`The sandbox could not be started: ${stderr.text.trim() || "it was killed"}`);
  return { exitCode: ended === undefined ? (exitCode ?? killed) : killed, ended, stdout, stderr };
}

/** Folders of a box that are memory. */
const memoryFolders = ["/tmp", "/dev/shm"];

function startBox({ bwrap, options, argv, descriptors }: BoxProgram): ChildProcess {
  const stdio: Exclude<StdioOptions, string> = [
    "pipe",
    "pipe",
    "pipe",
    "pipe",
    "pipe",
    "pipe",
    ...descriptors,
  ];
  const inherited = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  const nothing = openNothing();
  try {
    // Node leaves a descriptor as it is where it has nothing for it.
    for (let place = stdio.length; place <= Math.max(-1, ...inherited); place++)
      stdio.push(inherited.includes(place) ? nothing : "ignore");
    return spawn(bwrap, [...boxArguments(options), "--", ...limitedProgram(argv, options)], {
      stdio,
      // No option may add to it: bubblewrap runs outside.
      env: usualVariables,
      cwd: "/",
    });
  } finally {
    closeSync(nothing);
  }
}

/** What bubblewrap says of a box: the number of its first process, and in the end what the program came to. */
function readStatus(
  child: ChildProcess,
  onStart: (pid: number) => void,
): { readonly exitCode: number | undefined } {
  let text = "";
  const status: { exitCode: number | undefined } = { exitCode: undefined };
  let isStarted = false;
  child.stdio[descriptorOf.status]?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const pid = /"child-pid": (\d+)/.exec(text)?.[1];
    if (pid !== undefined && !isStarted) onStart(Number(pid));
    isStarted ||= pid !== undefined;
    const exitCode = /"exit-code": (\d+)/.exec(text)?.[1];
    if (exitCode !== undefined) status.exitCode = Number(exitCode);
  });
  return status;
}
