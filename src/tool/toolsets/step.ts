import type { ToolPolicy } from "../policy.ts";
import type { Tool, ToolsetContext } from "../types.ts";

/** One thing that is done to a set of tools. */
export type Step =
  | {
      readonly kind: "renamed";
      readonly rename: (name: string) => string | undefined;
      /** The names that the program lists. */
      readonly names?: readonly string[];
    }
  | {
      readonly kind: "filtered";
      readonly filter: (tool: Tool, scope: ToolsetContext) => boolean;
      readonly names?: readonly string[];
    }
  | { readonly kind: "policy"; readonly policy: ToolPolicy<never, never> }
  | { readonly kind: "deferred"; readonly limit: number; readonly name: string };
