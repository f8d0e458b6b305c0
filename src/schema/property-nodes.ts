import type { Compilation, SchemaNode } from "./check.ts";
import { patternOperand } from "./keywords/operands.ts";
import type { PatternBudget } from "./patterns/types.ts";
import type { JsonSchema } from "./types.ts";
import { isObject } from "../base/util/json.ts";
import { memoize } from "../base/util/memoize.ts";

/** Read once, and not for each property. */
const entriesOf = memoize((patternProperties: object) => Object.entries(patternProperties));

/** The schemas of one property, and whether `properties` names it. */
export function propertyNodes(
  schema: JsonSchema,
  key: string,
  compilation: Compilation,
  budget: PatternBudget,
): { readonly named: boolean; readonly nodes: readonly SchemaNode[] } {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = isObject(properties) && Object.hasOwn(properties, key);
  const nodes = named ? [compilation.compile(properties[key])] : [];
  if (isObject(patternProperties)) {
    for (const [pattern, schema] of entriesOf(patternProperties)) {
      if (budget.patternSteps < 0) break;
      if (patternOperand(pattern, compilation).test(key, budget)) nodes.push(compilation.compile(schema));
    }
  }
  if (nodes.length === 0 && additionalProperties !== undefined) {
    nodes.push(compilation.compile(additionalProperties));
  }
  return { named, nodes };
}
