import type { Node } from "../compiler/host.ts";
import { memberOf, referenceOf } from "./references.ts";
import { headOf, unwrap, type SyntaxTree } from "./syntax-tree.ts";

/** How sure it is that a map speaks of the source as it is now: then names need not agree, as minifiers change them. */
export type Trust = "certain" | "likely";

/**
 * Whether an emitted expression is what a compiler makes of one of the source: the same kinds from the first token on, the
 * same properties, as many arguments.
 */
export function corresponds(
  source: SyntaxTree,
  emitted: SyntaxTree,
  [from, to]: readonly [Node, Node],
  trust: Trust,
): boolean {
  const { syntax } = source;
  const [left, right] = [unwrap(syntax, from), unwrap(syntax, to)];
  const [name, otherName] = [referenceOf(source, left), referenceOf(emitted, right)];
  if (name !== undefined && otherName !== undefined) {
    // An imported name may stand for something else within a function.
    const areOneWord = syntax.isIdentifier(left) && syntax.isIdentifier(right) && left.text === right.text;
    return (
      name === otherName ||
      areOneWord ||
      (trust === "certain" && areRenamed(emitted, left, right, [name, otherName]))
    );
  }
  if (!isSameKind(source, left, right)) return false;
  if (!haveSameDetails(source, left, right, trust)) return false;
  const [head, otherHead] = [headOf(syntax, left), headOf(syntax, right)];
  if (head === undefined || otherHead === undefined) return head === otherHead;
  return corresponds(source, emitted, [head, otherHead], trust);
}

/** Whether two names differ as minifiers and aliases of paths make them differ. */
function areRenamed(
  { syntax }: SyntaxTree,
  left: Node,
  right: Node,
  [name, otherName]: readonly [string, string],
): boolean {
  const [, imported] = name.split("#");
  const [, otherImported] = otherName.split("#");
  if (imported !== undefined && imported === otherImported) return true;
  // A module as a whole, and what is taken from it, begin at the same place.
  return otherImported !== "*" && syntax.isIdentifier(left) && syntax.isIdentifier(right);
}

function isSameKind({ syntax }: SyntaxTree, left: Node, right: Node): boolean {
  if (left.kind === right.kind) return true;
  if (syntax.isArrowFunction(left)) return syntax.isFunctionExpression(right);
  if (memberOf(syntax, left) !== undefined) return memberOf(syntax, right) !== undefined;
  return syntax.isAwaitExpression(left) && syntax.isYieldExpression(right);
}

function haveSameDetails({ syntax }: SyntaxTree, left: Node, right: Node, trust: Trust): boolean {
  const [member, otherMember] = [memberOf(syntax, left), memberOf(syntax, right)];
  if (member !== undefined || otherMember !== undefined) return member?.name === otherMember?.name;
  if (
    (syntax.isCallExpression(left) && syntax.isCallExpression(right)) ||
    (syntax.isNewExpression(left) && syntax.isNewExpression(right))
  ) {
    return (left.arguments?.length ?? 0) === (right.arguments?.length ?? 0);
  }
  if (trust === "certain") return true;
  if (syntax.isArrowFunction(left) || syntax.isFunctionExpression(left))
    return parameterNames(left) === parameterNames(right);
  return true;
}

function parameterNames(node: Node): string {
  if (!("parameters" in node) || !Array.isArray(node.parameters)) return "";
  const names = node.parameters.map((parameter: Node & { readonly name?: Node }) =>
    parameter.name?.getText(),
  );
  return names.filter((name) => name !== "this").join();
}
