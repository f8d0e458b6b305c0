import type { Tool as WireTool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { ToolTable } from "../../../tool/table.ts";
import type { Tool } from "../../../tool/types.ts";
import { promisedOutput } from "./offered-tools.ts";

/** The tools as they are listed to clients, in their order. */
export function listTools(table: ToolTable): WireTool[] {
  return table.specs.flatMap(({ name, description, inputSchema }) => {
    const tool = table.get(name);
    if (!tool) return [];
    const outputSchema = promisedOutput(tool)?.jsonSchema;
    return [
      {
        name,
        ...(tool.annotations.title !== undefined && { title: tool.annotations.title }),
        ...(description !== undefined && { description }),
        inputSchema: { ...inputSchema, type: "object" as const },
        ...(outputSchema && { outputSchema: { ...outputSchema } }),
        ...annotationsOf(tool),
        ...uiOf(tool),
      },
    ];
  });
}

/**
 * What a tool says of its effects, else what follows from its policies: results that are remembered come from calls that change
 * nothing, and what a person has to approve may destroy something.
 */
function annotationsOf({ annotations, policy }: Tool): { readonly annotations?: ToolAnnotations } {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const behaviour = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  const hints = {
    ...(policy.cache && { readOnlyHint: true, idempotentHint: true }),
    ...(policy.approval && { readOnlyHint: false, destructiveHint: true }),
    ...Object.fromEntries(Object.entries(behaviour).filter(([, hint]) => hint !== undefined)),
  };
  return Object.keys(hints).length === 0 ? {} : { annotations: hints };
}

/** The page that shows its calls (MCP Apps), if that is a resource of this server. */
function uiOf({ annotations: { ui } }: Tool): Pick<WireTool, "_meta"> {
  return ui && ui.server === undefined ? { _meta: { ui: { resourceUri: ui.resourceUri } } } : {};
}
