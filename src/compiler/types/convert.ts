import type { JsonSchema } from "../../schema/types.ts";
import type { Report } from "../diagnostics.ts";
import type { Host, Type } from "../host.ts";
import { arraySchema, tupleSchema } from "./arrays.ts";
import { has, type Conversion, type Place } from "./conversion.ts";
import { createDefinitions } from "./definitions.ts";
import { objectSchema } from "./objects.ts";
import { brandedPrimitive, inexpressible, primitiveSchema } from "./primitives.ts";
import { literalSchema, unionSchema } from "./unions.ts";

/** Types nested deeper than this are taken to have no end. */
const deepest = 40;

/** Starts the conversion of one function's types. */
export function createConversion(host: Host, report: Report): Conversion {
  const definitions = createDefinitions(host);
  let depth = 0;

  const conversion: Conversion = {
    host,
    report,
    definitions: definitions.finished,
    convert(type, place) {
      if (depth > deepest) {
        report.problem(place.path, place.node, `the type is nested deeper than ${deepest} levels`);
        return {};
      }
      depth += 1;
      const schema = convertOne(conversion, type, place, definitions.within);
      depth -= 1;
      return schema;
    },
  };
  return conversion;
}

type Within = (type: Type, make: () => JsonSchema) => JsonSchema;

function convertOne(conversion: Conversion, type: Type, place: Place, within: Within): JsonSchema {
  const { host, report } = conversion;
  const { flags } = host;
  const problem = inexpressible(host, type, place);
  if (problem !== undefined) {
    report.problem(place.path, place.node, problem);
    return {};
  }
  const primitive = primitiveSchema(host, type);
  if (primitive !== undefined) return primitive;
  const literal = host.literalValue(type);
  if (literal !== undefined && typeof literal !== "bigint") return literalSchema([literal]);
  if (has(type, flags.Union)) {
    const isNamed = type.getAliasSymbol() !== undefined;
    const make = (): JsonSchema => unionSchema(conversion, type, place);
    return isNamed ? within(type, make) : make();
  }
  const branded = brandedPrimitive(host, type);
  if (branded !== undefined) return conversion.convert(branded, place);
  if (has(type, flags.TypeParameter | flags.IndexedAccess | flags.Conditional | flags.Index)) {
    return genericSchema(conversion, type, place);
  }
  const element = host.arrayElement(type);
  if (element !== undefined) return arraySchema(conversion, element, place);
  const elements = host.tupleElements(type);
  if (elements !== undefined) return tupleSchema(conversion, elements, place);
  return within(type, () => objectSchema(conversion, type, place));
}

/** A type that still depends on a type parameter: whatever it must extend. */
function genericSchema(conversion: Conversion, type: Type, place: Place): JsonSchema {
  const constraint = conversion.host.constraintOf(type);
  if (constraint !== undefined && constraint.id !== type.id) return conversion.convert(constraint, place);
  const text = conversion.host.typeText(type);
  conversion.report.warning(place.path, place.node, `"${text}" extends nothing, so any JSON is accepted`);
  return {};
}
