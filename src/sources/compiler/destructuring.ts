import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { staticValue } from "./defaults.ts";
import type { DocComment } from "./doc-comments.ts";
import type { BindingPattern, Host } from "./host.ts";
import { keyOf } from "./pattern-keys.ts";
import { describeElements } from "./pattern-docs.ts";
import { describeProperties, propertiesOf } from "./property-docs.ts";
import type { Parameter } from "./signatures.ts";
import type { Conversion } from "./types/conversion.ts";

/** The properties of a destructured sole parameter, flattened into the tool's input. */
export function destructuredProperties(
  conversion: Conversion,
  { node, type, typeNode, declaration }: Parameter,
  pattern: BindingPattern,
  doc: DocComment,
): { properties: JsonSchema; required: readonly string[]; additionalProperties: unknown } {
  const { host, report } = conversion;
  const initializer = declaration?.initializer;
  const converted = conversion.convert(type, { path: "", node, typeNode });
  const ofType = referred(conversion, converted);
  if (propertiesOf(ofType) === undefined) {
    if (report.problems.length === 0) {
      report.problem(pattern.getText(), node, "only a parameter of one object type can be destructured");
    }
    return { properties: {}, required: [], additionalProperties: false };
  }
  const warn = (message: string): void => report.warning(pattern.getText(), node, message);
  const schema = describeElements(host, pattern, ofType, warn);
  // The parameter has no name: entries may name the property alone, or after any name for the whole.
  const named = byKeys(host, pattern, doc);
  const wholes = new Set(
    [...named.parameters.keys()].flatMap((name) => name.split(".").slice(0, -1)[0] ?? []),
  );
  const documented = ["", ...[...wholes].map((whole) => `${whole}.`)].reduce(
    (result, prefix) => describeProperties(result, prefix, named, warn),
    schema,
  );
  const described = withDefaults(host, pattern, documented);
  if (initializer && !isEmptyObject(staticValue(host, initializer))) {
    warn('its default as a whole is not used: write those of its properties, as in { city = "Rome" }');
  }
  return {
    properties: propertiesOf(described) ?? {},
    required: requiredOf(described),
    additionalProperties: described["additionalProperties"],
  };
}

function isEmptyObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** A comment with the entries for variables of a pattern, such as `x` of `{ a: x }`, under the names of the properties. */
function byKeys(host: Host, pattern: BindingPattern, doc: DocComment): DocComment {
  const keys = new Map(
    pattern.elements.flatMap(({ name, propertyName }) => {
      const key = propertyName && keyOf(host, propertyName);
      return key !== undefined && name !== undefined && host.syntax.isIdentifier(name)
        ? [[name.text, key] as const]
        : [];
    }),
  );
  const own = new Set(pattern.elements.map(({ name, propertyName }) => keyOf(host, propertyName ?? name)));
  const entries = [...doc.parameters].map(([path, entry]) => {
    const [root = ""] = /^[^.[]*/.exec(path) ?? [];
    const key = own.has(root) ? undefined : keys.get(root);
    return [key === undefined ? path : key + path.slice(root.length), entry] as const;
  });
  return { ...doc, parameters: new Map(entries) };
}

/** A recursive type stands in the definitions, and its name where it is used. */
function referred({ definitions }: Conversion, schema: JsonSchema): JsonSchema {
  const { $ref: reference } = schema;
  const name = typeof reference === "string" ? reference.slice("#/$defs/".length) : "";
  return definitions.get(name) ?? schema;
}

/** Adds the defaults that a pattern gives; a property with a default need not be given. */
export function withDefaults(host: Host, pattern: BindingPattern, schema: JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...propertiesOf(schema) };
  let required = requiredOf(schema);
  if (propertiesOf(schema) === undefined) return schema;
  for (const element of pattern.elements) {
    const key = keyOf(host, element.propertyName ?? element.name);
    const property = key !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (key === undefined || property === undefined || element.dotDotDotToken !== undefined) continue;
    const { name, initializer } = element;
    const isNested = name !== undefined && host.syntax.isObjectBindingPattern(name);
    const inner = isNested ? withDefaults(host, name, property) : property;
    const value = initializer && staticValue(host, initializer);
    defineOwn(properties, key, value === undefined ? inner : { ...inner, default: value });
    if (initializer !== undefined) required = required.filter((name) => name !== key);
  }
  const { required: _all, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) };
}

function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
