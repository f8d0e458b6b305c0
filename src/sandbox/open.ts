import { assertSandboxOptions, readSandboxOptions } from "./options.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

/**
 * A sandbox for a program's own use: the same that tools stand on.
 * ```ts
 * const box = sandbox.open({ read: ["./data"] });
 * const { stdout } = await box.exec(["wc", "-l", "data/cities.csv"]);
 * ```
 * @throws ConfigurationError for an invalid option; `sandbox-unavailable`, at the first use, where there can be none.
 */
export function open(options: SandboxOptions = {}): Sandbox {
  assertSandboxOptions(options, {}, "sandbox.open()");
  const { tier, options: complete } = readSandboxOptions(options, "sandbox.open()");
  return tier(complete);
}
