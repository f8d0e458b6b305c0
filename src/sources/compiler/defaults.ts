import type { JsonValue } from "../../base/util/json.ts";
import type { Expression, Host, NewExpression, Node } from "./host.ts";

/** The value of an expression that is the same at every call, as JSON; `undefined` where it is not, or JSON would change it. */
export function staticValue(host: Host, node: Expression, depth = 0): JsonValue | undefined {
  const value = depth > 8 ? undefined : readValue(host, node, depth);
  return typeof value === "number" && !isExact(value) ? undefined : value;
}

/** Whether JSON has the number: it writes `-0` as 0, and `1e400` as null. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function readValue(host: Host, node: Expression, depth: number): JsonValue | undefined {
  const { syntax } = host;
  const inner = (expression: Expression): JsonValue | undefined => staticValue(host, expression, depth + 1);
  if (syntax.isStringLiteral(node) || syntax.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (syntax.isNumericLiteral(node)) return Number(node.text);
  const big = bigintText(host, node);
  if (big !== undefined) return big;
  if (syntax.isNewExpression(node)) return constructedValue(host, node, inner);
  if (node.kind === syntax.SyntaxKind.TrueKeyword) return true;
  if (node.kind === syntax.SyntaxKind.FalseKeyword) return false;
  if (node.kind === syntax.SyntaxKind.NullKeyword) return null;
  if (syntax.isParenthesizedExpression(node) || syntax.isAsExpression(node)) return inner(node.expression);
  if (syntax.isSatisfiesExpression(node)) return inner(node.expression);
  if (syntax.isPrefixUnaryExpression(node)) return signed(host, node.operator, inner(node.operand));
  if (syntax.isArrayLiteralExpression(node)) return arrayValue(node.elements.map(inner));
  if (syntax.isObjectLiteralExpression(node)) return objectValue(host, node.properties, inner);
  if (syntax.isBinaryExpression(node)) {
    return calculated(host, node.operatorToken.kind, inner(node.left), inner(node.right));
  }
  if (syntax.isPropertyAccessExpression(node) || syntax.isElementAccessExpression(node)) {
    return host.constantValue(node) ?? literalTypeValue(host, node);
  }
  if (syntax.isIdentifier(node)) {
    const initializer = constantInitializer(host, node);
    const value = initializer === undefined ? undefined : inner(initializer);
    // The program may have changed an object that it shares.
    const isShared = typeof value === "object" && value !== null;
    return isShared && !isConstant(host, initializer) ? undefined : value;
  }
  return undefined;
}

/** The digits of a bigint, with its sign. */
export function bigintText({ syntax }: Host, node: Expression): string | undefined {
  const { MinusToken } = syntax.SyntaxKind;
  const isNegative = syntax.isPrefixUnaryExpression(node) && node.operator === MinusToken;
  const literal = isNegative ? node.operand : node;
  if (!syntax.isBigIntLiteral(literal)) return undefined;
  const value = BigInt(literal.text.replaceAll(/[_n]/g, ""));
  return String(isNegative ? -value : value);
}

/** What `new Date("2026-01-31")` and its like are as JSON: a text, an array, an object. */
function constructedValue(
  host: Host,
  { expression, arguments: args }: NewExpression,
  inner: (expression: Expression) => JsonValue | undefined,
): JsonValue | undefined {
  const symbol = host.symbolAt(expression);
  const [first, ...others] = args ?? [];
  if (symbol === undefined || !host.isFromLibrary(symbol) || others.length > 0) return undefined;
  const value = first === undefined ? undefined : inner(first);
  if (first !== undefined && value === undefined) return undefined;
  switch (symbol.name) {
    case "Date":
      return typeof value === "string" || typeof value === "number" ? dateText(value) : undefined;
    case "URL":
      return typeof value === "string" && URL.canParse(value) ? new URL(value).href : undefined;
    case "Set":
      return Array.isArray(value ?? []) ? (value ?? []) : undefined;
    case "Map":
      return mapValue(value ?? []);
    default:
      return undefined;
  }
}

function dateText(value: string | number): string | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function mapValue(pairs: JsonValue): JsonValue | undefined {
  if (!Array.isArray(pairs)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const pair of pairs) {
    const [key, value] = Array.isArray(pair) ? pair : [];
    if (typeof key !== "string" || value === undefined) return pairs;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function signed(host: Host, operator: number, value: JsonValue | undefined): number | undefined {
  if (typeof value !== "number") return undefined;
  if (operator === host.syntax.SyntaxKind.MinusToken) return -value;
  return operator === host.syntax.SyntaxKind.PlusToken ? value : undefined;
}

function calculated(
  host: Host,
  operator: number,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): number | undefined {
  const { SyntaxKind } = host.syntax;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const results = new Map<number, number>([
    [SyntaxKind.AsteriskToken, left * right],
    [SyntaxKind.SlashToken, left / right],
    [SyntaxKind.PlusToken, left + right],
    [SyntaxKind.MinusToken, left - right],
  ]);
  return results.get(operator);
}

function arrayValue(elements: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  const values = elements.filter((element) => element !== undefined);
  return values.length === elements.length ? values : undefined;
}

function objectValue(
  host: Host,
  properties: Iterable<Node>,
  inner: (expression: Expression) => JsonValue | undefined,
): JsonValue | undefined {
  const entries: [string, JsonValue][] = [];
  for (const property of properties) {
    if (!host.syntax.isPropertyAssignment(property)) return undefined;
    const { name } = property;
    const isPlainName = host.syntax.isIdentifier(name) || host.syntax.isStringLiteral(name);
    const value = inner(property.initializer);
    // In a literal, `__proto__` sets the prototype.
    if (!isPlainName || name.text === "__proto__" || value === undefined) return undefined;
    entries.push([name.text, value]);
  }
  return Object.fromEntries(entries);
}

/** An enum member without a constant value of its own still has a literal type. */
function literalTypeValue(host: Host, node: Node): JsonValue | undefined {
  const [type] = host.typesAt([node]);
  const value = type === undefined ? undefined : host.literalValue(type);
  return typeof value === "bigint" ? undefined : value;
}

/** `[1, 2] as const`. */
export function isConstant({ syntax }: Host, node: Expression | undefined): boolean {
  return node !== undefined && syntax.isAsExpression(node) && node.type.getText() === "const";
}

/** What a `const` was declared with, in this file or another. */
export function constantInitializer(host: Host, name: Node): Expression | undefined {
  const symbol = host.symbolAt(name);
  const declaration = symbol === undefined ? undefined : host.declarationOf(symbol);
  if (declaration === undefined || !host.syntax.isVariableDeclaration(declaration)) return undefined;
  const isConst = (declaration.parent.flags & host.syntax.NodeFlags.Const) !== 0;
  return isConst ? declaration.initializer : undefined;
}
