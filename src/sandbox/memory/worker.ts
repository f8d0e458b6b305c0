/** The thread of a sandbox in memory: it interprets commands, one at a time. The sandbox ends it. */
import { posix } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { BoundedOutput } from "../bounded-output.ts";
import { longestOutput, quoted, usualVariables } from "../kit.ts";
import type { ExecResult, TierOptions } from "../types.ts";
import { layOutFiles, type Interpreter, type MemoryFiles } from "./file-system.ts";
import type { ThreadAnswer, ThreadCall, ThreadReady, ThreadStart } from "./messages.ts";

const { options, entries }: ThreadStart = workerData;

async function start(): Promise<void> {
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "just-bash";
  let interpreter: Interpreter;
  try {
    interpreter = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  } catch (error) {
    return post({ missing: String(error) });
  }
  const files = await layOutFiles(interpreter, options, entries);
  parentPort?.on("message", async (call: ThreadCall) => {
    files.holdFolders(call.descriptors);
    const answer = await answerTo(interpreter, files, call);
    post({ ...answer, entries: await files.snapshot() });
  });
  post({});
}

function post(message: ThreadReady | ThreadAnswer): void {
  parentPort?.postMessage(message, []);
}

async function answerTo(
  interpreter: Interpreter,
  { all }: MemoryFiles,
  call: ThreadCall,
): Promise<Omit<ThreadAnswer, "entries">> {
  try {
    if (call.kind === "exec") return await exec(interpreter, all, call);
    const path = posix.resolve(options.cwd, call.path);
    if (call.kind === "write") {
      await all.mkdir(posix.dirname(path), { recursive: true });
      await all.writeFile(path, call.data);
      return {};
    }
    const { size } = await all.stat(path);
    if (size > call.largest) return { failure: `it is larger than ${call.largest} bytes.` };
    return { value: await all.readFileBuffer(path) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function exec(
  { Bash }: Interpreter,
  fs: MemoryFiles["all"],
  { argv: [program = "", ...args], stdin }: Extract<ThreadCall, { kind: "exec" }>,
): Promise<Omit<ThreadAnswer, "entries">> {
  const shell = new Bash({
    fs,
    cwd: options.cwd,
    env: { ...usualVariables, ...options.env },
    executionLimits: {
      ...unlimitedSteps,
      // Longer than the time that the thread has: it is ended from without.
      maxExecutionTimeMs: options.timeout * 2,
      maxOutputSize: options.outputBytes * longestOutput,
    },
    ...networkOf(options),
  });
  const { exitCode, stdout, stderr } = await shell.exec(quoted(program), {
    args,
    stdin: Buffer.from(stdin).toString("latin1"),
    stdinKind: "bytes",
  });
  const errors = stderr.replaceAll(missingCommand, "command not found");
  const failure = `bash: ${program}: `;
  if (exitCode === 127 && errors.startsWith(failure)) return { failure: errors.slice(failure.length).trim() };
  const ended = exitCode === 126 && outputLimit.test(stderr) ? "output" : undefined;
  return {
    value: {
      exitCode: ended ? 137 : exitCode,
      stdout: bounded(stdout),
      stderr: bounded(errors),
      ...(ended && { ended }),
    },
  };
}

/** Steps are not counted where time is. */
const mostSteps = 1e12;
const unlimitedSteps = {
  maxCommandCount: mostSteps,
  maxLoopIterations: mostSteps,
  maxAwkIterations: mostSteps,
  maxSedIterations: mostSteps,
  maxJqIterations: mostSteps,
  maxWorkUnits: mostSteps,
};

/** What it prints of commands that it has elsewhere, such as `python`. */
const missingCommand = /command not available in browser environments\..*/g;

/** What the interpreter prints where it stops for the size of an output. */
const outputLimit = /output size limit exceeded/;

function bounded(text: string): ExecResult["stdout"] {
  const output = new BoundedOutput(options.outputBytes);
  output.add(Buffer.from(text));
  return output.text;
}

function networkOf({
  net,
  domains,
}: TierOptions): Pick<ConstructorParameters<Interpreter["Bash"]>[0] & object, "network"> {
  if (net) return { network: { dangerouslyAllowFullInternetAccess: true } };
  if (domains.length === 0) return {};
  return {
    network: {
      allowedUrlPrefixes: domains.flatMap((domain) => [`https://${domain}`, `http://${domain}`]),
      allowedMethods: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"],
    },
  };
}

await start();
