import type { JsonSchema } from "../../../schema/types.ts";
import type { Type, TypeNode } from "../host.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";
import { marked } from "./revival.ts";
import { writtenArgument } from "./written-type.ts";

/**
 * The schema of a class of JavaScript: of a primitive's wrapper, as which TypeScript takes the primitive itself, or one
 * that is made before the call; `undefined` for all other types.
 */
export function librarySchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema | undefined {
  const { host } = conversion;
  const symbol = has(type, host.flags.Object) ? type.getSymbol() : undefined;
  if (symbol === undefined || !host.isFromLibrary(symbol)) return undefined;
  switch (symbol.name) {
    case "String":
    case "Number":
    case "Boolean":
      return { type: symbol.name.toLowerCase() };
    case "Date":
      return marked("date", { type: "string", format: "date-time" });
    case "URL":
      return marked("url", { type: "string", format: "uri" });
    case "Uint8Array":
      return marked("base64", { type: "string", contentEncoding: "base64" });
    case "Set":
    case "ReadonlySet":
      return setSchema(conversion, type, place);
    case "ArrayLike":
    case "Iterable":
      return conversion.direction === "input" ? listSchema(conversion, type, place) : undefined;
    case "Map":
    case "ReadonlyMap":
      return mapSchema(conversion, type, place);
    default:
      return undefined;
  }
}

/** What only counts or only walks through elements takes an array. */
function listSchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const items = argumentSchema(conversion, type, 0, { ...place, path: `${place.path}[]` });
  return { type: "array", items };
}

function setSchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const items = argumentSchema(conversion, type, 0, { ...place, path: `${place.path}[]` });
  return marked("set", { type: "array", items, uniqueItems: true });
}

/** An object if the keys are text, else an array of pairs. */
function mapSchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const key = argumentSchema(conversion, type, 0, { ...place, path: `${place.path}{key}` });
  const value = argumentSchema(conversion, type, 1, { ...place, path: `${place.path}[*]` });
  if (key["type"] !== "string") {
    const pair = { type: "array", prefixItems: [key, value], items: false, minItems: 2, maxItems: 2 };
    return marked("map", { type: "array", items: pair });
  }
  const isAnyText = Object.keys(key).length === 1;
  return marked("map", {
    type: "object",
    ...(isAnyText ? {} : { propertyNames: key }),
    additionalProperties: value,
  });
}

function argumentSchema(conversion: Conversion, type: Type, index: number, place: TypePlace): JsonSchema {
  const argument = conversion.host.typeArguments(type)[index];
  const typeNode: TypeNode | undefined = writtenArgument(conversion.host, place.typeNode, index);
  return argument === undefined ? {} : conversion.convert(argument, { ...place, typeNode });
}
