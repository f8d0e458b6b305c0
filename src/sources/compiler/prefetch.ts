import { typeReference } from "./type-references.ts";
import type { ArrayTypeNode, Host, Node, SourceFile } from "./host.ts";

const done = new WeakMap<Host, WeakSet<SourceFile>>();

/** A larger file than this, in characters, is likelier generated than written, and most of it is not needed. */
const longest = 500_000;

/**
 * Asks in one go what describing the functions of files will ask: the types and names in their signatures, and in the types
 * declared beside them. What stands in bodies is left alone: to know a callback's type may mean to check all around it.
 */
export function prefetch(host: Host, files: readonly SourceFile[]): void {
  const visited = done.get(host) ?? new WeakSet();
  done.set(host, visited);
  const wanted = files.filter(
    (file) => !visited.has(file) && !file.isDeclarationFile && file.text.length <= longest,
  );
  for (const file of wanted) visited.add(file);
  ask(host, wanted);
}

const visitedByHost = new WeakMap<Host, WeakSet<Node>>();

/** Asks in one go what converting declared members will ask: the types and names in how they are written. */
export function prefetchMembers(host: Host, declarations: readonly Node[]): void {
  const visited = visitedByHost.get(host) ?? new WeakSet();
  visitedByHost.set(host, visited);
  const wanted = declarations.filter((node) => !visited.has(node));
  for (const node of wanted) visited.add(node);
  ask(host, wanted);
}

function ask(host: Host, within: readonly Node[]): void {
  if (within.length === 0) return;
  const { syntax } = host;
  const types: Node[] = [];
  const arrays: ArrayTypeNode[] = [];
  const names: Node[] = [];
  const visit = (node: Node): void => {
    if (syntax.isBlock(node)) return;
    if (syntax.isParameterDeclaration(node) && (node.type ?? node.initializer) !== undefined)
      types.push(node);
    if (syntax.isUnionTypeNode(node)) types.push(...node.types);
    if (syntax.isPropertySignatureDeclaration(node)) types.push(node);
    if (syntax.isArrayTypeNode(node)) arrays.push(node);
    const reference = typeReference(host, node);
    if (reference) {
      names.push(reference.name);
      types.push(...(reference.typeArguments ?? []));
    }
    if (syntax.isFunctionLikeDeclaration(node)) {
      if (node.type !== undefined) types.push(node.type);
      if ("name" in node && node.name !== undefined) names.push(node.name);
    }
    node.forEachChild(visit);
  };
  for (const node of within) visit(node);
  host.typesAt([...types, ...arrays, ...arrays.map(({ elementType }) => elementType)]);
  host.learnArrays(arrays);
  host.symbolsAt(names);
}
