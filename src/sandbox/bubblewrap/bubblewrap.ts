import { SandboxError } from "../errors.ts";
import type { ExecOptions, Sandbox, SandboxCallOptions, TierOptions } from "../types.ts";
import { Folders } from "./descriptors.ts";
import { preflight } from "./preflight.ts";
import { runInBox, type BoxResult } from "./run-in-box.ts";

/** The largest file that is read whole. */
const largestFile = 10_000_000;

/**
 * The tier for Linux: each program runs in namespaces of its own, made by bubblewrap, and sees the system's programs and the folders that
 * are named. So do reads and writes of files, which is why no link and no rename leads them out.
 */
export function bubblewrap(options: TierOptions): Sandbox {
  const folders = new Folders(options.folders);
  const closing = new AbortController();

  async function start(
    argv: readonly string[],
    { stdin, signal }: ExecOptions,
    own: TierOptions = options,
  ): Promise<BoxResult> {
    const tools = await preflight();
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    either.throwIfAborted();
    return runInBox({ ...tools, options: own, argv, stdin, signal: either, descriptors: folders.open() });
  }

  return Object.freeze({
    async exec(argv: readonly string[], execOptions: ExecOptions = {}) {
      const [program] = argv;
      if (program === undefined) throw new SandboxError("exec() needs a program, but its argv is empty.");
      const { exitCode, stdout, stderr, ended } = await start(argv, execOptions);
      const failure = `prlimit: failed to execute ${program}: `;
      if (exitCode >= 126 && stderr.text.startsWith(failure))
        throw new SandboxError(`${program} cannot be started: ${stderr.text.slice(failure.length).trim()}.`);
      return { exitCode, stdout: stdout.text, stderr: stderr.text, ...(ended && { ended }) };
    },
    async read(path: string, callOptions: SandboxCallOptions = {}) {
      const argv = ["head", "-c", String(largestFile + 1), "--", fileName(path)];
      const result = await start(argv, callOptions, { ...options, outputBytes: largestFile * 2 });
      assertSuccess(result, `${path} cannot be read`);
      const { bytes } = result.stdout;
      if (bytes && bytes.length <= largestFile) return bytes;
      throw new SandboxError(`${path} cannot be read: it is larger than ${largestFile} bytes.`);
    },
    async write(path: string, data: string | Uint8Array, callOptions: SandboxCallOptions = {}) {
      const result = await start(["sh", "-c", writeScript, "sh", path], { ...callOptions, stdin: data });
      assertSuccess(result, `${path} cannot be written`);
    },
    async close() {
      closing.abort(new SandboxError("The sandbox is closed."));
    },
  });
}

/** The path of a file for programs that take "-" for their standard input. */
function fileName(path: string): string {
  return path === "-" ? "./-" : path;
}

/** The path is an argument: no part of the script. */
const writeScript = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"';

function assertSuccess({ exitCode, stderr, ended }: BoxResult, failure: string): void {
  if (exitCode === 0) return;
  throw new SandboxError(`${failure}: ${ended ?? (stderr.text.trim() || `exit code ${exitCode}`)}`);
}
