import { SandboxError } from "./errors.ts";
import type { Sandbox, SandboxTier } from "./types.ts";

/**
 * A tier that is loaded at the first use of a sandbox.
 * @param load - Loads it. What is missing may be installed later, so failures are not remembered.
 */
export function lazyTier(load: () => Promise<SandboxTier>): SandboxTier {
  return (options) => lazySandbox(async () => (await load())(options));
}

function lazySandbox(openBox: () => Promise<Sandbox>): Sandbox {
  let opened: Promise<Sandbox> | undefined;
  let isClosed = false;
  const box = (): Promise<Sandbox> => {
    if (isClosed) throw closedError();
    opened ??= openBox();
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return Object.freeze({
    exec: async (...args: Parameters<Sandbox["exec"]>) => (await box()).exec(...args),
    read: async (...args: Parameters<Sandbox["read"]>) => (await box()).read(...args),
    write: async (...args: Parameters<Sandbox["write"]>) => (await box()).write(...args),
    async close() {
      isClosed = true;
      const last = await opened?.catch(() => undefined);
      await last?.close();
    },
  });
}

/** Why a call ends, or does not begin, once its sandbox is closed. */
export function closedError(): SandboxError {
  return new SandboxError("The sandbox is closed.");
}
