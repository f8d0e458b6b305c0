import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { accepts, explain, reject } from "./check.ts";
import { isObject } from "./json-value.ts";
import type { Issue, JsonSchema } from "./types.ts";
import { alternatives, kindOf, preview, wanted } from "./words.ts";

/**
 * Says why `value` fits no branch of a union, by the branch that was most likely meant: among those that take its type, the
 * one that its tag (a property with a fixed value) names, else the one with the fewest issues. Always `false`.
 */
export function explainUnion(
  nodes: readonly SchemaNode[],
  value: unknown,
  state: CheckState,
  compilation: Compilation,
): false {
  if (state.issues === undefined) return false;
  const branches = nodes.map((node) => ({ node, schema: dereference(node.schema, compilation) }));
  const likely = branches.filter(({ schema }) => accepts(gate(schema, compilation), value, state));
  if (likely.length === 0) return rejectAll(branches, value, state);

  const tag = isObject(value) ? findTag(likely.map(({ schema }) => schema)) : undefined;
  if (tag === undefined || !isObject(value)) return rejectByFewest(likely, value, state);
  const tagValue = Object.hasOwn(value, tag.key) ? value[tag.key] : undefined;
  const named = likely.filter((_, index) => {
    const schema = tag.schemas[index];
    return schema !== undefined && accepts(compilation.compile(schema), tagValue, state);
  });
  if (named.length > 0) return rejectByFewest(named, value, state);

  const expected = alternatives(tag.schemas.map((schema) => wanted(schema) ?? ""));
  const message =
    tagValue === undefined ? "is required" : `expected ${expected}, received ${preview(tagValue)}`;
  state.path.push(tag.key);
  reject(state, message, tagValue, expected);
  state.path.pop();
  return false;
}

interface Branch {
  readonly node: SchemaNode;
  readonly schema: JsonSchema | boolean;
}

/** No branch takes a value of this kind. */
function rejectAll(branches: readonly Branch[], value: unknown, state: CheckState): false {
  const words = branches.flatMap(({ schema }) => wanted(schema) ?? []);
  if (words.length === 0) return reject(state, "fits none of the alternatives", value);
  const expected = alternatives(words);
  const received = typeof value === "object" ? kindOf(value) : preview(value);
  return reject(state, `expected ${expected}, received ${received}`, value, expected);
}

function rejectByFewest(branches: readonly Branch[], value: unknown, state: CheckState): false {
  let best: readonly Issue[] | undefined;
  for (const { node } of branches) {
    // Nested unions multiply; past the budget the verdict must do.
    if (--state.explanations < 0) break;
    const issues = explain(node, value, state);
    if (best === undefined || issues.length < best.length) best = issues;
  }
  if (best === undefined || best.length === 0) return reject(state, "fits none of the alternatives", value);
  state.issues?.push(...best);
  return false;
}

/** The schema that a chain of references leads to. */
function dereference(schema: JsonSchema | boolean, compilation: Compilation): JsonSchema | boolean {
  let target = schema;
  for (let hops = 0; hops < 20 && typeof target !== "boolean"; hops++) {
    const reference: unknown = target["$ref"];
    if (typeof reference !== "string") break;
    target = compilation.resolve(reference).schema;
  }
  return target;
}

const gates = new WeakMap<JsonSchema, SchemaNode>();

/** The part of a schema that says what kind of value it takes. */
function gate(schema: JsonSchema | boolean, compilation: Compilation): SchemaNode {
  if (typeof schema === "boolean") return compilation.compile(schema);
  const known = gates.get(schema);
  if (known) return known;
  const decisive = ["type", "enum", "const"].filter((keyword) => Object.hasOwn(schema, keyword));
  const made = compilation.compile(Object.fromEntries(decisive.map((keyword) => [keyword, schema[keyword]])));
  gates.set(schema, made);
  return made;
}

/** A property to which every branch gives fixed values, with each branch's schema of it. */
function findTag(
  schemas: readonly (JsonSchema | boolean)[],
): { key: string; schemas: JsonSchema[] } | undefined {
  const tables = schemas.map((schema) => (typeof schema === "boolean" ? undefined : schema["properties"]));
  const [first] = tables;
  if (!isObject(first) || tables.length < 2) return undefined;
  for (const key of Object.keys(first)) {
    const found = tables.flatMap((table) => {
      const property = isObject(table) && Object.hasOwn(table, key) ? table[key] : undefined;
      return isObject(property) && (Object.hasOwn(property, "const") || Object.hasOwn(property, "enum"))
        ? [property]
        : [];
    });
    if (found.length === tables.length) return { key, schemas: found };
  }
  return undefined;
}
