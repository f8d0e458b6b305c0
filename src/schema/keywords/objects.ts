import { closest } from "../../base/util/closest.ts";
import type { CheckState, Compilation, Keyword, Keywords, SchemaNode } from "../check.ts";
import { accepts, checkAt, every, explain, isVerdictEnough, rejectAt, rejectLong } from "../check.ts";
import type { Pattern } from "../patterns/types.ts";
import type { JsonSchema } from "../types.ts";
import { alternatives, wanted } from "../words.ts";
import { membersOperand, namesOperand, patternOperand } from "./operands.ts";
import { isObject } from "../../base/util/json.ts";

const quote = (name: string): string => JSON.stringify(name);

/** Whether `key` is there; what is `undefined` is not, since JSON cannot say it. */
function has(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

/** Says that `key` is missing, and what its schema wants there. Always `false`. */
function rejectMissing(key: string, { properties }: JsonSchema, state: CheckState, why = ""): false {
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const expected = isObject(property) ? wanted(property) : undefined;
  return rejectAt(key, state, `is required${why}`, undefined, expected);
}

/** What must hold where a property is there: other properties (a list) or a schema. */
const dependent: Keyword = (operand, schema, compilation) => {
  const rules = membersOperand(operand, compilation).map(([key, rule]) =>
    Array.isArray(rule)
      ? { key, keys: namesOperand(rule, compilation), node: undefined }
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

/** Schemas by patterns of names, each with its regular expression. */
const patternsOf = (
  operand: unknown,
  compilation: Compilation,
): readonly { readonly pattern: Pattern; readonly node: SchemaNode }[] =>
  membersOperand(operand, compilation).map(([pattern, part]) => ({
    pattern: patternOperand(pattern, compilation),
    node: compilation.compile(part),
  }));

const nodesOf = (operand: unknown, compilation: Compilation): readonly (readonly [string, SchemaNode])[] =>
  membersOperand(operand, compilation).map(([key, part]) => [key, compilation.compile(part)]);

/** The keywords about members are checked in one go, where the first of them stands. */
const memberKeywords = ["properties", "required", "patternProperties", "additionalProperties"];

const members =
  (keyword: string): Keyword =>
  (_operand, schema, compilation) => {
    const present = memberKeywords.filter((name) => Object.hasOwn(schema, name));
    if (present[0] !== keyword) return undefined;
    function read<T>(name: string, reader: (operand: unknown, compilation: Compilation) => T): T | undefined {
      compilation.keyword = name;
      return present.includes(name) ? reader(schema[name], compilation) : undefined;
    }
    const nodes = new Map(read("properties", nodesOf));
    const inWords = knownNames(nodes);
    const required = new Set(read("required", namesOperand));
    const patterns = read("patternProperties", patternsOf) ?? [];
    const rest = read("additionalProperties", (part) => compilation.compile(part));
    const named = [...new Set([...nodes.keys(), ...required])].map((key, index) => ({
      key,
      index,
      node: nodes.get(key),
      isRequired: required.has(key),
    }));

    const checkOther = (key: string, value: unknown, state: CheckState): boolean => {
      const matching = patterns.filter(({ pattern }) => state.patternSteps >= 0 && pattern.test(key, state));
      if (state.patternSteps < 0) return rejectLong(state);
      if (matching.length > 0) return every(matching, state, ({ node }) => checkAt(node, key, value, state));
      if (!rest || nodes.has(key)) return true;
      if (rest.schema !== false || !state.issues) return checkAt(rest, key, value, state);
      return rejectUnknown(key, inWords(), value, state);
    };
    const byName = new Map(named.map((entry) => [entry.key, entry]));
    /** The verdict alone, from one walk over what is there. */
    const accept = (value: Readonly<Record<string, unknown>>, state: CheckState): boolean => {
      let missing = required.size;
      let next = 0;
      for (const key in value) {
        const member = value[key];
        if (member === undefined || !Object.hasOwn(value, key)) continue;
        // Most objects have their members in the schema's order.
        const expected = named[next];
        const entry = expected?.key === key ? expected : byName.get(key);
        if (entry) next = entry.index + 1;
        if (entry?.isRequired) missing--;
        const node = entry?.node ?? rest;
        if (node && !node.check(member, state)) return false;
      }
      return missing === 0;
    };
    /** With all that is wrong, or with patterns of names, or for those who ask what was looked at. */
    const examine = (value: Readonly<Record<string, unknown>>, state: CheckState): boolean => {
      let fits = true;
      let presentCount = 0;
      for (const { key, node, isRequired } of named) {
        const member = value[key];
        const isThere = member !== undefined && Object.hasOwn(value, key);
        if (isThere && node) presentCount++;
        if (isThere ? !node || checkAt(node, key, member, state) : !isRequired) continue;
        if (isVerdictEnough(state)) return false;
        fits = isThere ? false : rejectMissing(key, schema, state);
      }
      if (patterns.length === 0 && (!rest || (rest.schema === true && !state.evaluated))) return fits;
      const keys = Object.keys(value);
      // Nothing beside what is named: the usual case.
      if (patterns.length === 0 && keys.length === presentCount) return fits;
      const check = (key: string): boolean => value[key] === undefined || checkOther(key, value[key], state);
      return every(keys, state, check) && fits;
    };
    const hasPatterns = patterns.length > 0;
    return (value, state) => {
      if (!isObject(value)) return true;
      const isVerdict = state.issues === undefined && state.evaluated === undefined && !hasPatterns;
      return (isVerdict ? accept : examine)(value, state);
    };
  };

/** The names that a schema has, and all of them in words. */
interface KnownNames {
  readonly names: readonly string[];
  readonly allowed: string;
}

/** Many names may be unknown: what the errors say of the known ones is made once. */
function knownNames(nodes: ReadonlyMap<string, unknown>): () => KnownNames {
  let inWords: KnownNames | undefined;
  const read = (all: readonly string[]): KnownNames => ({
    names: all,
    allowed: all.length === 0 ? "no property" : alternatives(all.map(quote)),
  });
  return () => (inWords ??= read([...nodes.keys()]));
}

function rejectUnknown(
  key: string,
  { names, allowed }: KnownNames,
  value: unknown,
  state: CheckState,
): false {
  const [near] = state.hints-- > 0 ? closest(key, names, 1) : [];
  const hint = near === undefined ? ";" : `; did you mean ${quote(near)}?`;
  return rejectAt(key, state, `is not a known property${hint} allowed: ${allowed}`, value, allowed);
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
  ...Object.fromEntries(memberKeywords.map((keyword) => [keyword, members(keyword)])),
  dependentRequired: dependent,
  dependentSchemas: dependent,
  // What both were until draft 7.
  dependencies: dependent,
  propertyNames,
};
