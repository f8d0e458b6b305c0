import { functionDoc } from "./function-docs.ts";
import { isDeclaredHidden, isHiddenByComment } from "./functions.ts";
import type { Host, Node, Type, TypeProperty, TypeSymbol } from "./host.ts";

/**
 * The names that a class and its base classes list for everybody, where declarations are all that is known of at least one of
 * them; `undefined` where the code of all is there, or where not all of them are known.
 */
export function declaredMembers(host: Host, symbol: TypeSymbol, type: Type): readonly string[] | undefined {
  if (!isDeclaredOnly(host, symbol) || host.indexSignatures(type).length > 0) return undefined;
  const properties = host.properties(type).filter((property) => !isHiddenMember(host, property));
  return properties.map(({ name }) => name);
}

/**
 * The members of a type that may be functions and are not for everybody, and where they are declared. Declarations leave the
 * types of private ones out.
 */
export function hiddenMembers(host: Host, type: Type): ReadonlyMap<string, Node> {
  const { syntax } = host;
  const members = host.properties(type).flatMap((property) => {
    const mayBeFunction = property.type.flags & host.flags.Any || host.isCallable(property.type);
    if (!mayBeFunction || !isHiddenMember(host, property)) return [];
    const node = property.declaration();
    // An accessor would run for being looked at.
    if (!node || syntax.isGetAccessorDeclaration(node) || syntax.isSetAccessorDeclaration(node)) return [];
    return [[property.name, node] as const];
  });
  return new Map(members);
}

/** Whether a member is private or protected, or hidden by its comment. */
function isHiddenMember(host: Host, property: TypeProperty): boolean {
  const node = property.declaration();
  if (node === undefined) return false;
  return isDeclaredHidden(host, node) || isHiddenByComment(functionDoc(host, node));
}

/** Whether a class, or a base class of it, is declared without its code, and all of them are known. */
function isDeclaredOnly(host: Host, symbol: TypeSymbol): boolean {
  let isDeclared = false;
  let current: TypeSymbol | undefined = symbol;
  for (let depth = 0; current !== undefined && host.isClass(current); depth += 1) {
    const node = host.declarationOf(current);
    if (node === undefined || host.isFromLibrary(current) || depth > mostBases) return false;
    isDeclared ||= node.getSourceFile().isDeclarationFile;
    const base = baseOf(host, node);
    if (base === undefined) return isDeclared;
    const [type] = host.typesAt([base]);
    if (type === undefined || type.flags & host.flags.Any) return false;
    current = host.symbolAt(base);
  }
  return isDeclared;
}

/** What a class extends. */
function baseOf({ syntax }: Host, node: Node): Node | undefined {
  if (!syntax.isClassLikeDeclaration(node)) return undefined;
  const clause = node.heritageClauses?.find(({ token }) => token === syntax.SyntaxKind.ExtendsKeyword);
  return clause?.types[0]?.expression;
}

/** How many base classes of one another are looked at. */
const mostBases = 50;
