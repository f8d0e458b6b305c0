import { availableParallelism } from "node:os";
import { extname } from "node:path";
import type * as piscina from "piscina";
import { ConfigurationError } from "../../errors.ts";
import { codeFolder } from "../util/code-folder.ts";
import type { ThreadCall } from "./worker.ts";

/** Milliseconds after which a thread that has nothing to do ends. */
const idleTimeout = 10_000;

let pool: Promise<piscina.Piscina> | undefined;

/**
 * Calls a module's function in a thread: at most one a processor works at once, the others wait. When the signal is
 * aborted, the thread is ended, whatever it does.
 * @throws ConfigurationError if piscina is not installed; whatever the function throws, the signal's reason as `AbortError`.
 */
export async function callInThread(call: ThreadCall, signal: AbortSignal): Promise<unknown> {
  pool ??= openPool();
  // What failed once may succeed later, so failures are not remembered.
  pool.catch(() => (pool = undefined));
  return (await pool).run(call, { signal });
}

async function openPool(): Promise<piscina.Piscina> {
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "piscina";
  const worker = `${codeFolder()}base/offload/worker${extname(import.meta.url)}`;
  try {
    const { Piscina }: typeof piscina = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    return new Piscina({
      filename: worker,
      name: "callExport",
      minThreads: 0,
      maxThreads: availableParallelism(),
      idleTimeout,
    });
  } catch (error) {
    throw new ConfigurationError("Offloaded tools need the package piscina: npm install piscina", {
      code: "missing-package",
      data: { package: name },
      cause: error,
    });
  }
}
