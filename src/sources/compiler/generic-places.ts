import { functionOfSignature, type FunctionNode } from "./function-nodes.ts";
import type { CallExpression, Host, NewExpression, Node } from "./host.ts";

/** Whether what a call, or `new`, names takes a value of any type at a place of its arguments: the type there speaks of a type parameter. */
export function isGenericPlace(host: Host, call: CallExpression | NewExpression, place: number): boolean {
  const { expression } = call;
  if (host.syntax.isNewExpression(call)) return isGenericField(host, call, place);
  const [type] = host.typesAt([expression]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  return signatures.some((signature) => {
    const declaration = functionOfSignature(host, signature);
    return declaration !== undefined && isGenericAt(host, declaration, place);
  });
}

/** The same of a constructor, whose class has the type parameters. */
function isGenericField(host: Host, { expression }: NewExpression, place: number): boolean {
  const { syntax } = host;
  const symbol = host.symbolAt(expression);
  const declared = symbol && host.declarationOf(symbol);
  if (declared === undefined || !syntax.isClassLikeDeclaration(declared)) return false;
  const creator = [...declared.members].find((member) => syntax.isConstructorDeclaration(member));
  const generics = new Set(declared.typeParameters?.map(({ name }) => name.text));
  return creator !== undefined && speaksOf(host, creator, place, generics);
}

/** Whether the type of a function's parameter speaks of a type parameter. */
function isGenericAt(host: Host, fn: FunctionNode, place: number): boolean {
  const generics = new Set("typeParameters" in fn ? fn.typeParameters?.map(({ name }) => name.text) : []);
  return speaksOf(host, fn, place, generics);
}

function speaksOf({ syntax }: Host, fn: FunctionNode, place: number, generics: ReadonlySet<string>): boolean {
  const type = (fn.parameters[place] ?? fn.parameters.at(-1))?.type;
  let isGeneric = false;
  const visit = (node: Node): void => {
    isGeneric ||= syntax.isIdentifier(node) && generics.has(node.text);
    node.forEachChild(visit);
  };
  if (type !== undefined) visit(type);
  return isGeneric;
}
