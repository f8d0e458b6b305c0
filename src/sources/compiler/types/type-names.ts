import { isConstraint } from "../constraints.ts";
import type { DocComment, DocTag } from "../doc-comments.ts";
import { functionDoc } from "../function-docs.ts";
import { typedefDoc } from "../typedef-docs.ts";
import { typeReference } from "../type-references.ts";
import type { Host, Node, TypeAliasDeclaration, TypeNode, TypeSymbol } from "../host.ts";

/** The declaration of an alias; `undefined` for every other name. */
export function aliasOf(host: Host, symbol: TypeSymbol): TypeAliasDeclaration | undefined {
  return host.declarationsOf(symbol).find((node) => host.syntax.isTypeAliasDeclaration(node));
}

/** The comments of what declares a name as a type. A constant may carry the comment of the type that is named like it. */
export function docsOf(host: Host, symbol: TypeSymbol): readonly DocComment[] {
  return host
    .declarationsOf(symbol)
    .filter((declaration) => !isFunction(host, declaration))
    .map((declaration) => typedefDoc(host, declaration) ?? functionDoc(host, declaration));
}

/** The constraints in the comments of a name. */
export function constraintsOf(host: Host, symbol: TypeSymbol): readonly DocTag[] {
  return docsOf(host, symbol).flatMap(({ tags }) => tags.filter(({ name }) => isConstraint(name)));
}

/** A function speaks of what it does, whatever type has the same name. */
function isFunction({ syntax }: Host, node: Node): boolean {
  const value = syntax.isVariableDeclaration(node) ? node.initializer : node;
  return value !== undefined && syntax.isFunctionLikeDeclaration(value);
}

/** The alias by which a type was written: the checker forgets it for primitives, and where `undefined` is added. */
export function writtenSymbol(host: Host, typeNode: TypeNode | undefined): TypeSymbol | undefined {
  const reference = typeReference(host, typeNode);
  if (reference === undefined) return undefined;
  const symbol = host.symbolAt(reference.name);
  return symbol && aliasOf(host, symbol) ? symbol : undefined;
}
