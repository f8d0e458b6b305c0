import { programSandbox } from "../program-sandbox.ts";
import type { Sandbox, TierOptions } from "../types.ts";
import { openFolders } from "./descriptors.ts";
import { preflight } from "./preflight.ts";
import { runInBox } from "./run-in-box.ts";

/**
 * The tier for Linux: each program runs in namespaces of its own, made by bubblewrap, and sees the system's programs and the folders that
 * are named.
 */
export function bubblewrap(options: TierOptions): Sandbox {
  return programSandbox(options, {
    async run(call) {
      const tools = await preflight();
      call.signal.throwIfAborted();
      return runInBox({ ...tools, ...call, descriptors: openFolders(options.folders) });
    },
    failure: startFailure,
  });
}

/** What `prlimit` prints before the reason, if it cannot start a program. */
export function startFailure(program: string): string {
  return `prlimit: failed to execute ${program}: `;
}
