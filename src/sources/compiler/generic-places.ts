import { functionOfSignature, type FunctionNode } from "./function-nodes.ts";
import type { CallExpression, Host, Node } from "./host.ts";

/** Whether what a call names takes a value of any type at a place of its arguments: the type there speaks of a type parameter. */
export function isGenericPlace(host: Host, { expression }: CallExpression, place: number): boolean {
  const [type] = host.typesAt([expression]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  return signatures.some((signature) => {
    const declaration = functionOfSignature(host, signature);
    return declaration !== undefined && isGenericAt(host, declaration, place);
  });
}

/** Whether the type of a function's parameter speaks of a type parameter. */
function isGenericAt({ syntax }: Host, fn: FunctionNode, place: number): boolean {
  const generics = new Set("typeParameters" in fn ? fn.typeParameters?.map(({ name }) => name.text) : []);
  const type = (fn.parameters[place] ?? fn.parameters.at(-1))?.type;
  let isGeneric = false;
  const visit = (node: Node): void => {
    isGeneric ||= syntax.isIdentifier(node) && generics.has(node.text);
    node.forEachChild(visit);
  };
  if (type !== undefined) visit(type);
  return isGeneric;
}
