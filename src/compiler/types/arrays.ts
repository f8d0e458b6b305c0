import type { JsonSchema } from "../../schema/types.ts";
import type { TupleElement, Type } from "../host.ts";
import type { Conversion, Place } from "./conversion.ts";
import { writtenElement, writtenTupleElement } from "./written-type.ts";

/** An array of any length. */
export function arraySchema(conversion: Conversion, element: Type, place: Place): JsonSchema {
  const items = conversion.convert(element, {
    path: `${place.path}[]`,
    node: place.node,
    written: writtenElement(conversion.host, place.written),
  });
  return { type: "array", items };
}

/** A tuple: its elements by position, and what may follow them. */
export function tupleSchema(
  conversion: Conversion,
  elements: readonly TupleElement[],
  place: Place,
): JsonSchema {
  const schemas = elements.map((element, index) =>
    conversion.convert(element.type, {
      path: `${place.path}[${index}]`,
      node: place.node,
      written: writtenTupleElement(conversion.host, place.written, index),
    }),
  );
  const rest = elements.findIndex((element) => element.kind === "rest");
  if (rest >= 0 && rest < elements.length - 1) {
    conversion.report.problem(place.path, place.node, "a tuple with elements after its rest has no schema");
  }
  const prefix = rest < 0 ? schemas : schemas.slice(0, rest);
  return {
    type: "array",
    ...(prefix.length > 0 ? { prefixItems: prefix } : {}),
    items: rest < 0 ? false : schemas[rest],
    minItems: elements.filter((element) => element.kind === "required").length,
    ...(rest < 0 ? { maxItems: prefix.length } : {}),
  };
}
