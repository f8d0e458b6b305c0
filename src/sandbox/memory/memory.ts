import { closeSync, existsSync, statSync } from "node:fs";
import { extname, relative, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { invalidOption } from "../../base/options/known-options.ts";
import { codeFolder } from "../../base/util/code-folder.ts";
import { onAbort } from "../../base/util/on-abort.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { systemCode } from "../../base/util/system-code.ts";
import { startTimer } from "../../base/util/timer.ts";
import { SandboxError, unavailable } from "../errors.ts";
import { openFolders } from "../bubblewrap/descriptors.ts";
import { assertNotNested } from "../folders.ts";
import { gitAdvice, gitNameIn } from "../git-name.ts";
import { assertArgv, assertFilePath, assertInput, killed, largestFile } from "../kit.ts";
import { closedError } from "../lazy-sandbox.ts";
import type { ExecEnd, Sandbox, SandboxCallOptions, TierOptions } from "../types.ts";
import type {
  MemoryEntry,
  ThreadAnswer,
  ThreadCall,
  ThreadReady,
  ThreadStart,
  ThreadWork,
} from "./messages.ts";

/** Megabytes that the interpreter itself takes, beside what programs do with it. */
const interpreterMb = 96;

/** What came of a call: an answer, or the limit that ended it. */
type Outcome = ThreadAnswer | { readonly ended: ExecEnd };

/**
 * The tier without a machine: `just-bash` interprets commands in a thread, which is ended at the limits. Folders are read and written
 * where they are, all other files are in memory, for as long as the sandbox is open. Calls take turns.
 */
export function memory(options: TierOptions): Sandbox {
  assertFolders(options);
  const turns = new Semaphore(1);
  const closing = new AbortController();
  let entries: readonly MemoryEntry[] = [];
  let thread: Worker | undefined;

  async function perform(work: ThreadWork, { signal }: SandboxCallOptions): Promise<Outcome> {
    const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    either.throwIfAborted();
    return turns.run(async () => {
      const descriptors = openFolders(options.folders);
      try {
        return await askThread({ ...work, descriptors }, either);
      } finally {
        // The thread has answered or is gone: nothing uses them any more.
        for (const descriptor of descriptors) closeSync(descriptor);
      }
    }, either);
  }

  async function askThread(call: ThreadCall, signal: AbortSignal): Promise<Outcome> {
    thread ??= await startThread({ options, entries });
    signal.throwIfAborted();
    const outcome = await ask(thread, call, options.timeout, signal).catch((error: unknown) => {
      thread = undefined;
      throw error;
    });
    if ("entries" in outcome) entries = outcome.entries;
    // It was ended: the next call begins with what was there before.
    else thread = undefined;
    signal.throwIfAborted();
    return outcome;
  }

  return Object.freeze({
    async exec(argv, { stdin = "", signal } = {}) {
      assertArgv(argv);
      const [program] = argv;
      assertInput(stdin);
      const outcome = await perform({ kind: "exec", argv, stdin: Buffer.from(stdin) }, { signal });
      if ("ended" in outcome) return { exitCode: killed, stdout: "", stderr: "", ended: outcome.ended };
      if (outcome.failure !== undefined || !outcome.value || outcome.value instanceof Uint8Array)
        throw new SandboxError(`${program} cannot be started: ${outcome.failure}`);
      return outcome.value;
    },
    async read(path, callOptions = {}) {
      assertFilePath(path);
      const outcome = await perform({ kind: "read", path, largest: largestFile }, callOptions);
      const { value } = assertSuccess(outcome, `${path} cannot be read`);
      if (value instanceof Uint8Array) return value;
      throw new SandboxError(`${path} cannot be read.`);
    },
    async write(path, data, { keepGit = false, ...callOptions } = {}) {
      assertFilePath(path, true);
      assertInput(data);
      // The path says it: links in folders are not followed.
      const name = keepGit ? gitNameIn(relative(options.cwd, resolve(options.cwd, path))) : undefined;
      if (name !== undefined)
        throw new SandboxError(`${path} cannot be written: it is in ${name}, ${gitAdvice}`);
      const outcome = await perform({ kind: "write", path, data: Buffer.from(data) }, callOptions);
      assertSuccess(outcome, `${path} cannot be written`);
    },
    async close() {
      closing.abort(closedError());
      await thread?.terminate();
    },
  } satisfies Sandbox);
}

function assertSuccess(outcome: Outcome, failure: string): ThreadAnswer {
  if ("ended" in outcome) throw new SandboxError(`${failure}: ${outcome.ended}`);
  if (outcome.failure === undefined) return outcome;
  throw new SandboxError(`${failure}: ${outcome.failure}`);
}

/**
 * @throws ConfigurationError for a folder that is none, for hosts that this tier has no way to name, and for folders on a system where a
 *   program of another sandbox could lead the way out of them by a link (`sandbox-unavailable`).
 */
function assertFolders({ folders, domains }: TierOptions): void {
  if (folders.length > 0 && !existsSync("/proc/self/fd"))
    throw unavailable(
      `via: "memory" has folders on Linux only, and this is ${process.platform}: elsewhere no file can be held apart from its path.`,
      "Leave root, read and write out and copy files by write(), or set via to a container.",
    );
  for (const { source } of folders)
    if (!statSync(source, { throwIfNoEntry: false })?.isDirectory())
      throw invalidOption(`The sandbox cannot open ${source}: via: "memory" needs a folder that is there.`, {
        option: "read",
      });
  assertNotNested(folders, "memory");
  const pattern = domains.find((domain) => domain.startsWith("*"));
  if (pattern !== undefined)
    throw invalidOption(`net names ${pattern}, and via: "memory" has no wildcards. Name each host.`, {
      option: "net",
    });
}

/** @throws ConfigurationError (`sandbox-unavailable`) where there is no interpreter. */
async function startThread(start: ThreadStart): Promise<Worker> {
  const thread = new Worker(new URL(`${codeFolder()}sandbox/memory/worker${extname(import.meta.url)}`), {
    workerData: start,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(start.options.memoryMb) + interpreterMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReady>();
  thread.once("message", resolve);
  // For good: a failure that nobody waits for would end the process.
  thread.on("error", reject);
  try {
    const { missing } = await promise;
    if (missing === undefined) return thread;
    throw unavailable(
      `The package just-bash cannot be loaded. ${missing}.`,
      "Install it: npm install just-bash",
    );
  } catch (error) {
    await thread.terminate();
    throw error;
  } finally {
    // An open sandbox does not keep a program alive.
    thread.unref();
  }
}

/** Has a thread do something; ends it where that takes too much of anything. */
function ask(thread: Worker, call: ThreadCall, timeout: number, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const end = (reason: ExecEnd): void => {
      stop();
      void thread.terminate().then(() => resolve({ ended: reason }));
    };
    const onAnswer = (answer: ThreadAnswer): void => {
      stop();
      resolve(answer);
    };
    const onError = (error: unknown): void => {
      if (systemCode(error) === "ERR_WORKER_OUT_OF_MEMORY") return end("memory");
      stop();
      reject(new SandboxError("The sandbox failed.", error));
    };
    const stops = [startTimer(() => end("timeout"), timeout), onAbort(signal, () => end("timeout"))];
    const stop = (): void => {
      for (const each of stops) each();
      thread.off("message", onAnswer);
      thread.off("error", onError);
      thread.unref();
    };
    thread.ref();
    thread.on("message", onAnswer);
    thread.on("error", onError);
    thread.postMessage(call, []);
  });
}
