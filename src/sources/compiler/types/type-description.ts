import { functionDoc } from "../function-docs.ts";
import type { Host, Type, TypeNode, TypeSymbol } from "../host.ts";
import { has } from "./conversion.ts";

/** What a named type's own doc comment says of it; empty where there is none. */
export function typeDescription(host: Host, type: Type, typeNode: TypeNode | undefined): string {
  const { Object: object, Union } = host.flags;
  // An array's would be the library's: of no use, and dear, as it is declared in a dozen large files.
  const isOwn = has(type, object | Union) && host.arrayElement(type) === undefined;
  const own = isOwn ? type.getSymbol() : undefined;
  for (const symbol of [type.getAliasSymbol(), writtenSymbol(host, typeNode), own]) {
    if (symbol === undefined || host.isFromLibrary(symbol) || host.isAnonymous(symbol)) continue;
    for (const declaration of host.declarationsOf(symbol)) {
      // A constant may carry the comment of the type that is named like it.
      const { summary } = functionDoc(host, declaration);
      if (summary !== "") return summary;
    }
  }
  return "";
}

/** The alias by which a type was written: the checker forgets it for primitives, and where `undefined` is added. */
export function writtenSymbol(host: Host, typeNode: TypeNode | undefined): TypeSymbol | undefined {
  const { syntax } = host;
  if (typeNode === undefined || !syntax.isTypeReferenceNode(typeNode)) return undefined;
  const symbol = host.symbolAt(typeNode.typeName);
  const isAlias = symbol && host.declarationsOf(symbol).some((node) => syntax.isTypeAliasDeclaration(node));
  return isAlias ? symbol : undefined;
}
