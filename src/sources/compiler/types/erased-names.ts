import type { Host, Node, TypeNode, TypeReferenceNode } from "../host.ts";
import { has } from "./conversion.ts";
import { aliasOf, constraintsOf } from "./type-names.ts";

/**
 * The names of primitives with constraints that stand within the arguments of generic types and were met nowhere: the checker keeps
 * no name of a primitive.
 * @param isMet - Whether a name counts where it leads to.
 */
export function erasedNames(
  host: Host,
  typeNode: TypeNode | undefined,
  isMet: (node: Node) => boolean,
): readonly { readonly node: Node; readonly name: string }[] {
  const { Object: object, Union, Intersection } = host.flags;
  const nodes = typeNode === undefined ? [] : argumentsWithin(host, typeNode).filter((node) => !isMet(node));
  const symbols = nodes.length === 0 ? [] : host.symbolsAt(nodes.map(({ typeName }) => typeName));
  return nodes.flatMap((node, index) => {
    const symbol = symbols[index];
    if (symbol === undefined || host.isFromLibrary(symbol) || aliasOf(host, symbol) === undefined) return [];
    if (constraintsOf(host, symbol).length === 0) return [];
    const type = host.declaredType(symbol);
    const isPrimitive = type !== undefined && !has(type, object | Union | Intersection);
    return isPrimitive ? [{ node, name: symbol.name }] : [];
  });
}

/** The references to types within the arguments of generic ones. */
function argumentsWithin({ syntax }: Host, typeNode: TypeNode): readonly TypeReferenceNode[] {
  const references: TypeReferenceNode[] = [];
  const visit = (node: Node, isArgument: boolean): void => {
    // A type in braces has places of its own.
    if (syntax.isTypeLiteralNode(node) || syntax.isFunctionTypeNode(node)) return;
    if (!syntax.isTypeReferenceNode(node)) {
      node.forEachChild((child) => visit(child, isArgument));
      return;
    }
    if (isArgument) references.push(node);
    for (const argument of node.typeArguments ?? []) visit(argument, true);
  };
  visit(typeNode, false);
  return references;
}
