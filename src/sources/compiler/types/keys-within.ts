import type { Host, Node, TypeNode } from "../host.ts";
import { writtenKeys } from "./written-keys.ts";

/** The keys of all types that stand within a written type, in the order of the text. */
export function keysWithin(host: Host, typeNode: TypeNode): readonly string[] {
  const { syntax } = host;
  const nodes: TypeNode[] = [];
  const visit = (node: Node): void => {
    const isLeaf =
      syntax.isUnionTypeNode(node) ||
      syntax.isLiteralTypeNode(node) ||
      syntax.isTypeOperatorNode(node) ||
      ((syntax.isTypeReferenceNode(node) || syntax.isImportTypeNode(node)) &&
        node.typeArguments === undefined);
    if (isLeaf) nodes.push(node);
    if (!syntax.isUnionTypeNode(node)) node.forEachChild(visit);
  };
  visit(typeNode);
  return nodes.flatMap((node) => writtenKeys(host, node)).map(({ key }) => key);
}
