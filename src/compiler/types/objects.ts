import type { JsonSchema } from "../../schema/types.ts";
import { applyTags, described } from "../constraints.ts";
import { leadingDocComment } from "../doc-comments.ts";
import type { Node, Type, TypeProperty } from "../host.ts";
import { allowsUndefined, has, type Conversion, type Place } from "./conversion.ts";
import { annotationOf, writtenValue } from "./written-type.ts";

/** An object type: its properties, closed unless it has an index signature. */
export function objectSchema(conversion: Conversion, type: Type, place: Place): JsonSchema {
  const { host } = conversion;
  const properties = host.properties(type).filter((property) => isVisible(conversion, property, place));
  const entries = properties.map((property) => [property.name, propertySchema(conversion, property, place)]);
  const required = properties
    .filter((property) => !property.optional && !allowsUndefined(host, property.type))
    .map((property) => property.name);
  const open = openness(conversion, type, place);
  if (entries.length === 0 && isEmptyType(conversion, type, open)) return {};
  const isRecord = entries.length === 0 && open["additionalProperties"] !== false;
  return {
    ...described({ type: "object" }, typeDescription(conversion, type)),
    ...(isRecord ? {} : { properties: Object.fromEntries(entries) }),
    ...(required.length > 0 ? { required } : {}),
    ...open,
  };
}

/** Whether `type` is `{}`, which takes any value. */
function isEmptyType({ host }: Conversion, type: Type, open: JsonSchema): boolean {
  const symbol = type.getSymbol();
  return open["additionalProperties"] === false && (symbol === undefined || host.isAnonymous(symbol));
}

/** Symbols as keys do not exist in JSON; hidden members cannot be set from outside. */
function isVisible({ host, report }: Conversion, property: TypeProperty, place: Place): boolean {
  if (property.name.startsWith("__@") || property.name.startsWith("__#")) {
    report.problem(place.path, place.node, "a property whose key is a symbol or private has no schema");
    return false;
  }
  return property.optional ? !has(property.type, host.flags.Never | host.flags.Undefined) : true;
}

function propertySchema(conversion: Conversion, property: TypeProperty, place: Place): JsonSchema {
  const { host, report } = conversion;
  const declaration = host.isFromLibrary(property.symbol) ? undefined : host.declarationOf(property.symbol);
  const path = `${place.path}.${property.name}`;
  const node = declaration ?? place.node;
  const written = annotationOf(host, declaration);
  const schema = conversion.convert(property.type, { path, node, written });
  const doc = declaration === undefined ? undefined : leadingDocComment(declaration);
  if (doc === undefined) return schema;
  return applyTags(described(schema, doc.summary), doc.tags, (message) =>
    report.warning(path, node, message),
  );
}

/** What a named type's own doc comment says of it. */
function typeDescription({ host }: Conversion, type: Type): string {
  const named = [type.getAliasSymbol(), type.getSymbol()].flatMap((symbol) => {
    if (symbol === undefined || host.isFromLibrary(symbol) || host.isAnonymous(symbol)) return [];
    return host.declarationsOf(symbol);
  });
  return named.map((node: Node) => leadingDocComment(node)?.summary ?? "").find((text) => text !== "") ?? "";
}

/** What other properties there may be. */
function openness(conversion: Conversion, type: Type, place: Place): JsonSchema {
  const { host, report } = conversion;
  const signatures = host.indexSignatures(type);
  if (signatures.length === 0) return { additionalProperties: false };
  const textual = signatures.find(({ key }) => has(key, host.flags.String));
  if (signatures.length > 1 || textual === undefined) {
    report.problem(place.path, place.node, "an index signature whose key is not a string has no schema");
    return {};
  }
  const value = conversion.convert(textual.value, {
    path: `${place.path}[*]`,
    node: place.node,
    written: writtenValue(host, place.written),
  });
  return { additionalProperties: value };
}
