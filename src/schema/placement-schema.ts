import type { FunctionSchema } from "./function-schema.ts";
import { outlineInput } from "./input-outline.ts";

/** What a function with a schema of its own, `tool(fn, { input })`, still needs of what its signature and its comment say. */
export function toPlacementSchema(schema: FunctionSchema): FunctionSchema {
  const { name, description, inputSchema, parameters, revive, deprecated, thisType } = schema;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: outlineInput(inputSchema, revive),
    parameters,
    ...(deprecated !== undefined && { deprecated }),
    ...(thisType !== undefined && { thisType }),
    placementOnly: true,
  };
}
