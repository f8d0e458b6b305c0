import type { Check, Keyword, Keywords, SchemaNode } from "../check.ts";
import { checkAt, every, isVerdictEnough, reject, rejectOther } from "../check.ts";
import { canonicalText } from "../json-value.ts";
import { wanted } from "../words.ts";
import { count, countOperand, listOperand } from "./operands.ts";

/** Checks each item from `first` on by `node`. */
function rest(node: SchemaNode, first: number): Check {
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    let fits = true;
    for (let index = first; index < value.length; index++) {
      if (checkAt(node, index, value[index], state)) continue;
      if (isVerdictEnough(state)) return false;
      fits = false;
    }
    return fits;
  };
}

const prefixItems: Keyword = (operand, _schema, compilation) => {
  const nodes = listOperand(operand, compilation).map((schema) => compilation.compile(schema));
  return (value, state) =>
    !Array.isArray(value) ||
    every(nodes.slice(0, value.length).entries(), state, ([index, node]) =>
      checkAt(node, index, value[index], state),
    );
};

const items: Keyword = (operand, schema, compilation) => {
  // Until draft 2019-09 a list of schemas stood here, which is called `prefixItems` now.
  if (Array.isArray(operand)) return prefixItems(operand, schema, compilation);
  const { prefixItems: before } = schema;
  return rest(compilation.compile(operand), Array.isArray(before) ? before.length : 0);
};

/** What `items` is now, beside a list of schemas. */
const additionalItems: Keyword = (operand, { items: before }, compilation) =>
  Array.isArray(before) ? rest(compilation.compile(operand), before.length) : undefined;

const contains: Keyword = (
  operand,
  { minContains = 1, maxContains = Number.MAX_SAFE_INTEGER },
  compilation,
) => {
  const node = compilation.compile(operand);
  const least = countOperand(minContains, compilation);
  const most = countOperand(maxContains, compilation);
  const wish = wanted(node.schema);
  const like = wish === undefined ? 'fitting "contains"' : `that is ${wish}`;
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    const { issues } = state;
    state.issues = undefined;
    const matching = value.filter((item, index) => checkAt(node, index, item, state)).length;
    state.issues = issues;
    if (matching >= least && matching <= most) return true;
    const [words, limit] = matching < least ? ["least", least] : ["most", most];
    const expected = `at ${words} ${count(limit, "item", "items")} ${like}`;
    return rejectOther(state, expected, value, matching);
  };
};

const uniqueItems: Keyword = (operand) => {
  if (operand !== true) return undefined;
  return (value, state) => {
    if (!Array.isArray(value)) return true;
    const indexByItem = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonicalText(item);
      if (text === undefined) continue;
      const earlier = indexByItem.get(text);
      if (earlier !== undefined) {
        return reject(state, `expected different items; items ${earlier} and ${index} are the same`, value);
      }
      indexByItem.set(text, index);
    }
    return true;
  };
};

/** Keywords about arrays. */
export const arrayKeywords: Keywords = { prefixItems, items, additionalItems, contains, uniqueItems };
