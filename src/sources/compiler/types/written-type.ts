import type { Host, Node, ParameterDeclaration, Type, TypeNode } from "../host.ts";
import { typeReference } from "../type-references.ts";
import { aliasOf } from "./type-names.ts";

/** The type node behind parentheses, `readonly` and aliases without type parameters. */
export function writtenType(host: Host, node: TypeNode | undefined, depth = 0): TypeNode | undefined {
  const { syntax } = host;
  if (node === undefined || depth > 8) return node;
  if (syntax.isParenthesizedTypeNode(node)) return writtenType(host, node.type, depth + 1);
  if (syntax.isTypeOperatorNode(node) && node.operator === syntax.SyntaxKind.ReadonlyKeyword) {
    return writtenType(host, node.type, depth + 1);
  }
  const reference = typeReference(host, node);
  if (reference === undefined || reference.typeArguments !== undefined) return node;
  const alias = aliasBehind(host, reference.name);
  return alias === undefined ? node : writtenType(host, alias, depth + 1);
}

/** What a written union is without `null` and `undefined`, where that is a single type. */
export function presentNode(host: Host, node: TypeNode | undefined): TypeNode | undefined {
  const { syntax } = host;
  if (node === undefined) return undefined;
  if (syntax.isParenthesizedTypeNode(node)) return presentNode(host, node.type);
  if (!syntax.isUnionTypeNode(node)) return node;
  const present = node.types.filter((member) => !isAbsence(host, member));
  return present.length === 1 ? presentNode(host, present[0]) : node;
}

/** Whether `null`, `undefined` or `void` is written there. */
export function isAbsence({ syntax }: Host, node: TypeNode): boolean {
  const { NullKeyword, UndefinedKeyword, VoidKeyword } = syntax.SyntaxKind;
  if (syntax.isLiteralTypeNode(node)) return node.literal.kind === NullKeyword;
  return node.kind === UndefinedKeyword || node.kind === VoidKeyword;
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
  // A tuple of nothing but a rest is an array.
  if (host.syntax.isTupleTypeNode(typeNode)) return writtenTupleElement(host, typeNode, 0);
  const reference = typeReference(host, typeNode);
  if (reference === undefined || depth > 8) return undefined;
  const symbol = host.symbolAt(reference.name);
  const generic = symbol && !host.isFromLibrary(symbol) ? aliasOf(host, symbol) : undefined;
  if (generic === undefined) return reference.typeArguments?.[0];
  const element = presentNode(host, writtenElement(host, generic.type, depth + 1));
  const place = generic.typeParameters?.findIndex(({ name }) => name.text === element?.getText()) ?? -1;
  return place < 0 ? element : reference.typeArguments?.[place];
}

/** How a type argument was written: the `V` of `Map<K, V>` for 1. */
export function writtenArgument(host: Host, node: TypeNode | undefined, index: number): TypeNode | undefined {
  return typeReference(host, writtenPresent(host, node))?.typeArguments?.[index];
}

/** How an index signature was written: its keys and its values. */
interface WrittenSignature {
  readonly key: TypeNode | undefined;
  readonly value: TypeNode | undefined;
}

/**
 * How an index signature of a type was written: the `K` and `V` of `Record<K, V>` and `{ [key: K]: V }`, there or in the interface or
 * class that the type is of, and what that extends.
 * @param key - The type of the keys.
 */
export function writtenSignature(
  host: Host,
  type: Type,
  key: Type,
  node: TypeNode | undefined,
): WrittenSignature | undefined {
  const typeNode = writtenPresent(host, node);
  const [first, second] = typeReference(host, typeNode)?.typeArguments ?? [];
  if (second !== undefined) return { key: first, value: second };
  const symbol = type.getSymbol();
  const isOwn = symbol !== undefined && !host.isFromLibrary(symbol);
  const declared = isOwn ? host.declarationsOf(symbol) : [];
  return signatureWithin(host, key, typeNode ? [typeNode, ...declared] : declared);
}

/** The index signature for a type of keys, of the first declaration that has it or extends what has it. */
function signatureWithin(
  host: Host,
  key: Type,
  declarations: readonly Node[],
  depth = 0,
): WrittenSignature | undefined {
  const { syntax } = host;
  for (const declaration of declarations) {
    const isObject =
      syntax.isTypeLiteralNode(declaration) ||
      syntax.isInterfaceDeclaration(declaration) ||
      syntax.isClassLikeDeclaration(declaration);
    if (!isObject) continue;
    for (const member of declaration.members)
      if (syntax.isIndexSignatureDeclaration(member) && hasKey(host, member.parameters, key))
        return { key: member.parameters[0]?.type, value: member.type };
    if (syntax.isTypeLiteralNode(declaration) || depth > 8) continue;
    const bases = [...(declaration.heritageClauses ?? [])].flatMap((clause) => [...clause.types]);
    const above = bases.flatMap(({ expression }) => {
      const symbol = host.symbolAt(expression);
      return symbol && !host.isFromLibrary(symbol) ? host.declarationsOf(symbol) : [];
    });
    const inherited = signatureWithin(host, key, above, depth + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function hasKey(host: Host, [parameter]: readonly ParameterDeclaration[], key: Type): boolean {
  const annotation = parameter?.type;
  const [type] = annotation ? host.typesAt([annotation]) : [];
  if (type === undefined) return false;
  // One signature may be for several types of keys.
  return type.id === key.id || host.unionMembers(type).some(({ id }) => id === key.id);
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
  if (syntax.isNamedTupleMember(element))
    return element.dotDotDotToken ? writtenElement(host, element.type) : element.type;
  if (syntax.isOptionalTypeNode(element)) return element.type;
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
