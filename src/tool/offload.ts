import { ConfigurationError } from "../errors.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";

/** Code that is executed in a thread of its own, so that it blocks nobody and can be stopped at its deadline. */
export interface Offload {
  /** The module's address: `new URL("./prime.ts", import.meta.url)`, or the name of a package. */
  readonly module: string | URL;
  /** The function that the module exports; `"default"` by default. It gets the tool's arguments, and no `ToolContext`. */
  readonly export?: string;
}

const offloadOptions = { module: true, export: true } satisfies Record<keyof Offload, true>;

/** Calls the function of an offload with arguments. */
export type Offloaded = (args: readonly unknown[], signal: AbortSignal) => Promise<unknown>;

/**
 * What executes the function that an offload names. The threads are started at the first call.
 * @throws ConfigurationError if it does not name a module.
 */
export function offloaded(offload: Offload, place: string): Offloaded {
  const where = `offload of ${place}`;
  assertKnownOptions(offload, offloadOptions, where);
  const { module, export: name = "default" } = offload;
  const address = String(module);
  if (!(module instanceof URL) && (typeof module !== "string" || /^$|^\.{0,2}\//.test(module))) {
    throw new ConfigurationError(
      `module of ${where} must be a URL or a package's name, not ${JSON.stringify(module)}. Pass new URL("./module.ts", import.meta.url).`,
      { code: "invalid-tool" },
    );
  }
  return async (args, signal) => {
    const { callInThread } = await import("#offload");
    return callInThread({ module: address, name, args }, signal);
  };
}
