import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, TupleElement, Type, TypeProperty } from "../host.ts";
import { nullable } from "../../../schema/nullable.ts";
import { allowsUndefined, has, type Conversion, type TypePlace } from "./conversion.ts";
import { optionalSchema } from "./left-out.ts";
import { writtenElement, writtenTupleElement } from "./written-type.ts";

/** An array of any length; of elements that no value has, the empty one. */
export function arraySchema(conversion: Conversion, element: Type, place: TypePlace): JsonSchema {
  if (has(element, conversion.host.flags.Never)) return tupleSchema(conversion, [], place);
  const items = elementSchema(conversion, element, {
    path: `${place.path}[]`,
    node: place.node,
    typeNode: writtenElement(conversion.host, place.typeNode),
  });
  return { type: "array", items };
}

/** What an interface or a class of the program or of a package gets from `Array` or `ReadonlyArray`, if it extends one. */
const inherited: readonly string[] = ["length", "concat", "indexOf", "slice"];

/** The elements of an interface or a class (of the program or of a package) that extends an array; `undefined` for other types. */
export function extendedElement(host: Host, type: Type): Type | undefined {
  const symbol = has(type, host.flags.Object) ? type.getSymbol() : undefined;
  if (symbol === undefined || host.isAnonymous(symbol) || host.isFromLibrary(symbol)) return undefined;
  const index = host.indexSignatures(type).find(({ key }) => has(key, host.flags.Number));
  if (index === undefined) return undefined;
  const isFromArray = (property: TypeProperty): boolean =>
    inherited.includes(property.name) && property.declaration() === undefined;
  return host.properties(type).filter(isFromArray).length === inherited.length ? index.value : undefined;
}

/** An interface or a class that extends an array: JSON has its elements, and nothing else of it. */
export function extendedArraySchema(
  conversion: Conversion,
  type: Type,
  element: Type,
  place: TypePlace,
): JsonSchema {
  const { host, report, direction } = conversion;
  const own = host.properties(type).find((property) => {
    if (property.optional || property.name.startsWith("__@")) return false;
    return /^\d+$/.test(property.name) || property.declaration() !== undefined;
  });
  if (own !== undefined && direction === "input") {
    const message = "a list in JSON has no properties";
    report.problem(`${place.path}.${own.name}`, own.declaration() ?? place.node, message);
    return {};
  }
  return arraySchema(conversion, element, { ...place, typeNode: undefined });
}

/** Lists that must be all of `members` at once: what several of them state is stated once. */
export function arrayIntersectionSchema(
  conversion: Conversion,
  members: readonly Type[],
  place: TypePlace,
): JsonSchema {
  const schemas = members.map((member) => conversion.convert(member, { ...place, typeNode: undefined }));
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const needed = distinct.filter(
    (schema) => !distinct.some((other) => other !== schema && isImplied(schema, other)),
  );
  const [only, ...others] = needed;
  return only !== undefined && others.length === 0 ? only : { allOf: needed };
}

/** Whether a list of any length says nothing of its elements that a tuple does not say of each of its own. */
function isImplied(list: JsonSchema, { items, prefixItems }: JsonSchema): boolean {
  if (!Array.isArray(prefixItems) || Object.hasOwn(list, "prefixItems")) return false;
  const elements: readonly unknown[] = items === false ? prefixItems : [...prefixItems, items];
  return elements.every((element: unknown) => JSON.stringify(element) === JSON.stringify(list["items"]));
}

/** As an element, `undefined` is written as `null`. */
function elementSchema(conversion: Conversion, element: Type, place: TypePlace): JsonSchema {
  const schema = conversion.convert(element, place);
  const isWrittenAsNull = conversion.direction === "output" && allowsUndefined(conversion.host, element);
  return isWrittenAsNull ? nullable(schema) : schema;
}

/** A tuple: its elements by position, and what may follow them. */
export function tupleSchema(
  conversion: Conversion,
  elements: readonly TupleElement[],
  place: TypePlace,
): JsonSchema {
  const rest = elements.findIndex((element) => element.kind === "rest");
  const fixed = rest < 0 ? elements : elements.slice(0, rest);
  const prefix: JsonSchema[] = [];
  for (const [index, element] of fixed.entries()) {
    const schema = tupleElementSchema(conversion, element, index, place);
    if (schema === undefined) break;
    prefix.push(schema);
  }
  // Behind an element that cannot be given there is none.
  const following =
    rest < 0 || prefix.length < fixed.length
      ? []
      : elements
          .slice(rest)
          .map((element, index) => tupleElementSchema(conversion, element, rest + index, place))
          .filter((schema) => schema !== undefined);
  const minimum = elements.filter((element) => element.kind === "required").length;
  return {
    type: "array",
    ...(prefix.length > 0 ? { prefixItems: prefix } : {}),
    items: following.length === 0 ? false : restSchema(conversion, following, place),
    minItems: minimum,
    ...(following.length === 0 ? { maxItems: prefix.length } : {}),
  };
}

/** The schema of one element; `undefined` where it need not be there and JSON cannot carry it. */
function tupleElementSchema(
  conversion: Conversion,
  { type, kind }: TupleElement,
  index: number,
  place: TypePlace,
): JsonSchema | undefined {
  const { host } = conversion;
  const at: TypePlace = {
    path: `${place.path}[${index}]`,
    node: place.node,
    typeNode: writtenTupleElement(host, place.typeNode, index),
  };
  if (kind === "required" || conversion.direction === "output") return elementSchema(conversion, type, at);
  if (has(type, host.flags.Never | host.flags.Undefined)) return undefined;
  return optionalSchema(conversion, type, at, () => elementSchema(conversion, type, at));
}

/** What may follow a tuple's beginning. JSON Schema counts from there only: an end has no places. */
function restSchema(
  { report }: Conversion,
  schemas: readonly JsonSchema[],
  place: TypePlace,
): JsonSchema | undefined {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (distinct.length < 2) return distinct[0];
  report.warning(
    place.path,
    place.node,
    "the elements after a tuple's rest are taken at any place after its beginning",
  );
  return { anyOf: distinct };
}
