import type { Type, TypeProperty } from "../host.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";

/**
 * Properties in the order of the keys that they are made of: those of a mapped type, such as `Record<"b" | "a", number>`,
 * come sorted from the checker.
 */
export function inDeclaredKeyOrder(
  conversion: Conversion,
  type: Type,
  properties: readonly TypeProperty[],
  place: TypePlace,
): readonly TypeProperty[] {
  if (properties.length < 2 || properties.some((property) => property.declaration() !== undefined))
    return properties;
  const { host, order } = conversion;
  order.note(host, place.typeNode);
  const sources = type
    .getAliasTypeArguments()
    .filter((argument) => has(argument, host.flags.Object))
    .flatMap((argument) => host.properties(argument).map(({ name }) => name.toLowerCase()));
  const unknown = order.rank("");
  const rank = ({ name }: TypeProperty): number => {
    const rankOfName = order.rank(`string ${name}`);
    if (rankOfName < unknown) return rankOfName;
    // Keys that are made of others, such as `newVolume` of `volume`, have the order of those.
    const source = sources.findIndex((key) => name.toLowerCase().includes(key));
    return unknown + (source < 0 ? sources.length : source);
  };
  return properties.toSorted((left, right) => rank(left) - rank(right));
}
