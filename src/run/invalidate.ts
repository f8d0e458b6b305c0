import type { Tool } from "../tool/types.ts";
import { loadPolicies } from "./features.ts";

/**
 * Forgets cached results of a tool, in all runs: those of every call, or of the calls that were made with these arguments,
 * whatever their others were. Calls under way when it resolves are made again for later callers.
 * ```ts
 * await invalidate(getUser, { id: 7 });
 * ```
 * @param tool made by `tool(...)` with a `cache`.
 * @param args arguments by name, as the tool gets them.
 * @throws ConfigurationError if the tool has no cache.
 */
export async function invalidate(
  tool: Pick<Tool, "policy">,
  args?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { forgetResults } = await loadPolicies();
  forgetResults(tool, args);
}
