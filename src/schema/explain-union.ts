import type { CheckState, Compilation, SchemaNode } from "./check.ts";
import { accepts, explain, quietly, reject, rejectAt, rejectOther } from "./check.ts";
import type { Issue, JsonSchema } from "./types.ts";
import { alternatives, kindOf, preview, wanted } from "./words.ts";
import { isObject } from "../base/util/json.ts";

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
  const branches = nodes.map((node) => ({ node, target: dereference(node, compilation) }));
  const likely = branches.filter(({ target }) => quietly(target.takes, value, state));
  if (likely.length === 0) return rejectAll(branches, value, state);

  const tag = isObject(value) ? findTag(likely.map(({ target }) => target.schema)) : undefined;
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
  return rejectAt(tag.key, state, message, tagValue, expected);
}

interface Branch {
  readonly node: SchemaNode;
  /** What its references lead to. */
  readonly target: SchemaNode;
}

/** No branch takes a value of this kind. */
function rejectAll(branches: readonly Branch[], value: unknown, state: CheckState): false {
  const words = branches.flatMap(({ target }) => wanted(target.schema) ?? []);
  if (words.length === 0) return reject(state, "fits none of the alternatives", value);
  const expected = alternatives(words);
  const received = typeof value === "object" ? kindOf(value) : preview(value);
  return rejectOther(state, expected, value, received);
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

/** The node that a chain of references leads to. */
function dereference(node: SchemaNode, compilation: Compilation): SchemaNode {
  let target = node;
  for (let hops = 0; hops < 20 && typeof target.schema !== "boolean"; hops++) {
    const { $ref } = target.schema;
    if (typeof $ref !== "string") break;
    target = compilation.resolve($ref, target.schema);
  }
  return target;
}

/** A property to which every branch gives fixed values, with each branch's schema of it. */
function findTag(
  schemas: readonly (JsonSchema | boolean)[],
): { key: string; schemas: JsonSchema[] } | undefined {
  const tables = schemas.map((schema) => (typeof schema === "boolean" ? undefined : schema["properties"]));
  const [first] = tables;
  if (!isObject(first) || tables.length < 2) return undefined;
  for (const key of Object.keys(first)) {
    const candidates = tables.flatMap((table) => {
      const property = isObject(table) && Object.hasOwn(table, key) ? table[key] : undefined;
      return isObject(property) && (Object.hasOwn(property, "const") || Object.hasOwn(property, "enum"))
        ? [property]
        : [];
    });
    if (candidates.length === tables.length) return { key, schemas: candidates };
  }
  return undefined;
}
