import type { FunctionSchema } from "../schema/function-schema.ts";
import { isPlainObject } from "../util/json.ts";

/** The schema of a function whose first `count` parameters `bind` has filled: they are gone for the model. */
export function withoutLeadingParameters(schema: FunctionSchema, count: number): FunctionSchema {
  if (count === 0) return schema;
  const gone = schema.parameters.slice(0, count);
  const names = new Set(gone.flatMap((plan) => (plan.kind === "property" ? [plan.name] : [])));
  const hasObject = gone.some((plan) => plan.kind === "object");
  const { properties, required, ...rest } = schema.inputSchema;
  const kept = isPlainObject(properties) && !hasObject ? Object.entries(properties) : [];
  const still = Array.isArray(required) && !hasObject ? required.filter((name) => !names.has(name)) : [];
  return {
    ...schema,
    inputSchema: {
      ...rest,
      properties: Object.fromEntries(kept.filter(([name]) => !names.has(name))),
      ...(still.length > 0 ? { required: still } : {}),
    },
    parameters: schema.parameters.slice(count),
  };
}
