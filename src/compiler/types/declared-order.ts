import type { Host, Type, TypeNode } from "../host.ts";
import { has } from "./conversion.ts";
import { writtenType } from "./written-type.ts";

/** A union's member, and how it was written. */
export interface WrittenMember {
  readonly type: Type;
  readonly written: TypeNode | undefined;
}

/**
 * A union's members in the order in which its author wrote them; the checker gives them sorted.
 * Read from the type as written, else from the alias the union is known by. Members found in neither come last.
 */
export function inDeclaredOrder(
  host: Host,
  union: Type,
  written: TypeNode | undefined,
): readonly WrittenMember[] {
  const found = writtenKeys(host, written ?? aliasOf(host, union));
  const keys = found.map(([key]) => key);
  const rank = (type: Type): number => {
    const index = keys.indexOf(keyOf(host, type));
    return index < 0 ? keys.length : index;
  };
  return host
    .unionMembers(union)
    .toSorted((left, right) => rank(left) - rank(right))
    .map((type) => ({ type, written: found[rank(type)]?.[1] }));
}

/** A name for a type that is the same for a literal wherever it stands. */
function keyOf(host: Host, type: Type): string {
  const value = host.literalValue(type);
  return value === undefined ? `type ${type.id}` : `${typeof value} ${value}`;
}

function writtenKeys(host: Host, node: TypeNode | undefined): readonly (readonly [string, TypeNode])[] {
  const leaves = leavesOf(host, node);
  const types = host.typesAt(leaves);
  return leaves.flatMap((leaf, index) => {
    const type = types[index];
    if (type === undefined) return [];
    return leafKeys(host, leaf, type).map((key): [string, TypeNode] => [key, leaf]);
  });
}

/** The members of a written union, those of unions within it included. */
function leavesOf(host: Host, node: TypeNode | undefined, depth = 0): readonly TypeNode[] {
  const written = writtenType(host, node);
  if (written === undefined) return [];
  if (!host.syntax.isUnionTypeNode(written) || depth > 8) return [written];
  return written.types.flatMap((member) => leavesOf(host, member, depth + 1));
}

/** The keys of what one leaf stands for: itself, an enum's members, `true` and `false`, or what indexing a tuple gives. */
function leafKeys(host: Host, leaf: TypeNode, type: Type): readonly string[] {
  if (has(type, host.flags.EnumLiteral) && has(type, host.flags.Union)) {
    return enumKeys(host, type) ?? [keyOf(host, type)];
  }
  if (has(type, host.flags.Boolean)) return ["boolean true", "boolean false"];
  if (host.syntax.isIndexedAccessTypeNode(leaf)) {
    const [indexed] = host.typesAt([leaf.objectType]);
    const elements = indexed === undefined ? undefined : host.tupleElements(indexed);
    return elements?.map((element) => keyOf(host, element.type)) ?? [];
  }
  return [keyOf(host, type)];
}

function enumKeys(host: Host, type: Type): readonly string[] | undefined {
  const symbol = type.getSymbol();
  const declaration = symbol === undefined ? undefined : host.declarationOf(symbol);
  if (declaration === undefined || !host.syntax.isEnumDeclaration(declaration)) return undefined;
  return host.typesAt([...declaration.members]).flatMap((member) => (member ? keyOf(host, member) : []));
}

/** The right side of the alias by which the checker knows a union. */
function aliasOf(host: Host, union: Type): TypeNode | undefined {
  const alias = union.getAliasSymbol();
  if (alias === undefined || host.isFromLibrary(alias)) return undefined;
  const declaration = host.declarationsOf(alias).find((node) => host.syntax.isTypeAliasDeclaration(node));
  return declaration?.type;
}
