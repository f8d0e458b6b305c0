import type { Keyword, Keywords } from "../check.ts";
import { checkAt, reject } from "../check.ts";
import { canonicalText } from "../json-value.ts";
import { count, countOperand, listOperand } from "./operands.ts";

const prefixItems: Keyword = (operand, _schema, compilation) => {
  const nodes = listOperand("prefixItems", operand, compilation).map((schema, index) =>
    compilation.compile(schema, "prefixItems", index),
  );
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    let fits = true;
    for (let index = 0; index < nodes.length && index < value.length; index++) {
      const node = nodes[index];
      if (node === undefined || checkAt(node, index, value[index], state)) continue;
      if (state.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
};

const items: Keyword = (operand, schema, compilation) => {
  // Until draft 2019-09 a list of schemas stood here, which is called `prefixItems` now.
  if (Array.isArray(operand)) return prefixItems(operand, schema, compilation);
  const node = compilation.compile(operand, "items");
  const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    let fits = true;
    for (let index = first; index < value.length; index++) {
      if (checkAt(node, index, value[index], state)) continue;
      if (state.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
};

const minItems: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("minItems", operand, compilation);
  const expected = `at least ${count(limit, "item")}`;
  return (value, state) =>
    !Array.isArray(value) ||
    value.length >= limit ||
    reject(state, `expected ${expected}, received ${value.length}`, value, expected);
};

const maxItems: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("maxItems", operand, compilation);
  const expected = `at most ${count(limit, "item")}`;
  return (value, state) =>
    !Array.isArray(value) ||
    value.length <= limit ||
    reject(state, `expected ${expected}, received ${value.length}`, value, expected);
};

const uniqueItems: Keyword = (operand) => {
  if (operand !== true) return undefined;
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    const seen = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonicalText(item);
      if (text === undefined) continue;
      const earlier = seen.get(text);
      if (earlier !== undefined) {
        return reject(state, `expected different items; items ${earlier} and ${index} are the same`, value);
      }
      seen.set(text, index);
    }
    return true;
  };
};

/** Keywords about arrays. */
export const arrayKeywords: Keywords = {
  prefixItems,
  items,
  minItems,
  maxItems,
  uniqueItems,
};
