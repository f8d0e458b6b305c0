import { defineOwn } from "../../base/util/snapshot.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { applyTags, described, isConstraint } from "./constraints.ts";
import { keyOf } from "./pattern-keys.ts";
import { leadingDocComment } from "./doc-comments.ts";
import type { BindingPattern, Host } from "./host.ts";
import { propertiesOf } from "./property-docs.ts";

type Element = BindingPattern["elements"][number];

/** Adds to the parts of `schema` what the comments in a pattern say of them: a comment right before `amount` in `{ amount }`. */
export function describeElements(
  host: Host,
  pattern: BindingPattern,
  schema: JsonSchema,
  warn: (message: string) => void,
): JsonSchema {
  return host.syntax.isArrayBindingPattern(pattern)
    ? describeItems(host, pattern, schema, warn)
    : describeMembers(host, pattern, schema, warn);
}

function describeMembers(
  host: Host,
  pattern: BindingPattern,
  schema: JsonSchema,
  warn: (message: string) => void,
): JsonSchema {
  const before = propertiesOf(schema) ?? {};
  const properties: Record<string, JsonSchema> = { ...before };
  for (const element of pattern.elements) {
    const isRest = element.dotDotDotToken !== undefined;
    const key = isRest ? undefined : keyOf(host, element.propertyName ?? element.name);
    const property = key !== undefined && Object.hasOwn(before, key) ? before[key] : undefined;
    const result = describeElement(host, element, property, warn);
    if (key !== undefined && result !== undefined) defineOwn(properties, key, result);
  }
  return propertiesOf(schema) === undefined ? schema : { ...schema, properties };
}

function describeItems(
  host: Host,
  pattern: BindingPattern,
  schema: JsonSchema,
  warn: (message: string) => void,
): JsonSchema {
  const { prefixItems } = schema;
  const items: readonly JsonSchema[] = Array.isArray(prefixItems) ? prefixItems : [];
  const described = pattern.elements.map((element, index) =>
    describeElement(host, element, element.dotDotDotToken ? undefined : items[index], warn),
  );
  if (items.length === 0) return schema;
  return { ...schema, prefixItems: items.map((item, index) => described[index] ?? item) };
}

/** @param schema - That of the value; `undefined` where it has none of its own. */
function describeElement(
  host: Host,
  element: Element,
  schema: JsonSchema | undefined,
  warn: (message: string) => void,
): JsonSchema | undefined {
  const { name } = element;
  const isPattern = name !== undefined && !host.syntax.isIdentifier(name);
  const inner = isPattern ? describeElements(host, name, schema ?? {}, warn) : (schema ?? {});
  const comment = leadingDocComment(element);
  if (schema !== undefined) {
    return comment ? applyTags(described(inner, comment.summary), comment.tags, warn) : inner;
  }
  const constraint = comment?.tags.find((tag) => isConstraint(tag.name));
  if (constraint)
    warn(`@${constraint.name} in the comment of ${element.getText()} speaks of no property of the type`);
  return undefined;
}
