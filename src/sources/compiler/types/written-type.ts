import type { Host, Node, TypeNode } from "../host.ts";
import { aliasOf } from "./type-names.ts";

/** The type node behind parentheses, `readonly` and aliases without type parameters. */
export function writtenType(host: Host, node: TypeNode | undefined, depth = 0): TypeNode | undefined {
  const { syntax } = host;
  if (node === undefined || depth > 8) return node;
  if (syntax.isParenthesizedTypeNode(node)) return writtenType(host, node.type, depth + 1);
  if (syntax.isTypeOperatorNode(node) && node.operator === syntax.SyntaxKind.ReadonlyKeyword) {
    return writtenType(host, node.type, depth + 1);
  }
  if (!syntax.isTypeReferenceNode(node) || node.typeArguments !== undefined) return node;
  const alias = aliasBehind(host, node.typeName);
  return alias === undefined ? node : writtenType(host, alias, depth + 1);
}

/** What a written union is without `null` and `undefined`, where that is a single type. */
export function presentNode(host: Host, node: TypeNode | undefined): TypeNode | undefined {
  const { syntax } = host;
  if (node === undefined) return undefined;
  if (syntax.isParenthesizedTypeNode(node)) return presentNode(host, node.type);
  if (!syntax.isUnionTypeNode(node)) return node;
  const { NullKeyword, UndefinedKeyword, VoidKeyword } = syntax.SyntaxKind;
  const absent = [UndefinedKeyword, VoidKeyword];
  const present = node.types.filter((member) => {
    const isNull = syntax.isLiteralTypeNode(member) && member.literal.kind === NullKeyword;
    return !isNull && !absent.some((kind) => kind === member.kind);
  });
  return present.length === 1 ? presentNode(host, present[0]) : node;
}

/** A type node behind everything that a single type may stand in. */
function writtenPresent(host: Host, node: TypeNode | undefined): TypeNode | undefined {
  const typeNode = writtenType(host, node);
  const present = presentNode(host, typeNode);
  return present === typeNode ? present : writtenType(host, present);
}

/** The right side of the alias (of the program, not of a library) that `name` refers to; what a type parameter extends. */
function aliasBehind(host: Host, name: Node): TypeNode | undefined {
  const symbol = host.symbolAt(name);
  if (symbol === undefined || host.isFromLibrary(symbol)) return undefined;
  for (const declaration of host.declarationsOf(symbol)) {
    if (host.syntax.isTypeParameterDeclaration(declaration)) return declaration.constraint;
    const isAlias = host.syntax.isTypeAliasDeclaration(declaration);
    if (isAlias && declaration.typeParameters === undefined) return declaration.type;
  }
  return undefined;
}

/** How the elements of an array were written: the `T` of `T[]`, `Array<T>` and `ReadonlyArray<T>`. */
export function writtenElement(host: Host, node: TypeNode | undefined, depth = 0): TypeNode | undefined {
  const typeNode = writtenPresent(host, node);
  if (typeNode === undefined) return undefined;
  if (host.syntax.isArrayTypeNode(typeNode)) return typeNode.elementType;
  if (!host.syntax.isTypeReferenceNode(typeNode) || depth > 8) return undefined;
  const symbol = host.symbolAt(typeNode.typeName);
  const generic = symbol && !host.isFromLibrary(symbol) ? aliasOf(host, symbol) : undefined;
  if (generic === undefined) return typeNode.typeArguments?.[0];
  const element = presentNode(host, writtenElement(host, generic.type, depth + 1));
  const place = generic.typeParameters?.findIndex(({ name }) => name.text === element?.getText()) ?? -1;
  return place < 0 ? element : typeNode.typeArguments?.[place];
}

/** How a type argument was written: the `V` of `Map<K, V>` for 1. */
export function writtenArgument(host: Host, node: TypeNode | undefined, index: number): TypeNode | undefined {
  const typeNode = writtenPresent(host, node);
  return typeNode !== undefined && host.syntax.isTypeReferenceNode(typeNode)
    ? typeNode.typeArguments?.[index]
    : undefined;
}

/** How the values of an index signature were written: the `V` of `Record<K, V>` and `{ [key: K]: V }`. */
export function writtenValue(host: Host, node: TypeNode | undefined): TypeNode | undefined {
  const typeNode = writtenPresent(host, node);
  if (typeNode === undefined) return undefined;
  if (host.syntax.isTypeReferenceNode(typeNode)) return typeNode.typeArguments?.[1];
  if (!host.syntax.isTypeLiteralNode(typeNode)) return undefined;
  return typeNode.members.find((member) => host.syntax.isIndexSignatureDeclaration(member))?.type;
}

/** How a tuple's element was written, without its label and marks. */
export function writtenTupleElement(
  host: Host,
  node: TypeNode | undefined,
  index: number,
): TypeNode | undefined {
  const { syntax } = host;
  const typeNode = writtenPresent(host, node);
  if (typeNode === undefined || !syntax.isTupleTypeNode(typeNode)) return undefined;
  const element = typeNode.elements[index];
  if (element === undefined) return undefined;
  if (syntax.isNamedTupleMember(element) || syntax.isOptionalTypeNode(element)) return element.type;
  return syntax.isRestTypeNode(element) ? writtenElement(host, element.type) : element;
}

/** The type annotation of a declaration, if it has one. */
export function annotationOf(host: Host, declaration: Node | undefined): TypeNode | undefined {
  const { syntax } = host;
  if (declaration === undefined) return undefined;
  const annotated =
    syntax.isParameterDeclaration(declaration) ||
    syntax.isPropertySignatureDeclaration(declaration) ||
    syntax.isPropertyDeclaration(declaration);
  return annotated ? declaration.type : undefined;
}
