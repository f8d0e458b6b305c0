import type { Node } from "../compiler/host.ts";
import { referenceOf } from "./references.ts";
import type { Syntax } from "./imported-names.ts";
import { unwrap, type SyntaxTree } from "./syntax-tree.ts";

/** How much of a text counts: all of it, or all but the bodies of functions, which compilers rewrite for older runtimes. */
export type Detail = "all" | "outline";

/** The number of a structure: equal ones have the same. */
type Shape = number;

/** What two texts have in common when the words of TypeScript alone are left out. */
export interface Structures {
  /** The structure of a node. */
  shapeOf(tree: SyntaxTree, node: Node, detail: Detail): Shape;
  /** The nodes of a tree that have a structure, in the order of the text. */
  nodesLike(tree: SyntaxTree, shape: Shape, detail: Detail): readonly Node[];
}

/** Makes a table of structures, which all trees share that are compared. */
export function createStructures(): Structures {
  const numbers = new Map<string, Shape>();
  const shapes = { all: new Map<Node, Shape>(), outline: new Map<Node, Shape>() };
  const indexes = { all: new Map<SyntaxTree, Index>(), outline: new Map<SyntaxTree, Index>() };

  function shapeOf(tree: SyntaxTree, node: Node, detail: Detail): Shape {
    const cached = shapes[detail].get(node);
    if (cached !== undefined) return cached;
    const inner = partsOf(tree, node, detail).map((part) => shapeOf(tree, part, detail));
    const text = `${labelOf(tree, node)}(${inner.join()})`;
    const shape = numbers.get(text) ?? numbers.size;
    numbers.set(text, shape);
    shapes[detail].set(node, shape);
    return shape;
  }

  function indexOf(tree: SyntaxTree, detail: Detail): Index {
    const index: Index = indexes[detail].get(tree) ?? new Map();
    if (!indexes[detail].has(tree)) {
      indexes[detail].set(tree, index);
      fillIndex(tree, tree.source, detail, index);
    }
    return index;
  }

  function fillIndex(tree: SyntaxTree, node: Node, detail: Detail, index: Index): void {
    const shape = shapeOf(tree, node, detail);
    const others = index.get(shape);
    if (others === undefined) index.set(shape, [node]);
    else others.push(node);
    // What a function does is looked into, even where it does not count.
    for (const part of partsOf(tree, node, "all")) fillIndex(tree, part, detail, index);
  }

  return { shapeOf, nodesLike: (tree, shape, detail) => indexOf(tree, detail).get(shape) ?? [] };
}

type Index = Map<Shape, Node[]>;

/** The parts of a node that count, in the order of the text. */
export function partsOf(tree: SyntaxTree, node: Node, detail: Detail): readonly Node[] {
  const { syntax } = tree;
  if (referenceOf(tree, node) !== undefined || isUndefined(tree, node)) return [];
  if (syntax.isPropertyAssignment(node)) return [unwrap(syntax, node.initializer)];
  if (syntax.isShorthandPropertyAssignment(node)) return [node.name];
  if (isFunction(tree, node)) return functionParts(tree, node, detail);
  const parts: Node[] = [];
  node.forEachChild((child) => {
    if (counts(tree, child)) parts.push(unwrap(syntax, child));
  });
  return parts;
}

/** Whether a node is a function that is a value, as far as structures go. */
export function isFunction({ syntax }: SyntaxTree, node: Node): boolean {
  return (
    syntax.isArrowFunction(node) ||
    syntax.isFunctionExpression(node) ||
    (syntax.isMethodDeclaration(node) && syntax.isObjectLiteralExpression(node.parent))
  );
}

function functionParts({ syntax }: SyntaxTree, node: Node, detail: Detail): readonly Node[] {
  const parts: Node[] = [];
  node.forEachChild((child) => {
    if (!syntax.isParameterDeclaration(child) || child.name.getText() === "this") return;
    if (detail === "all") parts.push(child);
    else if (child.dotDotDotToken === undefined) parts.push(child.name);
  });
  const body = "body" in node && isNode(node.body) ? node.body : undefined;
  if (detail === "outline" || body === undefined) return parts;
  return [...parts, unwrap(syntax, returnedBy(syntax, body) ?? body)];
}

/** The expression that a body consists of: `=> x` and `{ return x; }` are one. */
export function returnedBy(syntax: Syntax, body: Node): Node | undefined {
  const [statement, ...others] = syntax.isBlock(body) ? body.statements : [];
  if (statement === undefined || others.length > 0) return undefined;
  return syntax.isReturnStatement(statement) ? statement.expression : undefined;
}

/** Whether a child says anything about what is emitted. */
function counts({ syntax }: SyntaxTree, node: Node): boolean {
  const { QuestionToken, ExclamationToken, EqualsGreaterThanToken } = syntax.SyntaxKind;
  const { kind } = node;
  if (kind === QuestionToken || kind === ExclamationToken || kind === EqualsGreaterThanToken) return false;
  if (syntax.isTypeParameterDeclaration(node) || syntax.isDecorator(node) || syntax.isModifier(node))
    return false;
  return !syntax.isTypeNode(node) || syntax.isExpressionWithTypeArguments(node);
}

/** What a node says by itself. */
function labelOf(tree: SyntaxTree, node: Node): string {
  const { syntax } = tree;
  const reference = referenceOf(tree, node);
  if (reference !== undefined) return `name ${reference}`;
  if (isUndefined(tree, node)) return "name undefined";
  if (syntax.isStringLiteral(node) || syntax.isNoSubstitutionTemplateLiteral(node))
    return JSON.stringify(node.text);
  if (syntax.isPropertyAssignment(node) || syntax.isShorthandPropertyAssignment(node))
    return `property ${propertyName(tree, node.name)}`;
  if (syntax.isMethodDeclaration(node) && syntax.isObjectLiteralExpression(node.parent))
    return `method ${propertyName(tree, node.name)}`;
  if (isFunction(tree, node)) return "function";
  const text = "text" in node && typeof node.text === "string" && !syntax.isSourceFile(node) ? node.text : "";
  const operator = "operator" in node ? String(node.operator) : "";
  return `${node.kind} ${operator} ${text}`;
}

/** `void 0`, as compilers write it. */
function isUndefined({ syntax }: SyntaxTree, node: Node): boolean {
  return syntax.isVoidExpression(node) && syntax.isNumericLiteral(node.expression);
}

function propertyName({ syntax }: SyntaxTree, name: Node): string {
  const isText = syntax.isIdentifier(name) || syntax.isStringLiteral(name) || syntax.isNumericLiteral(name);
  return isText ? name.text : name.getText();
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "kind" in value && "forEachChild" in value;
}
