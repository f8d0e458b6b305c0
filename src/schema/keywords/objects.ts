import { nearest } from "../../util/nearest.ts";
import type { CheckState, Keyword, Keywords } from "../check.ts";
import { accepts, checkAt, explain, reject } from "../check.ts";
import { isObject } from "../json-value.ts";
import type { JsonSchema } from "../types.ts";
import { alternatives, wanted } from "../words.ts";
import { count, countOperand, listOperand, membersOperand, patternOperand } from "./operands.ts";

/** Whether `key` is there; what is `undefined` is not, since JSON cannot say it. */
function has(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

const required: Keyword = (operand, schema, compilation) => {
  const keys = listOperand("required", operand, compilation).map((key) =>
    typeof key === "string" ? key : compilation.invalid('"required" must list strings'),
  );
  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const key of keys) {
      if (has(value, key)) continue;
      if (state.issues === undefined) return false;
      fits = rejectMissing(key, schema, state);
    }
    return fits;
  };
};

function rejectMissing(key: string, schema: JsonSchema, state: CheckState): false {
  const { properties } = schema;
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  state.path.push(key);
  reject(state, "is required", undefined, isObject(property) ? wanted(property) : undefined);
  state.path.pop();
  return false;
}

const properties: Keyword = (operand, _schema, compilation) => {
  const nodes = membersOperand("properties", operand, compilation).map(
    ([key, schema]) => [key, compilation.compile(schema, "properties", key)] as const,
  );
  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const [key, node] of nodes) {
      if (!has(value, key) || checkAt(node, key, value[key], state)) continue;
      if (state.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
};

const patternProperties: Keyword = (operand, _schema, compilation) => {
  const nodes = membersOperand("patternProperties", operand, compilation).map(
    ([pattern, schema]) =>
      [
        patternOperand("patternProperties", pattern, compilation),
        compilation.compile(schema, "patternProperties", pattern),
      ] as const,
  );
  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const key of Object.keys(value)) {
      for (const [pattern, node] of nodes) {
        if (!pattern.test(key) || !has(value, key) || checkAt(node, key, value[key], state)) continue;
        if (state.issues === undefined) return false;
        fits = false;
      }
    }
    return fits;
  };
};

const additionalProperties: Keyword = (operand, schema, compilation) => {
  if (operand === true) return undefined;
  const { properties, patternProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const known = new Set(names);
  const patterns = (isObject(patternProperties) ? Object.keys(patternProperties) : []).map((pattern) =>
    patternOperand("patternProperties", pattern, compilation),
  );
  const node = operand === false ? undefined : compilation.compile(operand, "additionalProperties");
  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const key of Object.keys(value)) {
      if (known.has(key) || !has(value, key) || patterns.some((pattern) => pattern.test(key))) continue;
      if (node !== undefined && checkAt(node, key, value[key], state)) continue;
      if (state.issues === undefined) return false;
      if (node === undefined) rejectUnknown(key, names, value[key], state);
      fits = false;
    }
    return fits;
  };
};

function rejectUnknown(key: string, names: readonly string[], value: unknown, state: CheckState): void {
  const quote = (name: string): string => JSON.stringify(name);
  const [near] = nearest(key, names, 1);
  const hint = near === undefined ? "" : `; did you mean ${quote(near)}?`;
  const allowed = names.length === 0 ? "no property" : alternatives(names.map(quote));
  state.path.push(key);
  reject(state, `is not a known property${hint || ";"} allowed: ${allowed}`, value, allowed);
  state.path.pop();
}

const propertyNames: Keyword = (operand, _schema, compilation) => {
  const node = compilation.compile(operand, "propertyNames");
  return (value, state) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const key of Object.keys(value)) {
      if (accepts(node, key, state)) continue;
      if (state.issues === undefined) return false;
      const problems = explain(node, key, state).map((issue) => issue.message);
      state.path.push(key);
      fits = reject(state, `has a name that does not fit: ${problems.join("; ")}`, key);
      state.path.pop();
    }
    return fits;
  };
};

const minProperties: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("minProperties", operand, compilation);
  const expected = `at least ${count(limit, "property", "properties")}`;
  return (value, state) => {
    if (!isObject(value)) return true;
    const size = Object.keys(value).length;
    return size >= limit || reject(state, `expected ${expected}, received ${size}`, value, expected);
  };
};

const maxProperties: Keyword = (operand, _schema, compilation) => {
  const limit = countOperand("maxProperties", operand, compilation);
  const expected = `at most ${count(limit, "property", "properties")}`;
  return (value, state) => {
    if (!isObject(value)) return true;
    const size = Object.keys(value).length;
    return size <= limit || reject(state, `expected ${expected}, received ${size}`, value, expected);
  };
};

/** Keywords about objects. */
export const objectKeywords: Keywords = {
  required,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  minProperties,
  maxProperties,
};
