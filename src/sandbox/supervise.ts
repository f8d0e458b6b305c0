import type { ChildProcess } from "node:child_process";
import { onAbort } from "../base/util/on-abort.ts";
import { startTimer } from "../base/util/timer.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { SandboxError } from "./errors.ts";
import { longestOutput, type ProgramResult } from "./kit.ts";
import type { ExecEnd, TierOptions } from "./types.ts";

/** A program under limits of time and output. */
export interface Supervision {
  /** Ends it for a limit, or since it cannot be watched. */
  readonly end: (reason?: ExecEnd | Error) => void;
  /**
   * What it printed, once it is gone, and all that had its output.
   * @throws the signal's reason; SandboxError for a program that could not be started or watched.
   */
  readonly outcome: Promise<Omit<ProgramResult, "exitCode">>;
}

/**
 * Collects the output of a program, and ends it at its time, with its signal and if it prints too much.
 * @param kill - Ends it with all its children. It may be called more than once.
 */
export function supervise(
  child: ChildProcess,
  { outputBytes, timeout }: Pick<TierOptions, "outputBytes" | "timeout">,
  signal: AbortSignal | undefined,
  kill: () => void,
): Supervision {
  const stdout = new BoundedOutput(outputBytes);
  const stderr = new BoundedOutput(outputBytes);
  let reason: ExecEnd | Error | undefined;
  const end: Supervision["end"] = (first) => {
    reason ??= first;
    kill();
  };
  const stops = [
    startTimer(() => end("timeout"), timeout),
    ...(signal ? [onAbort(signal, () => end())] : []),
  ];
  for (const [stream, output] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const)
    stream?.on("data", (chunk: Buffer) => {
      output.add(chunk);
      if (output.size > outputBytes * longestOutput) end("output");
    });
  const finish = async (): Promise<Omit<ProgramResult, "exitCode">> => {
    try {
      await closed(child);
    } finally {
      for (const stop of stops) stop();
    }
    signal?.throwIfAborted();
    if (reason instanceof Error)
      throw new SandboxError("The sandbox could not be watched, and was ended.", reason);
    return { ended: reason, stdout, stderr };
  };
  return { end, outcome: finish() };
}

/** Once the process is gone, and with it all that had its output. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("close", () => resolve());
    child.once("error", (error) => reject(new SandboxError("The sandbox could not be started.", error)));
  });
}

/** Writes all that a pipe gets. */
export function writeTo(stream: unknown, data: string | Uint8Array): void {
  if (typeof stream !== "object" || stream === null || !("end" in stream) || !("on" in stream)) return;
  const { end, on } = stream;
  if (typeof end !== "function" || typeof on !== "function") return;
  // A program need not read what it gets.
  on.call(stream, "error", () => {});
  end.call(stream, data);
}
