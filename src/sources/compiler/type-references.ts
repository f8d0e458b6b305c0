import type { Host, Node, TypeNode } from "./host.ts";

/** A type that is written by its name: `Amount`, `bank.Amount`, `import("./bank.ts").Amount`. */
export interface TypeReference {
  readonly name: Node;
  readonly typeArguments: readonly TypeNode[] | undefined;
}

/** The name by which a type is written, and its arguments; `undefined` for every other type. */
export function typeReference({ syntax }: Host, node: Node | undefined): TypeReference | undefined {
  if (node === undefined) return undefined;
  if (syntax.isTypeReferenceNode(node)) return { name: node.typeName, typeArguments: node.typeArguments };
  if (!syntax.isImportTypeNode(node) || node.isTypeOf || node.qualifier === undefined) return undefined;
  return { name: node.qualifier, typeArguments: node.typeArguments };
}
