/** Programs that work on durable runs, which tests start and kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkerOptions } from "./worker-process.ts";

const children = new Set<ChildProcess>();

/** Ends all workers that were started and live. */
export function killWorkers(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
}

/** Starts a worker, and waits until it works. */
export async function startWorker(
  store: string,
  effects: string,
  options: WorkerOptions = {},
): Promise<ChildProcess> {
  const script = join(import.meta.dirname, "worker-process.ts");
  const source = join(import.meta.dirname, "../from-source.ts");
  const args = ["--import", source, script, store, effects, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return child;
}

/** The effects of runs, each with its key, in order. */
export function effectsOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}
