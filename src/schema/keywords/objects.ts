import { nearest } from "../../util/nearest.ts";
import type { CheckState, Keyword, Keywords } from "../check.ts";
import { accepts, checkAt, every, explain, rejectAt } from "../check.ts";
import { isObject } from "../json-value.ts";
import type { JsonSchema } from "../types.ts";
import { alternatives, wanted } from "../words.ts";
import { membersOperand, namesOperand, patternOperand } from "./operands.ts";

const quote = (name: string): string => JSON.stringify(name);

/** Whether `key` is there; what is `undefined` is not, since JSON cannot say it. */
function has(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

/** Says that `key` is missing, and what its schema wants there. Always `false`. */
function rejectMissing(key: string, { properties }: JsonSchema, state: CheckState, why = ""): false {
  if (state.issues === undefined) return false;
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const expected = isObject(property) ? wanted(property) : undefined;
  return rejectAt(key, state, `is required${why}`, undefined, expected);
}

/** What must hold where a property is there: other properties (a list) or a schema. */
function dependent(keyword: string): Keyword {
  return (operand, schema, compilation) => {
    const rules = membersOperand(keyword, operand, compilation).map(([key, rule]) =>
      Array.isArray(rule)
        ? { key, keys: namesOperand(keyword, rule, compilation), node: undefined }
        : { key, keys: [], node: compilation.compile(rule) },
    );
    return (value, state) =>
      !isObject(value) ||
      every(rules, state, ({ key, keys, node }) => {
        if (!has(value, key)) return true;
        const lacks = keys.filter((other) => !has(value, other));
        for (const other of lacks) rejectMissing(other, schema, state, ` beside ${quote(key)}`);
        return lacks.length === 0 && (!node || node.check(value, state));
      });
  };
}

/** The keywords about members, which are checked in one go. */
const memberKeywords = ["properties", "required", "patternProperties", "additionalProperties"] as const;

const members: Keyword = (_operand, schema, compilation) => {
  const { knows } = compilation.compile(schema).resource;
  const [properties = {}, required = [], patternProperties = {}, additionalProperties = true] =
    memberKeywords.map((keyword) => (knows(keyword, schema) ? schema[keyword] : undefined));
  const keys = new Set(namesOperand("required", required, compilation));
  const nodes = new Map(
    membersOperand("properties", properties, compilation).map(([key, part]) => [
      key,
      compilation.compile(part),
    ]),
  );
  const named = [...new Set([...nodes.keys(), ...keys])].map((key) => ({
    key,
    node: nodes.get(key),
    isRequired: keys.has(key),
  }));
  const patterns = membersOperand("patternProperties", patternProperties, compilation).map(
    ([pattern, part]) => ({
      pattern: patternOperand("patternProperties", pattern, compilation),
      node: compilation.compile(part),
    }),
  );
  const rest = compilation.compile(additionalProperties);
  const isOpen = patterns.length === 0 && rest.schema === true;

  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    let known = 0;
    for (const { key, node, isRequired } of named) {
      const member = value[key];
      const isThere = member !== undefined && Object.hasOwn(value, key);
      if (isThere && node) known++;
      if (isThere ? !node || checkAt(node, key, member, state) : !isRequired) continue;
      if (state.issues === undefined) return false;
      fits = isThere ? false : rejectMissing(key, schema, state);
    }
    if (isOpen) return fits;
    const present = Object.keys(value);
    if (patterns.length === 0 && present.length === known) return fits;
    return (
      every(present, state, (key) => {
        const member = value[key];
        if (member === undefined) return true;
        const matching = patterns.filter(({ pattern }) => pattern.test(key));
        if (matching.length > 0)
          return every(matching, state, ({ node }) => checkAt(node, key, member, state));
        if (nodes.has(key)) return true;
        if (rest.schema !== false) return checkAt(rest, key, member, state);
        return state.issues !== undefined && rejectUnknown(key, [...nodes.keys()], member, state);
      }) && fits
    );
  };
};

function rejectUnknown(key: string, names: readonly string[], value: unknown, state: CheckState): false {
  const [near] = nearest(key, names, 1);
  const hint = near === undefined ? ";" : `; did you mean ${quote(near)}?`;
  const allowed = names.length === 0 ? "no property" : alternatives(names.map(quote));
  return rejectAt(key, state, `is not a known property${hint} allowed: ${allowed}`, value, allowed);
}

/** Checks all keywords about members where the first of them stands. */
function member(keyword: (typeof memberKeywords)[number]): Keyword {
  return (operand, schema, compilation) => {
    const { knows } = compilation.compile(schema).resource;
    const first = memberKeywords.find((name) => Object.hasOwn(schema, name) && knows(name, schema));
    return keyword === first ? members(operand, schema, compilation) : undefined;
  };
}

const propertyNames: Keyword = (operand, _schema, compilation) => {
  const node = compilation.compile(operand);
  return (value, state) =>
    !isObject(value) ||
    every(Object.keys(value), state, (key) => {
      if (accepts(node, key, state)) return true;
      if (state.issues === undefined) return false;
      const problems = explain(node, key, state).map((issue) => issue.message);
      return rejectAt(key, state, `has a name that does not fit: ${problems.join("; ")}`, key);
    });
};

/** Keywords about objects. */
export const objectKeywords: Keywords = {
  ...Object.fromEntries(memberKeywords.map((keyword) => [keyword, member(keyword)])),
  dependentRequired: dependent("dependentRequired"),
  dependentSchemas: dependent("dependentSchemas"),
  // What both were until draft 7.
  dependencies: dependent("dependencies"),
  propertyNames,
};
