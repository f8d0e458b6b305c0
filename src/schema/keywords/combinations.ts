import type { Keyword, Keywords, SchemaNode } from "../check.ts";
import { accepts, reject } from "../check.ts";
import { explainUnion } from "../explain-union.ts";
import type { Compilation } from "../check.ts";
import { listOperand } from "./operands.ts";

function branches(keyword: string, operand: unknown, compilation: Compilation): SchemaNode[] {
  const schemas = listOperand(keyword, operand, compilation);
  if (schemas.length === 0) compilation.invalid(`"${keyword}" must not be empty`);
  return schemas.map((schema, index) => compilation.compile(schema, keyword, index));
}

const allOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches("allOf", operand, compilation);
  return (value, state) => {
    let fits = true;
    for (const node of nodes) {
      if (node.check(value, state)) continue;
      if (state.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
};

const anyOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches("anyOf", operand, compilation);
  return (value, state) =>
    nodes.some((node) => accepts(node, value, state)) || explainUnion(nodes, value, state, compilation);
};

const oneOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches("oneOf", operand, compilation);
  return (value, state) => {
    let fitting = 0;
    for (const node of nodes) {
      if (accepts(node, value, state) && ++fitting > 1) {
        return reject(state, "fits more than one of the alternatives; exactly one is wanted", value);
      }
    }
    return fitting === 1 || explainUnion(nodes, value, state, compilation);
  };
};

const not: Keyword = (operand, _schema, compilation) => {
  const node = compilation.compile(operand, "not");
  return (value, state) => !accepts(node, value, state) || reject(state, "is not allowed here", value);
};

/** Keywords that combine schemas. */
export const combinationKeywords: Keywords = { allOf, anyOf, oneOf, not };
