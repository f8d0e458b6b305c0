import type { Expression, Host, Node } from "./host.ts";

/** An expression without what changes only its type, or waits for it. */
export function bare({ syntax }: Host, expression: Expression): Expression {
  let inner = expression;
  while (
    syntax.isParenthesizedExpression(inner) ||
    syntax.isAsExpression(inner) ||
    syntax.isSatisfiesExpression(inner) ||
    syntax.isNonNullExpression(inner) ||
    syntax.isTypeAssertion(inner) ||
    syntax.isExpressionWithTypeArguments(inner) ||
    syntax.isAwaitExpression(inner)
  ) {
    inner = inner.expression;
  }
  return inner;
}

/** An expression with what is written around it that changes only its type. */
export function withTypes({ syntax }: Host, expression: Expression): Expression {
  let outer = expression;
  for (
    let { parent }: Node = outer;
    syntax.isParenthesizedExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent) ||
    syntax.isNonNullExpression(parent) ||
    syntax.isTypeAssertion(parent) ||
    // `fn<Item>`, not what a class extends.
    (syntax.isExpressionWithTypeArguments(parent) && !syntax.isHeritageClause(parent.parent));
    parent = outer.parent
  ) {
    outer = parent;
  }
  return outer;
}

/** Asks in one go for what names stand for. */
export function prefetchSymbols(host: Host, expressions: readonly Expression[]): void {
  host.symbolsAt(expressions.filter((expression) => isName(host, expression)));
}

/** Whether an expression is the name of a declared function: it is unambiguous, and needs no look at types. */
export function isDeclaredFunction(host: Host, expression: Expression): boolean {
  const symbol = isName(host, expression) ? host.symbolAt(expression) : undefined;
  const declaration = symbol && host.declarationOf(symbol);
  return declaration !== undefined && host.syntax.isFunctionDeclaration(declaration);
}

/** In `{ name }`, a name is also that of the property. */
function isName({ syntax }: Host, expression: Expression): boolean {
  return syntax.isIdentifier(expression) && !syntax.isShorthandPropertyAssignment(expression.parent);
}
