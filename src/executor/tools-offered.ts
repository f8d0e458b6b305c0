import type { ToolTable } from "../tool/table.ts";
import type { Caller } from "./policies/allow.ts";

/** The tools that a caller may use: all of them, at no cost, where none says otherwise. */
export async function toolsOffered(registry: ToolTable, caller: Caller): Promise<ToolTable> {
  if (!registry.isGuarded) return registry;
  const { offeredTools } = await import("./offered-tools.ts");
  return offeredTools(registry, caller);
}
