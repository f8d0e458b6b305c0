import { describeValue } from "../base/options/known-options.ts";
import type { BoundedOutput } from "./bounded-output.ts";
import type { ExecEnd } from "./types.ts";

/** A program that writes more than this many times what is kept is ended: reading it takes the time of this process. */
export const longestOutput = 100;

/** The largest file that is read whole, in bytes. */
export const largestFile = 10_000_000;

/** What shells say of programs that were killed. */
export const killed = 137;

/** The environment that programs have, beside `env`. */
export const usualVariables = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
} as const;

/** What a program came to. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly ended: ExecEnd | undefined;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

/** Words of others, with a full stop. */
export function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** @throws TypeError for what no program can read. */
export function assertInput(data: unknown): void {
  if (data === undefined || typeof data === "string" || data instanceof Uint8Array) return;
  throw new TypeError(`What a program reads must be a string or a Uint8Array, not ${describeValue(data)}.`);
}

/** A word that the shell takes as it is. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
