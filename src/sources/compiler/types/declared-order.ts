import type { Host, Type, TypeNode } from "../host.ts";
import { has, type Conversion, type WrittenOrder } from "./conversion.ts";
import { keysWithin } from "./keys-within.ts";
import { brandedPrimitive } from "./primitives.ts";
import { keyOf, textOfKey, writtenKeys, type WrittenKey } from "./written-keys.ts";

/** A union's member, and how it was written. */
export interface WrittenMember {
  readonly type: Type;
  readonly typeNode: TypeNode | undefined;
  /** The union, as it was written. */
  readonly union: TypeNode | undefined;
}

/** Starts without any type. */
export function createWrittenOrder(): WrittenOrder {
  const ranks = new Map<string, number>();
  const typeNodes = new Set<TypeNode>();
  const add = (key: string): void => {
    // `Uppercase<"yes" | "no">` and its like have the order of what they are made of.
    for (const name of [key, textOfKey(key), textOfKey(key).toLowerCase()]) {
      if (!ranks.has(name)) ranks.set(name, ranks.size);
    }
  };
  return {
    note(host, typeNode) {
      if (typeNode === undefined || typeNodes.has(typeNode)) return;
      typeNodes.add(typeNode);
      for (const key of keysWithin(host, typeNode)) add(key);
    },
    rank: (key) =>
      ranks.get(key) ?? ranks.get(textOfKey(key)) ?? ranks.get(textOfKey(key).toLowerCase()) ?? ranks.size,
  };
}

/**
 * A union's members in the order in which its author wrote them, without brands; the checker gives them sorted.
 * Read from the type as written, else from the alias the union is known by, else from wherever they were written.
 */
export function inDeclaredOrder(
  { host, order }: Conversion,
  union: Type,
  typeNode: TypeNode | undefined,
): readonly WrittenMember[] {
  const keys = new Map<
    string,
    WrittenKey & { readonly rank: number; readonly union: TypeNode | undefined }
  >();
  const add = (node: TypeNode | undefined): void => {
    for (const each of writtenKeys(host, node)) {
      if (!keys.has(each.key)) keys.set(each.key, { ...each, rank: keys.size, union: node });
    }
  };
  const absent = host.flags.Null | host.flags.Undefined;
  const isUnseen = (type: Type): boolean => !has(type, absent) && !keys.has(keyOf(host, type));
  add(typeNode ?? aliasOf(host, union));
  // What is taken out of another type, such as `Parameters<typeof fn>[0]`, does not show what it is.
  const isGeneric = union.getAliasTypeArguments().length > 0;
  if (!isGeneric && host.unionMembers(union).some(isUnseen)) add(aliasOf(host, union));
  const members = host.unionMembers(union).map((member) => {
    const type = brandedPrimitive(host, member) ?? member;
    return { type, key: keys.get(keyOf(host, member)) ?? keys.get(keyOf(host, type)) };
  });
  if (members.some(({ type, key }) => key === undefined && !has(type, absent))) order.note(host, typeNode);
  const unseen = keys.size + order.rank("");
  const ranked = members.map((member) => {
    const rank = member.key?.rank ?? keys.size + order.rank(keyOf(host, member.type));
    return { ...member, rank };
  });
  // Primitives that were not all written where it can be seen have the order of TypeScript's flags: string, number, boolean.
  const isFlagged =
    ranked.some(({ rank }) => rank === unseen) && members.every(({ type }) => isPrimitive(host, type));
  return ranked
    .toSorted((left, right) => (isFlagged ? left.type.flags - right.type.flags : left.rank - right.rank))
    .map(({ type, key }) => ({ type, typeNode: key?.node, union: key?.union }));
}

function isPrimitive({ flags }: Host, type: Type): boolean {
  return has(type, flags.String | flags.Number | flags.BigInt | flags.BooleanLiteral);
}

/** The right side of the alias by which the checker knows a union. */
function aliasOf(host: Host, union: Type): TypeNode | undefined {
  const alias = union.getAliasSymbol() ?? host.withoutAbsence(union)?.getAliasSymbol();
  if (alias === undefined || host.isFromLibrary(alias)) return undefined;
  const declaration = host.declarationsOf(alias).find((node) => host.syntax.isTypeAliasDeclaration(node));
  return declaration?.type;
}
