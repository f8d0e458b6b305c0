import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";

/** A server's process. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** How a process is started. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

const isWindows = process.platform === "win32";

/** Signals whose default is to end this process without a word to anyone. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const running = new Set<ChildProcess>();

/**
 * Starts a process that does not outlive this one, and does not keep it from ending. It leads a group of its own, so that
 * what it starts in turn (`npx` a server, say) ends with it.
 */
export function startChild({ command, args, env, cwd }: ChildOptions): Child {
  const child = launcher()(command, [...args], {
    env,
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    detached: !isWindows,
    windowsHide: true,
  });
  if (running.size === 0) watchEnd();
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    if (running.size === 0) unwatchEnd();
  });
  child.once("error", () => child.pid === undefined && running.delete(child));
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) unref(stream);
  return child;
}

/** Ends a process and all that it has started. */
export function killChild(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (isWindows || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
    return;
  }
}

/** Windows finds `npx.cmd` only through a shell, whose quoting is the business of a package that the SDK brings. */
function launcher(): typeof spawn {
  if (!isWindows) return spawn;
  // A name that bundlers cannot follow: webpack would not build where the package is not installed.
  const name = "@modelcontextprotocol/client/stdio";
  const sdk = createRequire(import.meta.url).resolve(name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- cross-spawn has the form of spawn
  return createRequire(sdk)("cross-spawn") as typeof spawn;
}

/** Requests that are under way have timers, which keep the process alive for as long as it waits for them. */
function unref(stream: Readable | Writable): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}

function watchEnd(): void {
  process.on("exit", killAll);
  for (const signal of endings) process.on(signal, onEnding);
}

function unwatchEnd(): void {
  process.off("exit", killAll);
  for (const signal of endings) process.off(signal, onEnding);
}

function killAll(): void {
  for (const child of running) killChild(child, "SIGKILL");
}

/** Listening to a signal takes its default away: where nobody else listens, it is done by hand. */
function onEnding(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unwatchEnd();
  process.kill(process.pid, signal);
}
