import type { Compilation, Keyword, Keywords, SchemaNode } from "../check.ts";
import { accepts, every, reject } from "../check.ts";
import { explainUnion } from "../explain-union.ts";
import { listOperand } from "./operands.ts";

function branches(operand: unknown, compilation: Compilation): SchemaNode[] {
  const schemas = listOperand(operand, compilation);
  if (schemas.length === 0) compilation.invalid("must not be empty");
  return schemas.map((schema) => compilation.compile(schema));
}

const allOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches(operand, compilation);
  return (value, state) => every(nodes, state, (node) => node.check(value, state));
};

const anyOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches(operand, compilation);
  return (value, state) => {
    // All that fit count where somebody asks what was looked at.
    const fits = (node: SchemaNode): boolean => accepts(node, value, state);
    const some = state.evaluated ? nodes.filter(fits).length > 0 : nodes.some(fits);
    return some || explainUnion(nodes, value, state, compilation);
  };
};

const oneOf: Keyword = (operand, _schema, compilation) => {
  const nodes = branches(operand, compilation);
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
  const node = compilation.compile(operand);
  return (value, state) => !accepts(node, value, state) || reject(state, "is not allowed here", value);
};

const conditional: Keyword = (operand, { then: whereMet = true, else: whereNot = true }, compilation) => {
  const condition = compilation.compile(operand);
  const consequence = compilation.compile(whereMet);
  const alternative = compilation.compile(whereNot);
  return (value, state) => (accepts(condition, value, state) ? consequence : alternative).check(value, state);
};

/** Keywords that combine schemas. */
export const combinationKeywords: Keywords = { allOf, anyOf, oneOf, not, if: conditional };
