import { writeSync } from "node:fs";
import { printable } from "./text.ts";

/** What is not done yet, each with what to say if the process ends first. */
const unfinished: { readonly problem: string }[] = [];

/**
 * Does what a command was called for. If a loaded file ends the process first, that is an error: with exit code 0 and no output, a
 * check would pass that never took place.
 */
export async function beforeEnd<T>(problem: string, work: () => Promise<T>): Promise<T> {
  const entry = { problem };
  if (unfinished.length === 0) process.on("exit", onExit);
  unfinished.push(entry);
  try {
    return await work();
  } finally {
    unfinished.splice(unfinished.indexOf(entry), 1);
    if (unfinished.length === 0) process.off("exit", onExit);
  }
}

/** Ends the process where the command itself does. */
export function endProcess(code: number): never {
  unfinished.length = 0;
  process.exit(code);
}

/** Only what is synchronous still happens here. */
function onExit(): void {
  const last = unfinished.at(-1);
  if (!last) return;
  process.exitCode = 1;
  try {
    writeSync(process.stderr.fd, `skein: ${printable(last.problem)}\n`);
  } catch {
    // The exit code says it, too.
  }
}
