import type { CheckState, Keyword, Keywords, SchemaNode } from "../check.ts";
import { reject } from "../check.ts";

/** How many references may be entered one within another: what a stack holds with room to spare. */
const maxDepth = 250;

const reference: Keyword = (operand, _schema, compilation) => {
  if (typeof operand !== "string") return compilation.invalid('"$ref" must be a string');
  const target = compilation.resolve(operand);
  return (value, state) => {
    if (state.depth >= maxDepth) return reject(state, "is nested too deeply", undefined);
    if (knownToFail(target, value, state)) return false;
    state.depth++;
    const fits = target.check(value, state);
    state.depth--;
    if (!fits) rememberFailure(target, value, state);
    return fits;
  };
};

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
export const referenceKeywords: Keywords = { $ref: reference };
