import type { Host, Node, TypeSymbol } from "./host.ts";
import { isForeignContext, isToolContext } from "./tool-context.ts";
import { holdsContext } from "./types/context-within.ts";

/** Aliases, type parameters and members are followed so far. */
const deepest = 5;

/** No type that people write to hold a context is made of more. */
const mostNodes = 2_000;

/**
 * Whether a written type names `ToolContext` anywhere but in the type of a function: also where nothing is left of it, as in
 * `ToolContext | any`, or where a type parameter stands for it by default.
 */
export function namesToolContext(host: Host, typeNode: Node): boolean {
  const visited = new Set<Node>();
  let level: readonly Node[] = [typeNode];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const parts = level.flatMap((node) => partsOf(host, node, visited));
    if (holdsByType(host, parts)) return true;
    const symbols = host.symbolsAt(parts.flatMap((node) => nameOf(host, node) ?? []));
    const distinct = [...new Set(symbols)].filter((symbol) => symbol !== undefined);
    if (distinct.some((symbol) => isContextSymbol(host, symbol))) return true;
    level = distinct.flatMap((symbol) => declaredParts(host, symbol));
  }
  return false;
}

/** A type and those within it, without what functions take. */
function partsOf({ syntax }: Host, typeNode: Node, visited: Set<Node>): readonly Node[] {
  const parts: Node[] = [];
  function visit(node: Node): void {
    if (visited.has(node) || visited.size > mostNodes || syntax.isFunctionTypeNode(node)) return;
    if (syntax.isMethodSignatureDeclaration(node) || syntax.isCallSignatureDeclaration(node)) return;
    visited.add(node);
    parts.push(node);
    node.forEachChild(visit);
  }
  visit(typeNode);
  return parts;
}

/** What such types stand for, only the checker shows: `typeof value`, `Parameters<typeof fn>[1]`. */
function holdsByType(host: Host, parts: readonly Node[]): boolean {
  const { syntax } = host;
  const computed = parts.filter(
    (node) =>
      syntax.isTypeQueryNode(node) ||
      syntax.isIndexedAccessTypeNode(node) ||
      syntax.isConditionalTypeNode(node) ||
      (syntax.isTypeReferenceNode(node) && node.typeArguments !== undefined),
  );
  if (computed.length === 0) return false;
  return host.typesAt(computed).some((type) => type !== undefined && holdsContext(host, type));
}

function nameOf({ syntax }: Host, node: Node): Node | undefined {
  if (syntax.isTypeReferenceNode(node)) return node.typeName;
  if (syntax.isImportTypeNode(node)) return node.qualifier;
  return syntax.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

function isContextSymbol(host: Host, symbol: TypeSymbol): boolean {
  if (symbol.name !== "ToolContext") return false;
  const type = host.declaredType(symbol);
  return type !== undefined && (isToolContext(host, type) || isForeignContext(host, type));
}

/** What a name is declared to be, by the program itself: packages do not know of contexts. */
function declaredParts(host: Host, symbol: TypeSymbol): readonly Node[] {
  const { syntax } = host;
  if (host.isFromLibrary(symbol)) return [];
  return host
    .declarationsOf(symbol)
    .flatMap((declaration): readonly (Node | undefined)[] => {
      if (syntax.isTypeAliasDeclaration(declaration)) return [declaration.type];
      if (syntax.isTypeParameterDeclaration(declaration))
        return [declaration.constraint, declaration.defaultType];
      const isOwn = !declaration.getSourceFile().fileName.includes("/node_modules/");
      if (!isOwn) return [];
      if (syntax.isInterfaceDeclaration(declaration))
        return [...declaration.members, ...(declaration.heritageClauses ?? [])];
      if (!syntax.isClassLikeDeclaration(declaration)) return [];
      const properties = declaration.members.filter((member) => syntax.isPropertyDeclaration(member));
      const extended = (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
      return [...properties.map(({ type }) => type), ...extended];
    })
    .filter((node) => node !== undefined);
}
