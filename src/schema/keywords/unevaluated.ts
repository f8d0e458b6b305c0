import type { CheckState, Compilation, Keyword, Keywords, SchemaNode } from "../check.ts";
import { accepts, checkAt, every } from "../check.ts";
import { isObject } from "../json-value.ts";
import type { JsonSchema } from "../types.ts";
import { patternOperand } from "./operands.ts";
import { targetOf } from "./references.ts";

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * What remains of a value once all that its schema looks at is taken away. It is found by a walk of its own, so that schemas
 * without these keywords pay nothing; the value has passed all other keywords by then.
 */
function unevaluated(concerns: (value: unknown) => value is Container): Keyword {
  return (operand, _schema, compilation) => {
    const node = compilation.compile(operand);
    const own = compilation.node;
    return (value, state) => {
      if (!concerns(value)) return true;
      const left = new Map<string | number, unknown>(
        Array.isArray(value) ? value.entries() : Object.entries(value),
      );
      strike(own, value, { left, own, state, compilation });
      return every(left, state, ([key, member]) => member === undefined || checkAt(node, key, member, state));
    };
  };
}

interface Walk {
  /** The members that no schema has looked at so far. */
  readonly left: Map<string | number, unknown>;
  /** Where the walk began: its own keyword is the one that asks. */
  readonly own: SchemaNode;
  readonly state: CheckState;
  readonly compilation: Compilation;
}

/** Takes away what `node`, which `value` fits, and the schemas that it applies to the same value look at. */
function strike(node: SchemaNode, value: Container, walk: Walk): void {
  const { schema, resource } = node;
  const { left, own, state, compilation } = walk;
  if (typeof schema === "boolean" || left.size === 0 || --state.steps < 0) return;
  const within = (part: unknown): void => strike(compilation.compile(part), value, walk);
  const fits = (part: unknown): boolean => accepts(compilation.compile(part), value, state);
  const { allOf, anyOf, oneOf, dependentSchemas, if: condition, then: consequence = true } = schema;

  state.scope.push(resource);
  if (Array.isArray(value)) strikeItems(schema, node !== own, walk);
  else strikeProperties(schema, node !== own, walk);
  for (const keyword of ["$ref", "$dynamicRef"]) {
    if (Object.hasOwn(schema, keyword))
      within(targetOf(keyword, schema[keyword], schema, compilation)(state).schema);
  }
  list(allOf).forEach(within);
  [...list(anyOf), ...list(oneOf)].filter(fits).forEach(within);
  if (condition !== undefined) {
    (fits(condition) ? [condition, consequence] : [schema["else"] ?? true]).forEach(within);
  }
  for (const [key, part] of members(dependentSchemas)) if (Object.hasOwn(value, key)) within(part);
  state.scope.pop();
}

function strikeItems(schema: JsonSchema, isPart: boolean, { left, state, compilation }: Walk): void {
  const { prefixItems, items, additionalItems, contains } = schema;
  const first = list(Array.isArray(items) ? items : prefixItems).length;
  const others = Array.isArray(items) ? additionalItems : items;
  if (others !== undefined || (isPart && schema["unevaluatedItems"] !== undefined)) left.clear();
  for (const [index, item] of left) {
    const isFound = contains !== undefined && accepts(compilation.compile(contains), item, state);
    if (Number(index) < first || isFound) left.delete(index);
  }
}

function strikeProperties(schema: JsonSchema, isPart: boolean, { left, compilation }: Walk): void {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  if (additionalProperties !== undefined || (isPart && unevaluatedProperties !== undefined)) left.clear();
  for (const [key] of members(properties)) left.delete(key);
  for (const [pattern] of members(patternProperties)) {
    const expression = patternOperand(pattern, compilation);
    for (const key of left.keys()) if (expression.test(String(key))) left.delete(key);
  }
}

function list(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [];
}

function members(operand: unknown): [string, unknown][] {
  return isObject(operand) ? Object.entries(operand) : [];
}

/** Keywords about what the others left over. */
export const unevaluatedKeywords: Keywords = {
  unevaluatedItems: unevaluated(Array.isArray),
  unevaluatedProperties: unevaluated(isObject),
};
