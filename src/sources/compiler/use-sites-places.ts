import type { Expression, Host, Node, SourceFile, Type } from "./host.ts";
import { elementsOf, expectedTool, type Expectation, type Expectations } from "./use-sites-expectations.ts";
import { bare, withTypes } from "./use-sites-expressions.ts";
import { methodsOfLiteral } from "./use-sites-values.ts";

/** The expressions that may be tools or hold them: the expected type of each is requested one by one, so they are few. */
export function placesIn(host: Host, source: SourceFile): readonly Expression[] {
  const places: Expression[] = [];
  function visit(node: Node): void {
    if (isLeaf(host, node) && isExpected(host, node) && !isDecorator(host, node)) places.push(node);
    node.forEachChild(visit);
  }
  visit(source);
  const types = host.typesAt(places);
  return places.filter((_, index) => isMore(host, types[index]));
}

/** Whether a type is more than primitive. */
function isMore(host: Host, type: Type | undefined): boolean {
  if (type === undefined) return false;
  const { Any, Object: ObjectFlag, Union, Intersection, Instantiable } = host.flags;
  if (type.flags & Union) return host.unionMembers(type).some((member) => isMore(host, member));
  return (type.flags & (Any | ObjectFlag | Intersection | Instantiable)) !== 0;
}

/** Expressions that are values themselves; what is made of others is looked into. */
function isLeaf(host: Host, node: Node): node is Expression {
  const { syntax } = host;
  if (syntax.isObjectLiteralExpression(node)) return methodsOfLiteral(host, node).size > 0;
  return (
    syntax.isIdentifier(node) ||
    syntax.isPropertyAccessExpression(node) ||
    syntax.isElementAccessExpression(node) ||
    syntax.isCallExpression(node) ||
    syntax.isNewExpression(node) ||
    syntax.isAwaitExpression(node) ||
    syntax.isArrowFunction(node) ||
    syntax.isFunctionExpression(node)
  );
}

/** Whether the place of an expression may expect something of it. */
function isExpected({ syntax }: Host, node: Node): boolean {
  const { parent } = node;
  if (syntax.isCallExpression(parent) || syntax.isNewExpression(parent)) return parent.expression !== node;
  if (syntax.isPropertyAssignment(parent) || syntax.isVariableDeclaration(parent)) {
    return parent.initializer === node;
  }
  if (syntax.isParameterDeclaration(parent) || syntax.isPropertyDeclaration(parent)) {
    return parent.initializer === node;
  }
  if (syntax.isShorthandPropertyAssignment(parent)) return parent.name === node;
  if (syntax.isBindingElement(parent)) return parent.initializer === node;
  if (syntax.isArrowFunction(parent)) return parent.body === node;
  if (syntax.isBinaryExpression(parent)) {
    const { EqualsToken, CommaToken } = syntax.SyntaxKind;
    const { kind } = parent.operatorToken;
    return parent.right === node || (kind !== EqualsToken && kind !== CommaToken);
  }
  if (syntax.isConditionalExpression(parent)) return parent.condition !== node;
  return (
    syntax.isArrayLiteralExpression(parent) ||
    syntax.isSpreadElement(parent) ||
    syntax.isSpreadAssignment(parent) ||
    syntax.isReturnStatement(parent) ||
    syntax.isYieldExpression(parent) ||
    syntax.isParenthesizedExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent) ||
    syntax.isNonNullExpression(parent) ||
    syntax.isExpressionWithTypeArguments(parent) ||
    syntax.isExportAssignment(parent)
  );
}

/** Whether an expression is what a decorator stands for. TypeScript cannot say how it is called, and it is not a tool. */
function isDecorator({ syntax }: Host, node: Node): boolean {
  let { parent } = node;
  while (
    syntax.isParenthesizedExpression(parent) ||
    syntax.isConditionalExpression(parent) ||
    syntax.isBinaryExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent) ||
    syntax.isNonNullExpression(parent)
  ) {
    parent = parent.parent;
  }
  return syntax.isDecorator(parent);
}

/** Makes a reader of what is expected of an expression by the place where it stands. */
export function createPlaceReader(
  host: Host,
  expectations: Expectations,
): (expression: Expression) => Expectation | undefined {
  const { syntax } = host;
  const cached = new Map<Node, Expectation | undefined>();

  function of(expression: Expression): Expectation | undefined {
    if (!cached.has(expression)) cached.set(expression, read(expression));
    return cached.get(expression);
  }

  function read(expression: Expression): Expectation | undefined {
    // TypeScript expects nothing of what is spread: that comes from the whole.
    const spread = enclosingSpread(host, expression);
    if (spread) return of(spread);
    // One question for a whole list.
    const { parent } = expression;
    if (syntax.isArrayLiteralExpression(parent) && of(parent)?.list) return expectedTool;
    return expectations.at(expression) ?? fromAround(expression) ?? fromCast(expression);
  }

  /** What is cast to a type of its own is expected to have that; the whole may be expected to be a tool. */
  function fromCast(expression: Expression): Expectation | undefined {
    const whole = withTypes(host, expression);
    return whole === expression ? undefined : of(whole);
  }

  /** Nor does it, where a type parameter is what is given there, or in what is spread. */
  function fromAround(expression: Expression): Expectation | undefined {
    const { parent } = expression;
    if (syntax.isCallExpression(parent) || syntax.isNewExpression(parent)) {
      const index = [...(parent.arguments ?? [])].indexOf(expression);
      return mayBeTool(host, expression) ? ofParameter(bare(host, parent.expression), index) : undefined;
    }
    if (!syntax.isPropertyAssignment(parent) && !syntax.isShorthandPropertyAssignment(parent))
      return undefined;
    const whole = syntax.isExpression(parent.parent) ? of(parent.parent) : undefined;
    return whole?.record ? expectedTool : whole?.properties.get(parent.name.getText());
  }

  /** What a parameter is declared to expect: its type parameter's constraint. */
  function ofParameter(callee: Expression, index: number): Expectation | undefined {
    const symbol = host.symbolAt(syntax.isPropertyAccessExpression(callee) ? callee.name : callee);
    if (symbol === undefined || host.isFromLibrary(symbol)) return undefined;
    const declaration = host.declarationOf(symbol);
    const isGeneric =
      declaration !== undefined &&
      syntax.isFunctionLikeDeclaration(declaration) &&
      declaration.typeParameters !== undefined;
    const parameter = isGeneric ? declaration.parameters[index] : undefined;
    const [type] = parameter ? host.typesAt([parameter]) : [];
    return type && expectations.of(type);
  }

  return of;
}

/** Whether an expression can be, or hold, a function: not every call is worth a look at its declaration. */
function mayBeTool(host: Host, expression: Expression): boolean {
  const { syntax } = host;
  if (syntax.isArrayLiteralExpression(expression) || syntax.isObjectLiteralExpression(expression))
    return true;
  const [type] = host.typesAt([expression]);
  return type !== undefined && (host.isCallable(type) || elementsOf(host, type) !== undefined);
}

/** The list or object literal that an expression is spread into, perhaps by way of a condition. */
function enclosingSpread({ syntax }: Host, expression: Expression): Expression | undefined {
  let { parent } = expression;
  while (
    syntax.isParenthesizedExpression(parent) ||
    syntax.isConditionalExpression(parent) ||
    syntax.isBinaryExpression(parent) ||
    syntax.isAsExpression(parent)
  ) {
    parent = parent.parent;
  }
  if (!syntax.isSpreadElement(parent) && !syntax.isSpreadAssignment(parent)) return undefined;
  const whole: Node = parent.parent;
  return syntax.isExpression(whole) ? whole : undefined;
}
