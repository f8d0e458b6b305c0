import type { CheckState, Compilation, Keyword, Keywords, SchemaNode } from "../check.ts";
import { rejectCostly, rejectDeep } from "../check.ts";
import { textOperand } from "./operands.ts";

/** How many levels of schemas may be entered one within another: what a stack holds with room to spare. */
const maxDepth = 1_000;

/** The schema that a reference names: always the same, or the outermost of those with one dynamic anchor. */
type Target = (state: CheckState) => SchemaNode;

/** What the reference names that is being compiled. Throws a `ConfigurationError` (code `"invalid-schema"`). */
function targetOf(reference: string, compilation: Compilation): Target {
  const target = compilation.resolve(reference, compilation.node.schema);
  const anchor = reference.replace(/^.*#/, "");
  if (compilation.keyword === "$ref" || target.resource.dynamicAnchors.get(anchor) !== target.schema)
    return () => target;
  compilation.dynamic = true;
  return ({ scope }) => {
    const outermost = [compilation.main.resource, ...scope].find(({ dynamicAnchors }) =>
      dynamicAnchors.has(anchor),
    );
    return compilation.compile(outermost?.dynamicAnchors.get(anchor));
  };
}

const reference: Keyword = (operand, _schema, compilation) => {
  const target = targetOf(textOperand(operand, compilation), compilation);
  const levels = compilation.node.depth + 1;
  return (value, state) => {
    if (state.depth > maxDepth) return rejectDeep(state);
    if (--state.steps < 0) return rejectCostly(state);
    const node = target(state);
    // What fails in one dynamic scope may fit in another.
    const isKnown = !compilation.dynamic && state.failures?.get(value)?.has(node);
    if (isKnown === true && state.issues === undefined) return false;
    state.depth += levels;
    state.scope.push(node.resource);
    const fits = node.check(value, state);
    state.scope.pop();
    state.depth -= levels;
    if (fits) return true;
    state.failures ??= new Map();
    const failed = state.failures.get(value) ?? new Set();
    state.failures.set(value, failed.add(node));
    return false;
  };
};

/** Keywords that name another schema. */
export const referenceKeywords: Keywords = { $ref: reference, $dynamicRef: reference };
