import type { Node, SourceFile } from "../compiler/host.ts";
import { importedNames, type ImportedNames, type Syntax } from "./imported-names.ts";

/** The tree of one text, a source or what a compiler has emitted. */
export interface SyntaxTree {
  readonly syntax: Syntax;
  readonly source: SourceFile;
  /** What the names of the file are imported as. */
  readonly imports: ImportedNames;
  /** The expressions that begin at an offset, outer ones first. */
  expressionsAt(offset: number): readonly Node[];
  /** The offset of a place, both counted from 0; `undefined` where the text has none. */
  offsetOf(line: number, column: number): number | undefined;
}

/** Prepares the tree of a text for being looked up. */
export function createTree(syntax: Syntax, source: SourceFile): SyntaxTree {
  const lineStarts = source.getLineStarts();
  let byStart: Map<number, Node[]> | undefined;
  return {
    syntax,
    source,
    imports: importedNames(syntax, source),
    expressionsAt: (offset) => (byStart ??= expressionsByStart(syntax, source)).get(offset) ?? [],
    offsetOf(line, column) {
      const start = lineStarts[line];
      return start === undefined || start + column > source.text.length ? undefined : start + column;
    },
  };
}

function expressionsByStart(syntax: Syntax, source: SourceFile): Map<number, Node[]> {
  const byStart = new Map<number, Node[]>();
  function visit(node: Node): void {
    if (syntax.isExpression(node)) {
      const start = node.getStart(source);
      const others = byStart.get(start);
      if (others === undefined) byStart.set(start, [node]);
      else others.push(node);
    }
    node.forEachChild(visit);
  }
  visit(source);
  return byStart;
}

/**
 * The expression that one stands for: without brackets, without what TypeScript alone reads, and without the `(0, f)` with
 * which compilers keep `this` from a function.
 */
export function unwrap(syntax: Syntax, node: Node): Node {
  for (let inner = node; ;) {
    const next = wrapped(syntax, inner);
    if (next === undefined) return inner;
    inner = next;
  }
}

/** What a wrapper holds; `undefined` for anything else. */
function wrapped(syntax: Syntax, node: Node): Node | undefined {
  if (
    syntax.isParenthesizedExpression(node) ||
    syntax.isAsExpression(node) ||
    syntax.isSatisfiesExpression(node) ||
    syntax.isNonNullExpression(node) ||
    syntax.isTypeAssertion(node) ||
    syntax.isExpressionWithTypeArguments(node)
  ) {
    return node.expression;
  }
  if (!syntax.isBinaryExpression(node)) return undefined;
  const isComma = node.operatorToken.kind === syntax.SyntaxKind.CommaToken;
  return isComma && syntax.isNumericLiteral(node.left) ? node.right : undefined;
}

/** The expression with which another begins: `a` of `a.b`, `a.b` of `a.b(c)`. */
export function headOf(syntax: Syntax, node: Node): Node | undefined {
  if (
    syntax.isPropertyAccessExpression(node) ||
    syntax.isElementAccessExpression(node) ||
    syntax.isCallExpression(node)
  ) {
    return unwrap(syntax, node.expression);
  }
  return undefined;
}
