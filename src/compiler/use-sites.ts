import { displayPath } from "./diagnostics.ts";
import { dependenciesOf } from "./dependencies.ts";
import type { Expression, Host, Node, SourceFile } from "./host.ts";
import { createAttachments, type SchemaTree } from "./use-sites-attachments.ts";
import {
  createExpectations,
  expectedTool,
  type Expectation,
  type Expectations,
} from "./use-sites-expectations.ts";
import { bare, methodsOfLiteral } from "./use-sites-values.ts";

export type { SchemaTree } from "./use-sites-attachments.ts";

/** An expression that is expected to be a tool, or to hold tools, with their schemas. */
export interface UseSite {
  /** UTF-16 offsets of the expression. */
  readonly start: number;
  readonly end: number;
  /** For `{ name }`: the name. */
  readonly shorthand: string | undefined;
  readonly schemas: SchemaTree;
}

/** The tools that a file uses. */
export interface UseSites {
  /** The text that the offsets speak of. */
  readonly text: string;
  /** Whether the file is an ECMAScript module. */
  readonly isModule: boolean;
  readonly sites: readonly UseSite[];
  /** Tools whose schema cannot be told, one message each, with `file:line`. */
  readonly problems: readonly string[];
  /** The other files whose text decides what the schemas are. */
  readonly files: ReadonlySet<string>;
}

/** Finds where a file uses tools: the expressions whose contextual type is one of Skein's tool types. */
export function findUseSites(host: Host, source: SourceFile): UseSites {
  const sites: UseSite[] = [];
  const problems: string[] = [];
  const declaring = new Set<string>();
  const expectations = createExpectations(host);
  let current: Node = source;
  const attachments = createAttachments(host, expectations, {
    problem: (reason) => problems.push(problemAt(source, current, reason)),
    described: (node) => declaring.add(node.getSourceFile().fileName),
  });
  for (const expression of placesIn(host, source)) {
    const expectation = expectationOf(host, expectations, expression);
    if (expectation === undefined || hasOwnSchema(host, expression)) continue;
    current = expression;
    const schemas = host.syntax.isObjectLiteralExpression(expression)
      ? attachments.ofRecord(methodsOfLiteral(host, expression), expectation)
      : attachments.of(expression, expectation);
    if (schemas === null) continue;
    const { parent } = expression;
    const shorthand = host.syntax.isShorthandPropertyAssignment(parent) ? expression.getText() : undefined;
    sites.push({ start: expression.getStart(source), end: expression.end, shorthand, schemas });
  }
  const files = new Set([...declaring].flatMap((file) => [...dependenciesOf(host, file)]));
  files.delete(source.fileName);
  return { text: source.text, isModule: isModule(host, source), sites, problems, files };
}

function problemAt(source: SourceFile, node: Node, reason: string): string {
  const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const text = node.getText(source).replaceAll(/\s+/g, " ");
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `${displayPath(source.fileName)}:${line}: no schema can be attached to ${shown}: ${reason}`;
}

function isModule({ syntax }: Host, source: SourceFile): boolean {
  return source.statements.some(
    (statement) =>
      syntax.isImportDeclaration(statement) ||
      syntax.isExportDeclaration(statement) ||
      syntax.isExportAssignment(statement) ||
      ("modifiers" in statement &&
        Array.isArray(statement.modifiers) &&
        statement.modifiers.some(({ kind }) => kind === syntax.SyntaxKind.ExportKeyword)),
  );
}

/** The expressions that may be tools or hold them: what is expected of each is asked for one by one, so they are few. */
function placesIn(host: Host, source: SourceFile): readonly Expression[] {
  const places: Expression[] = [];
  function visit(node: Node): void {
    if (isLeaf(host, node) && isExpected(host, node)) places.push(node);
    node.forEachChild(visit);
  }
  visit(source);
  const types = host.typesAt(places);
  const { Any, Object: ObjectFlag, Union, Intersection, Instantiable } = host.flags;
  const holding = Any | ObjectFlag | Union | Intersection | Instantiable;
  return places.filter((_, index) => ((types[index]?.flags ?? 0) & holding) !== 0);
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
    syntax.isExportAssignment(parent)
  );
}

/** What is expected of an expression. TypeScript expects nothing of what is spread: that comes from the whole. */
function expectationOf(
  host: Host,
  expectations: Expectations,
  expression: Expression,
): Expectation | undefined {
  const { syntax } = host;
  const spread = enclosingSpread(host, expression);
  if (spread !== undefined) return expectationOf(host, expectations, spread);
  const { parent } = expression;
  const literal: Node = syntax.isArrayLiteralExpression(parent) ? parent : parent.parent;
  const isLiteral = syntax.isArrayLiteralExpression(literal) || syntax.isObjectLiteralExpression(literal);
  if (!isLiteral || enclosingSpread(host, literal) === undefined) return expectations.at(expression);
  const whole = expectationOf(host, expectations, literal);
  if (syntax.isArrayLiteralExpression(literal)) return whole?.list ? expectedTool : undefined;
  const name = "name" in parent && isNode(parent.name) ? parent.name.getText() : "";
  return whole?.record ? expectedTool : whole?.properties.get(name);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "getText" in value;
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

/** Whether `expression` is the function of `tool(fn, { input })`, which needs no other schema. */
function hasOwnSchema(host: Host, expression: Expression): boolean {
  const { syntax } = host;
  const { parent } = expression;
  if (!syntax.isCallExpression(parent) || parent.arguments[0] !== expression) return false;
  const options = parent.arguments[1] && bare(host, parent.arguments[1]);
  if (options === undefined || !syntax.isObjectLiteralExpression(options)) return false;
  return options.properties.some((property) => "name" in property && property.name?.getText() === "input");
}
