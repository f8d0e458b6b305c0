import type { JsonSchema } from "../../schema/types.ts";
import type { TupleElement, Type } from "../host.ts";
import { allowsUndefined, type Conversion, type Place } from "./conversion.ts";
import { nullable } from "../../schema/nullable.ts";
import { writtenElement, writtenTupleElement } from "./written-type.ts";

/** An array of any length. */
export function arraySchema(conversion: Conversion, element: Type, place: Place): JsonSchema {
  const items = elementSchema(conversion, element, {
    path: `${place.path}[]`,
    node: place.node,
    written: writtenElement(conversion.host, place.written),
  });
  return { type: "array", items };
}

/** As an element, `undefined` is written as `null`. */
function elementSchema(conversion: Conversion, element: Type, place: Place): JsonSchema {
  const schema = conversion.convert(element, place);
  const isWrittenAsNull = conversion.direction === "output" && allowsUndefined(conversion.host, element);
  return isWrittenAsNull ? nullable(schema) : schema;
}

/** A tuple: its elements by position, and what may follow them. */
export function tupleSchema(
  conversion: Conversion,
  elements: readonly TupleElement[],
  place: Place,
): JsonSchema {
  const schemas = elements.map((element, index) =>
    elementSchema(conversion, element.type, {
      path: `${place.path}[${index}]`,
      node: place.node,
      written: writtenTupleElement(conversion.host, place.written, index),
    }),
  );
  const rest = elements.findIndex((element) => element.kind === "rest");
  const prefix = rest < 0 ? schemas : schemas.slice(0, rest);
  return {
    type: "array",
    ...(prefix.length > 0 ? { prefixItems: prefix } : {}),
    items: rest < 0 ? false : restSchema(conversion, schemas.slice(rest), place),
    minItems: elements.filter((element) => element.kind === "required").length,
    ...(rest < 0 ? { maxItems: prefix.length } : {}),
  };
}

/** What may follow a tuple's beginning. JSON Schema counts from there only: an end has no places. */
function restSchema(
  { report }: Conversion,
  schemas: readonly JsonSchema[],
  place: Place,
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
