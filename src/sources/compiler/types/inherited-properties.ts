import { leadingDocComment, type DocComment } from "../doc-comments.ts";
import type { Host, Node, Type, TypeProperty } from "../host.ts";

/** How many classes and interfaces above one another are looked into. */
const mostBases = 10;

/** A comment on a property, and what declares it. */
export interface PropertyComment {
  readonly node: Node;
  readonly doc: DocComment;
}

/** The comments that speak of a property: those of its declarations; of one without, those of what it declares again. */
export function propertyComments(
  host: Host,
  name: string,
  declarations: readonly Node[],
  depth: number = mostBases,
): readonly PropertyComment[] {
  const comments = declarations.flatMap((node) => {
    const doc = leadingDocComment(node);
    if (doc !== undefined) return [{ node, doc }];
    return depth === 0 ? [] : propertyComments(host, name, basesOf(host, node, name), depth - 1);
  });
  return [...new Map(comments.map((comment) => [comment.node, comment])).values()];
}

/**
 * Where a property of a type is declared: of an interface that extends several, in all of them, as the checker knows that of the first
 * alone.
 */
export function allDeclarations(host: Host, type: Type, property: TypeProperty): readonly Node[] {
  const own = property.declarations();
  const symbol = type.getSymbol();
  if (own.length === 0 || symbol === undefined || host.isAnonymous(symbol) || host.isFromLibrary(symbol))
    return own;
  const owners = host.declarationsOf(symbol);
  // One that the type declares again speaks for itself.
  if (own.some(({ parent }) => owners.includes(parent))) return own;
  return [...new Set([...own, ...owners.flatMap((owner) => declaredAbove(host, owner, property.name))])];
}

/** The declarations of a property in what its owner extends and implements. */
function basesOf(host: Host, declaration: Node, name: string): readonly Node[] {
  const { syntax } = host;
  const { parent } = declaration;
  // A parameter of a constructor may declare a property.
  const owner = syntax.isParameterDeclaration(declaration) ? parent.parent : parent;
  return owner === undefined ? [] : declaredAbove(host, owner, name);
}

function declaredAbove(host: Host, owner: Node, name: string): readonly Node[] {
  const { syntax } = host;
  if (!syntax.isClassLikeDeclaration(owner) && !syntax.isInterfaceDeclaration(owner)) return [];
  const types = [...(owner.heritageClauses ?? [])].flatMap((clause) => [...clause.types]);
  if (types.length === 0) return [];
  return host.typesAt(types).flatMap((type) => {
    const property = type && host.properties(type).find((each) => each.name === name);
    return type && property ? allDeclarations(host, type, property) : [];
  });
}
