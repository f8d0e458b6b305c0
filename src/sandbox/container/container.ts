import { spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute } from "node:path";
import { errorMessage } from "../../base/util/error-message.ts";
import type { ConfigurationError } from "../../errors.ts";
import { emptyBox, probe } from "../bubblewrap/preflight.ts";
import { SandboxError, unavailable } from "../errors.ts";
import { findProgram } from "../find-program.ts";
import { assertInPlace } from "../folders.ts";
import { killed, sentence, type ProgramResult } from "../kit.ts";
import { programSandbox, type BoxCall } from "../program-sandbox.ts";
import { supervise, writeTo } from "../supervise.ts";
import type { ContainerOptions, Sandbox, TierOptions } from "../types.ts";
import {
  assertSayable,
  containerRun,
  engineFailure,
  ownFailure,
  startFailure,
  type EngineCall,
} from "./arguments.ts";

/** Those that were tried and hold, by what they are. */
const tried = new Map<string, Promise<void>>();

/** The tier of containers: an engine runs each program in one of its own, which is gone after it. */
export function container(engine: ContainerOptions, options: TierOptions): Sandbox {
  assertSayable(options);
  return programSandbox(options, {
    async run(call) {
      await preflight(engine);
      assertInPlace(options.folders);
      return runContainer(engine, call);
    },
    failure: (program) => `${startFailure}${program}: `,
  });
}

/**
 * Tries a container once: whether the engine has the image, and whether the limits hold.
 * @throws ConfigurationError (`sandbox-unavailable`) that names the fix.
 */
function preflight(engine: ContainerOptions): Promise<void> {
  const key = JSON.stringify(engine);
  const attempt = tried.get(key) ?? tryContainer(engine);
  tried.set(key, attempt);
  // What is missing may be installed later.
  attempt.catch(() => tried.delete(key));
  return attempt;
}

/** What the kernel says of a process without rights, and without a way to get any. */
const signs = [/^CapEff:\s+0+$/m, /^CapBnd:\s+0+$/m];

/** What engines print where they leave out a limit. */
const leftOut = /discarded|ignored|not support/i;

async function tryContainer(engine: ContainerOptions): Promise<void> {
  const [command = ""] = typeof engine.container === "string" ? [engine.container] : engine.container;
  if (!isAbsolute(command) && findProgram(command) === undefined)
    throw unavailable(
      `The engine is not installed: there is no ${command} on PATH.`,
      "Install it, such as by apt-get install podman, or name another as container.",
    );
  const signal = new AbortController().signal;
  const call = { argv: probe, stdin: "", signal, options: { ...emptyBox, timeout: longestFirst } };
  const result = await runContainer(engine, call).catch((error: unknown) => {
    throw failed(engine, errorMessage(error));
  });
  const { exitCode, stdout, stderr, ended } = result;
  if (exitCode !== 0) throw failed(engine, ended ?? stderr.text.trim());
  if (signs.every((sign) => sign.test(stdout.text)) && !leftOut.test(stderr.text)) return;
  throw unavailable(
    `A first container of ${engine.image} did not hold what it should. ${sentence(stderr.text.trim())}`,
    "The engine must drop rights and limit memory and processes, for which it needs cgroups.",
  );
}

function failed({ image }: ContainerOptions, words: string): ConfigurationError {
  return unavailable(
    `A first container of ${image} failed. ${sentence(words)}`,
    "The engine must run, and have the image, such as by docker pull, with sh, timeout and cat in it.",
  );
}

/** Milliseconds for the first container. */
const longestFirst = 30_000;

/** How long a container may take to be gone once it is to be ended, in milliseconds, and how often that is tried. */
const longestEnd = 10_000;
const retry = 200;

async function runContainer(engine: ContainerOptions, call: BoxCall): Promise<ProgramResult> {
  const { options, signal, stdin } = call;
  signal.throwIfAborted();
  const { command, args, kill, variables } = containerRun(engine, options, call.argv);
  const child = spawn(command, [...args], { cwd: "/", env: { ...process.env, ...variables } });
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  let ending: Promise<void> | undefined;
  const supervision = supervise(child, options, signal, () => {
    ending ??= endContainer(kill, isGone, () => {
      supervision.end(new SandboxError("The engine did not end a container."));
      child.kill("SIGKILL");
    });
  });
  child.stdin.on("error", () => {});
  writeTo(child.stdin, stdin ?? "");
  const { ended, stdout, stderr } = await supervision.outcome.finally(() => ending);
  const exitCode = ended === undefined ? (child.exitCode ?? killed) : killed;
  if (exitCode === engineFailure && ended === undefined && !stderr.text.endsWith(ownFailure))
    throw new SandboxError(
      `The container could not be started: ${stderr.text.trim() || "the engine does not say why"}`,
    );
  return { exitCode, ended, stdout, stderr };
}

/** One that has not started yet cannot be ended, so that is tried again. */
async function endContainer(
  { command, args }: EngineCall,
  isGone: () => boolean,
  giveUp: () => void,
): Promise<void> {
  const until = performance.now() + longestEnd;
  while (!isGone()) {
    if (performance.now() > until) return giveUp();
    const killer = spawn(command, [...args], { stdio: "ignore", cwd: "/" });
    await once(killer, "exit").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, retry));
  }
}
