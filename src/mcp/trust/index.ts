import type { Tool as RemoteTool } from "@modelcontextprotocol/client";
import type { ServerScope } from "../client/scope.ts";

/** Names the tools of a server that may be used. */
export interface TrustOptions {
  /** The names of tools that may be used; all others are left out. */
  readonly only?: readonly string[];
}

/** A tool of a server, and what was found of it. */
export interface JudgedTool {
  readonly tool: RemoteTool;
  /** Whether its calls wait for a person's decision. */
  readonly approval?: boolean;
}

/** Looks at what a server lists, exactly as it says it, before anything of it is used. Reports through `scope.warn`. */
export async function judgeTools(
  tools: readonly RemoteTool[],
  { only }: TrustOptions,
  _scope: ServerScope,
): Promise<readonly JudgedTool[]> {
  return tools.filter(({ name }) => only?.includes(name) ?? true).map((tool) => ({ tool }));
}
