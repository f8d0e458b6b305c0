import type { Host, Node, TypeAliasDeclaration, TypeNode, TypeSymbol } from "../host.ts";
import { typeReference } from "../type-references.ts";
import { isOfPackage } from "../unresolved.ts";
import { has } from "./conversion.ts";
import { aliasOf, constraintsOf } from "./type-names.ts";

/** How many nodes of a type are looked at: what is larger is likelier generated than written. */
const mostNodes = 2000;

/** Which names count where they lead to: the places where they are written, and what the checker knows by name. */
export interface CountedNames {
  readonly nodes: Set<Node>;
  readonly symbols: Set<TypeSymbol["id"]>;
}

/**
 * The names with constraints that count nowhere: within the arguments of generic types, what mapped and conditional types come
 * to, or a function type. The checker keeps no name of a primitive.
 */
export function erasedNames(
  host: Host,
  typeNode: TypeNode | undefined,
  counted: CountedNames,
): readonly { readonly node: Node; readonly name: string }[] {
  if (typeNode === undefined) return [];
  const { Object: object, Union, Intersection } = host.flags;
  const references = referencesWithin(host, typeNode).filter(({ node }) => !counted.nodes.has(node));
  return references.flatMap(({ node, name }) => {
    const symbol = host.symbolAt(name);
    if (symbol === undefined || host.isFromLibrary(symbol) || aliasOf(host, symbol) === undefined) return [];
    if (constraintsOf(host, symbol).length === 0) return [];
    const type = host.declaredType(symbol);
    const hasName = type !== undefined && has(type, object | Union | Intersection);
    return hasName && counted.symbols.has(symbol.id) ? [] : [{ node, name: symbol.name }];
  });
}

/** The references to types of which others are made, here and in the types that are named here. */
function referencesWithin(
  host: Host,
  typeNode: TypeNode,
): readonly { readonly node: Node; readonly name: Node }[] {
  const { syntax } = host;
  const references: { node: Node; name: Node }[] = [];
  const followed = new Set<TypeAliasDeclaration>();
  let count = 0;
  /** @param isPart - Whether a type is made of what stands here. */
  const visit = (node: Node, isPart: boolean): void => {
    count += 1;
    // A type in braces has places of its own.
    if (count > mostNodes || syntax.isTypeLiteralNode(node)) return;
    if (syntax.isFunctionTypeNode(node) && !isPart) return;
    if (syntax.isConditionalTypeNode(node)) {
      visit(node.trueType, true);
      visit(node.falseType, true);
      return;
    }
    const reference = typeReference(host, node);
    if (reference === undefined) {
      node.forEachChild((child) => visit(child, isPart || syntax.isMappedTypeNode(node)));
      return;
    }
    references.push({ node, name: reference.name });
    for (const argument of reference.typeArguments ?? []) visit(argument, true);
    follow(reference.name, isPart || reference.typeArguments !== undefined);
  };
  const follow = (name: Node, isPart: boolean): void => {
    const symbol = host.symbolAt(name);
    const alias = symbol && !host.isFromLibrary(symbol) ? aliasOf(host, symbol) : undefined;
    if (alias === undefined || followed.has(alias) || isOfPackage(alias)) return;
    followed.add(alias);
    for (const { defaultType } of alias.typeParameters ?? []) if (defaultType) visit(defaultType, true);
    visit(alias.type, isPart || alias.typeParameters !== undefined);
  };
  visit(typeNode, false);
  return references;
}
