import type { CheckState, Compilation, Keyword, Keywords, SchemaNode } from "../check.ts";
import { reject } from "../check.ts";
import type { JsonSchema } from "../types.ts";

/** How many levels of schemas may be entered one within another: what a stack holds with room to spare. */
const maxDepth = 1_000;

/** The schema that a reference names: always the same, or the outermost of those with one dynamic anchor. */
export type Target = (state: CheckState) => SchemaNode;

/** What the `$ref` or `$dynamicRef` of `schema` names. Throws a `ConfigurationError` (code `"invalid-schema"`). */
export function targetOf(keyword: string, schema: JsonSchema, compilation: Compilation): Target {
  const reference = schema[keyword];
  if (typeof reference !== "string") return compilation.invalid(`"${keyword}" must be a string`);
  const target = compilation.resolve(reference, schema);
  const anchor = reference.replace(/^.*#/, "");
  const { dynamicAnchors } = target.resource;
  if (keyword === "$ref" || dynamicAnchors.get(anchor) !== target.schema) return () => target;
  compilation.dynamic = true;
  return ({ scope }) => {
    const outermost = [compilation.main, ...scope].find((resource) => resource.dynamicAnchors.has(anchor));
    return compilation.compile(outermost?.dynamicAnchors.get(anchor) ?? target.schema);
  };
}

function reference(keyword: string): Keyword {
  return (_operand, schema, compilation) => {
    const target = targetOf(keyword, schema, compilation);
    const { depth } = compilation.compile(schema);
    return (value, state) => {
      if (state.depth > maxDepth) return reject(state, "is nested too deeply", undefined);
      if (--state.steps < 0) return reject(state, "takes too long to check", undefined);
      const node = target(state);
      if (!compilation.dynamic && knownToFail(node, value, state)) return false;
      state.depth += depth + 1;
      state.scope.push(node.resource);
      const fits = node.check(value, state);
      state.scope.pop();
      state.depth -= depth + 1;
      if (!fits) rememberFailure(node, value, state);
      return fits;
    };
  };
}

function knownToFail(node: SchemaNode, value: unknown, state: CheckState): boolean {
  if (state.failures === undefined || state.issues !== undefined) return false;
  return typeof value === "object" && value !== null && state.failures.get(node)?.has(value) === true;
}

function rememberFailure(node: SchemaNode, value: unknown, state: CheckState): void {
  if (typeof value !== "object" || value === null) return;
  state.failures ??= new Map();
  const failed = state.failures.get(node);
  if (failed) failed.add(value);
  else state.failures.set(node, new WeakSet([value]));
}

/** Keywords that name another schema. */
export const referenceKeywords: Keywords = { $ref: reference("$ref"), $dynamicRef: reference("$dynamicRef") };
