import type { FunctionNode } from "./function-nodes.ts";
import type { Expression, Host, Node } from "./host.ts";

/** Whether what a function returns is not what its callers get. */
export function isDeferred({ syntax }: Host, fn: FunctionNode): boolean {
  if ("asteriskToken" in fn && fn.asteriskToken !== undefined) return true;
  const modifiers = "modifiers" in fn ? [...(fn.modifiers ?? [])] : [];
  return modifiers.some(({ kind }) => kind === syntax.SyntaxKind.AsyncKeyword);
}

/** What the code of a function returns, in its own `return`s. */
export function returnedExpressions(host: Host, body: Node): readonly Expression[] {
  const { syntax } = host;
  if (!syntax.isBlock(body)) return syntax.isExpression(body) ? [body] : [];
  const expressions: Expression[] = [];
  function visit(node: Node): void {
    if (syntax.isFunctionLikeDeclaration(node) || syntax.isClassLikeDeclaration(node)) return;
    if (syntax.isReturnStatement(node) && node.expression) expressions.push(node.expression);
    node.forEachChild(visit);
  }
  body.forEachChild(visit);
  return expressions;
}
