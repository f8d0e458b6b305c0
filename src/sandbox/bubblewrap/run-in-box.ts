import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { closeSync } from "node:fs";
import { onAbort } from "../../base/util/on-abort.ts";
import { systemCode } from "../../base/util/system-code.ts";
import { startTimer } from "../../base/util/timer.ts";
import { SandboxError } from "../errors.ts";
import type { ExecEnd, ExecOptions, TierOptions } from "../types.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { boxArguments, descriptorOf, limitedProgram, variableArguments } from "./box-arguments.ts";
import { inheritedDescriptors, openNothing } from "./descriptors.ts";
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

/** What came of a box. */
export interface BoxResult {
  readonly exitCode: number;
  readonly ended: ExecEnd | undefined;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

/** A program that writes more than this many times what is kept is ended: reading it takes the time of this process. */
const longestOutput = 100;

/** The environment that bubblewrap has, and programs too. No option may add to it: bubblewrap runs outside. */
const environment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
};

/**
 * Runs a program in a box of its own.
 * @throws the signal's reason once the box is gone; SandboxError if there was none.
 */
export async function runInBox(program: BoxProgram): Promise<BoxResult> {
  const { options, signal, stdin } = program;
  let child: ChildProcess;
  try {
    signal?.throwIfAborted();
    child = startBox(program);
  } finally {
    for (const descriptor of program.descriptors) closeSync(descriptor);
  }
  const stdout = new BoundedOutput(options.outputBytes);
  const stderr = new BoundedOutput(options.outputBytes);
  let end: ExecEnd | Error | undefined;
  const killer = killerOf(child);
  const kill = (reason?: ExecEnd | Error): void => {
    end ??= reason;
    killer.kill();
  };
  const stops = [
    () => killer.stop(),
    startTimer(() => kill("timeout"), options.timeout),
    ...(signal ? [onAbort(signal, () => kill())] : []),
  ];
  for (const [stream, output] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const)
    stream?.on("data", (chunk: Buffer) => {
      output.add(chunk);
      if (output.size > options.outputBytes * longestOutput) kill("output");
    });
  const status = readStatus(child, (pid) => {
    killer.start(pid);
    stops.push(watchBox(pid, options, kill));
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
  try {
    await closed(child);
  } finally {
    for (const stop of stops) stop();
  }
  signal?.throwIfAborted();
  if (end instanceof Error) throw new SandboxError("The sandbox could not be watched, and was ended.", end);
  const { exitCode } = status;
  if (end === undefined && exitCode === undefined)
    throw new SandboxError(`The sandbox could not be started: ${stderr.text.trim() || "it was killed"}`);
  return { exitCode: end === undefined ? (exitCode ?? killed) : killed, ended: end, stdout, stderr };
}

/** What shells say of programs that were killed. */
const killed = 137;

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
      env: environment,
      cwd: "/",
    });
  } finally {
    closeSync(nothing);
  }
}

/** How long bubblewrap may take until there is a first process, in milliseconds, where that is to be killed. */
const longestStart = 2_000;

/**
 * Ends a box by its first process, with which the kernel ends all others. bubblewrap alone would leave it behind if it died before the
 * two know each other, so a kill that comes earlier waits for that.
 */
function killerOf(child: ChildProcess): {
  readonly start: (pid: number) => void;
  readonly kill: () => void;
  readonly stop: () => void;
} {
  let first: number | undefined;
  let isKilled = false;
  let stop = (): void => {};
  const killFirst = (pid: number): void => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (systemCode(error) !== "ESRCH") throw error;
    }
  };
  return {
    start: (pid) => {
      first = pid;
      if (isKilled) killFirst(pid);
    },
    kill: () => {
      if (first !== undefined) killFirst(first);
      else if (!isKilled) stop = startTimer(() => child.kill("SIGKILL"), longestStart);
      isKilled = true;
    },
    stop: () => stop(),
  };
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

function writeTo(stream: unknown, data: string | Uint8Array): void {
  if (typeof stream !== "object" || stream === null || !("end" in stream) || !("on" in stream)) return;
  const { end, on } = stream;
  if (typeof end !== "function" || typeof on !== "function") return;
  // A program need not read what it gets.
  on.call(stream, "error", () => {});
  end.call(stream, data);
}

/** Once the process is gone, and with it all that had its output. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("close", () => resolve());
    child.once("error", (error) => reject(new SandboxError("The sandbox could not be started.", error)));
  });
}
