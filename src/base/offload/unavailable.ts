import { ConfigurationError } from "../../errors.ts";
import type { ThreadCall } from "./worker.ts";

/**
 * Stands in for threads on runtimes without them.
 * @throws ConfigurationError always.
 */
export async function callInThread(call: ThreadCall): Promise<unknown> {
  throw new ConfigurationError(
    `${call.name} of ${call.module} cannot be offloaded: this runtime has no threads that Skein can use (Bun, an edge runtime or a browser).`,
    { code: "no-threads" },
  );
}
