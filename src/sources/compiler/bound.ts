import type { FunctionSchema } from "../../schema/function-schema.ts";
import { isPlainObject } from "../../base/util/json.ts";

/** The schema of a function whose first `count` parameters `bind` has filled: they are gone for the model. */
export function withoutLeadingParameters(schema: FunctionSchema, count: number): FunctionSchema {
  const firstOfRest = schema.parameters.findIndex((plan) => plan.kind === "rest");
  // A rest parameter that has got some of its values still takes more.
  const bound = schema.parameters.slice(0, firstOfRest < 0 ? count : Math.min(count, firstOfRest));
  if (bound.length === 0) return schema;
  const names = new Set(bound.flatMap((plan) => (plan.kind === "property" ? [plan.name] : [])));
  const hasObject = bound.some((plan) => plan.kind === "object");
  const { properties, required, ...rest } = schema.inputSchema;
  const entries = isPlainObject(properties) && !hasObject ? Object.entries(properties) : [];
  const still = Array.isArray(required) && !hasObject ? required.filter((name) => !names.has(name)) : [];
  return {
    ...schema,
    inputSchema: {
      ...rest,
      properties: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
      ...(still.length > 0 ? { required: still } : {}),
    },
    parameters: schema.parameters.slice(bound.length),
  };
}
