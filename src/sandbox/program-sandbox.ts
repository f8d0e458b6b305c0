import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { SandboxError } from "./errors.ts";
import { isWithin } from "./folders.ts";
import {
  assertArgv,
  assertFilePath,
  assertInput,
  assertSize,
  largestFile,
  type ProgramResult,
} from "./kit.ts";
import { closedError } from "./lazy-sandbox.ts";
import type { ExecOptions, Sandbox, SandboxCallOptions, SandboxWriteOptions, TierOptions } from "./types.ts";
import { cleanProgram, writeProgram } from "./write-file.ts";

/** A program to run in a box, with a signal that is also aborted when the sandbox is closed. */
export interface BoxCall {
  readonly argv: readonly string[];
  readonly stdin: ExecOptions["stdin"];
  readonly signal: AbortSignal;
  readonly options: TierOptions;
}

/** What makes boxes. */
export interface BoxMaker {
  readonly run: (call: BoxCall) => Promise<ProgramResult>;
  /** What the box prints before the reason, if a program cannot be started; then it ends with 126 or 127. */
  readonly failure: (program: string) => string;
}

/**
 * A sandbox whose every call is a program in a box of its own. So are reads and writes of files, which is why no link and no rename
 * leads them out.
 */
export function programSandbox(options: TierOptions, { run, failure }: BoxMaker): Sandbox {
  const closing = new AbortController();
  const lasting = options.folders.filter(({ isWritable }) => isWritable).map(({ target }) => target);

  /** @throws the reason of a signal that is aborted already, or that the sandbox is closed. */
  function openSignal(signal: AbortSignal | undefined): AbortSignal {
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    either.throwIfAborted();
    return either;
  }

  async function start(
    argv: readonly string[],
    { stdin, signal }: ExecOptions,
    own: TierOptions = options,
  ): Promise<ProgramResult> {
    assertInput(stdin);
    assertSize(argv);
    const either = openSignal(signal);
    return run({ argv, stdin, signal: either, options: own });
  }

  /** What ended a write has ended what would have tidied up after it. */
  async function clean(path: string, id: string): Promise<void> {
    const { signal } = new AbortController();
    // The time that was too short for the write may be so for this.
    const own = { ...options, timeout: Math.max(options.timeout, shortestClean) };
    await run({ argv: cleanProgram(path, id), stdin: undefined, signal, options: own }).catch(() => {});
  }

  return Object.freeze({
    async exec(argv: readonly string[], execOptions: ExecOptions = {}) {
      assertArgv(argv);
      const [program] = argv;
      const { exitCode, stdout, stderr, ended } = await start(argv, execOptions);
      const prefix = failure(program);
      if (exitCode >= 126 && stderr.text.startsWith(prefix))
        throw new SandboxError(`${program} cannot be started: ${stderr.text.slice(prefix.length).trim()}.`);
      return { exitCode, stdout: stdout.text, stderr: stderr.text, ...(ended && { ended }) };
    },
    async read(path: string, callOptions: SandboxCallOptions = {}) {
      assertFilePath(path);
      const argv = readProgram(fileName(path), largestFile + 1);
      const result = await start(argv, callOptions, { ...options, outputBytes: largestFile * 2 });
      assertSuccess(result, `${path} cannot be read`, isTemporary(path, options) ? noEarlierFiles : "");
      const { bytes } = result.stdout;
      if (bytes && bytes.length <= largestFile) return bytes;
      throw new SandboxError(`${path} cannot be read: it is larger than ${largestFile} bytes.`);
    },
    async write(path: string, data: string | Uint8Array, writeOptions: SandboxWriteOptions = {}) {
      const { keepGit = false, ...callOptions } = writeOptions;
      assertFilePath(path, true);
      assertInput(data);
      openSignal(callOptions.signal);
      const id = randomUUID();
      let isDone = false;
      try {
        const result = await start(writeProgram(path, id, keepGit, lasting), { ...callOptions, stdin: data });
        isDone = result.ended === undefined;
        assertSuccess(result, `${path} cannot be written`);
      } finally {
        if (!isDone) await clean(path, id);
      }
    },
    async close() {
      closing.abort(closedError());
    },
  });
}

/** Milliseconds that tidying up after a write may take at least. */
const shortestClean = 10_000;

/** What a box has in memory: each call has its own. */
const temporary = ["/tmp", "/var/tmp", "/dev/shm"];

const noEarlierFiles = "Each call has a new /tmp, without files of earlier calls.";

function isTemporary(path: string, { folders, cwd }: TierOptions): boolean {
  const place = posix.resolve(cwd, path);
  const isIn = (folder: string): boolean => isWithin(place, folder);
  return temporary.some(isIn) && !folders.some(({ target }) => isIn(target));
}

/** The program that writes the start of a file to its standard output. A pipe would have it wait for a writer, of which there is none. */
function readProgram(path: string, bytes: number): readonly string[] {
  const script =
    'if [ -p "$1" ]; then echo "It is a pipe, not a file." >&2; exit 1; fi; exec head -c "$2" -- "$1"';
  return ["sh", "-c", script, "sh", path, String(bytes)];
}

/** The path of a file for programs that take "-" for their standard input. */
function fileName(path: string): string {
  return path === "-" ? "./-" : path;
}

function assertSuccess({ exitCode, stderr, ended }: ProgramResult, failure: string, advice = ""): void {
  if (exitCode === 0) return;
  const reasons = [ended, stderr.text.trim(), advice].filter(Boolean);
  throw new SandboxError(`${failure}: ${reasons.join("; ") || `exit code ${exitCode}`}`);
}
