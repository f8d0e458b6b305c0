import { resolveTools } from "./resolve.ts";
import type { FunctionTool, Tool, ToolFunction } from "./types.ts";
import type { JsonSchema } from "../schema/types.ts";

/** What a model is told of a tool, named as in the Model Context Protocol. */
export interface ToolSchema {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/**
 * The schema of a tool: of a plain function, of `tool(...)`. A function's is found at the first call and remembered.
 * @throws SchemaNotFoundError if the function's source cannot be found or its types cannot be expressed.
 */
export async function schemaOf(source: ToolFunction | FunctionTool | Tool): Promise<ToolSchema> {
  const registry = await resolveTools([source]);
  const [tool] = registry.tools;
  if (!tool) throw new TypeError("resolving one tool gave none");
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema.jsonSchema,
    ...(outputSchema && { outputSchema: outputSchema.jsonSchema }),
  };
}
