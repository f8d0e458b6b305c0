import { isConstraint } from "../constraints.ts";
import type { DocComment, DocTag } from "../doc-comments.ts";
import { functionDoc } from "../function-docs.ts";
import type { Host, Node, Type, TypeNode, TypeSymbol } from "../host.ts";
import { has } from "./conversion.ts";

/** What a named type's own doc comment says of it; empty where there is none. */
export function typeDescription(host: Host, type: Type, typeNode: TypeNode | undefined): string {
  for (const symbol of namesOf(host, type, typeNode)) {
    const { summary } = docsOf(host, symbol).find((doc) => doc.summary !== "") ?? {};
    if (summary !== undefined) return summary;
  }
  return "";
}

/** The constraints in the doc comments of a type's names, those of the first name last. */
export function typeConstraints(host: Host, type: Type, typeNode: TypeNode | undefined): readonly DocTag[] {
  const tags = namesOf(host, type, typeNode)
    .toReversed()
    .flatMap((symbol) => docsOf(host, symbol).flatMap((doc) => doc.tags));
  return tags.filter(({ name }) => isConstraint(name));
}

/** The names by which a type is known, aliases of the program first. */
function namesOf(host: Host, type: Type, typeNode: TypeNode | undefined): readonly TypeSymbol[] {
  const { Object: object, Union } = host.flags;
  // An array's would be the library's: of no use, and dear, as it is declared in a dozen large files.
  const isOwn = has(type, object | Union) && host.arrayElement(type) === undefined;
  const own = isOwn ? type.getSymbol() : undefined;
  const names = [type.getAliasSymbol(), ...writtenSymbols(host, typeNode), own];
  const symbols = names.filter(
    (symbol) => symbol !== undefined && !host.isFromLibrary(symbol) && !host.isAnonymous(symbol),
  );
  return [...new Map(symbols.flatMap((symbol) => (symbol ? [[symbol.id, symbol] as const] : []))).values()];
}

/** How many aliases may stand for one another. */
const mostAliases = 8;

/** The alias by which a type was written, and those that it stands for. */
function writtenSymbols(host: Host, typeNode: TypeNode | undefined): readonly TypeSymbol[] {
  const symbols: TypeSymbol[] = [];
  for (let at = typeNode; at !== undefined && symbols.length < mostAliases;) {
    const symbol = writtenSymbol(host, at);
    if (symbol === undefined) break;
    symbols.push(symbol);
    at = host.declarationsOf(symbol).find((node) => host.syntax.isTypeAliasDeclaration(node))?.type;
  }
  return symbols;
}

/** The comments of what declares a name as a type. A constant may carry the comment of the type that is named like it. */
function docsOf(host: Host, symbol: TypeSymbol): readonly DocComment[] {
  return host
    .declarationsOf(symbol)
    .filter((declaration) => !isFunction(host, declaration))
    .map((declaration) => functionDoc(host, declaration));
}

/** A function speaks of what it does, whatever type has the same name. */
function isFunction({ syntax }: Host, node: Node): boolean {
  const value = syntax.isVariableDeclaration(node) ? node.initializer : node;
  return value !== undefined && syntax.isFunctionLikeDeclaration(value);
}

/** The alias by which a type was written: the checker forgets it for primitives, and where `undefined` is added. */
export function writtenSymbol(host: Host, typeNode: TypeNode | undefined): TypeSymbol | undefined {
  const { syntax } = host;
  if (typeNode === undefined || !syntax.isTypeReferenceNode(typeNode)) return undefined;
  const symbol = host.symbolAt(typeNode.typeName);
  const isAlias = symbol && host.declarationsOf(symbol).some((node) => syntax.isTypeAliasDeclaration(node));
  return isAlias ? symbol : undefined;
}
