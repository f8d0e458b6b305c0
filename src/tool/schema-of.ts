import { loadRegisterTools } from "./features.ts";
import { noteOrigin } from "./origins.ts";
import type { ToolFunction } from "./tool-function.ts";
import type { FunctionTool, Tool } from "./types.ts";
import type { JsonSchema } from "../schema/types.ts";

/** A tool as models see it, named as in the Model Context Protocol. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** What is unusual about it, such as an alternative that JSON cannot carry: the `warnings` of each run. Models never see them. */
  readonly warnings?: readonly string[];
}

/**
 * The schema of a tool: of a plain function, of `tool(...)`. A function's is found at the first call and remembered.
 * @throws SchemaNotFoundError if the function's source cannot be found or its types cannot be expressed.
 */
export async function schemaOf(source: ToolFunction | FunctionTool | Tool): Promise<ToolSchema> {
  const sources = [source];
  noteOrigin(sources, schemaOf, []);
  const { resolveTools } = await loadRegisterTools();
  const toolTable = await resolveTools(sources);
  const [tool] = toolTable.tools;
  if (!tool) throw new TypeError("resolving one tool gave none");
  const { name, description, inputSchema, outputSchema, warnings } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema.jsonSchema,
    ...(outputSchema && { outputSchema: outputSchema.jsonSchema }),
    ...(warnings && { warnings }),
  };
}
