import { describeValue } from "../base/options/known-options.ts";
import type { BoundedOutput } from "./bounded-output.ts";
import { SandboxError } from "./errors.ts";
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

/** @throws TypeError for what no program can read; SandboxError for a text that has no bytes of its own. */
export function assertInput(data: unknown): void {
  if (data === undefined || data instanceof Uint8Array) return;
  if (typeof data !== "string")
    throw new TypeError(`What a program reads must be a string or a Uint8Array, not ${describeValue(data)}.`);
  const half = /\p{Surrogate}/u.exec(data)?.[0];
  if (half === undefined) return;
  throw new SandboxError(
    `The text has half of a surrogate pair, \\u${half.charCodeAt(0).toString(16)}, which no file can have. Write the whole character.`,
  );
}

/** @throws SandboxError for what is not a list of texts that programs can have as arguments, a program at first. */
export function assertArgv(argv: unknown): asserts argv is readonly [string, ...string[]] {
  const all: readonly unknown[] = Array.isArray(argv) ? argv : [undefined];
  if (all.length === 0) throw new SandboxError("exec() needs a program, but its argv is empty.");
  const wrong = all.findIndex((each) => typeof each !== "string" || each.includes("\0"));
  if (wrong !== -1)
    throw new SandboxError(
      Array.isArray(argv)
        ? `argv[${wrong}] must be a text without the character U+0000, not ${describeValue(all[wrong])}.`
        : `argv must be a list of texts, such as ["ls", "-l"], not ${describeValue(argv)}.`,
    );
}

/** @throws SandboxError for what is not a path of a file; `isNew` for one that may be made. */
export function assertFilePath(path: unknown, isNew = false): void {
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    throw new SandboxError(
      `The path of a file must be a text, not empty and without the character U+0000, not ${describeValue(path)}.`,
    );
  if (isNew && path.endsWith("/"))
    throw new SandboxError(
      `${path} cannot be written: it ends in a slash, as a folder's. Name a file in it; missing folders are made.`,
    );
}

/** Bytes of an argument and of all of them, at most: the first is the kernel's limit, the other one below it by far. */
const longestArgument = 131_071;
const longestArguments = 1_500_000;

/** @throws SandboxError for arguments that are too long for the kernel. */
export function assertSize(argv: readonly string[]): void {
  const sizes = argv.map((each) => Buffer.byteLength(each));
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  if (largest > longestArgument)
    throw new SandboxError(
      `An argument has ${largest} bytes, and it may have ${longestArgument}. Pass it as stdin, or in a file.`,
    );
  const total = sizes.reduce((sum, size) => sum + size + argumentBytes, 0);
  if (total > longestArguments)
    throw new SandboxError(
      `The arguments have ${total} bytes, and they may have ${longestArguments}. Pass them as stdin, or in a file.`,
    );
}

/** What the kernel needs for each argument beside its text. */
const argumentBytes = 9;

/** A word that the shell takes as it is. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
