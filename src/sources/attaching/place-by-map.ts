import type { Node } from "../compiler/host.ts";
import { corresponds, type Trust } from "./correspondence.ts";
import { headOf, unwrap, type SyntaxTree } from "./syntax-tree.ts";

/** Where a place of the source, both numbers counted from 0, is in what was emitted. */
export type Positions = (
  line: number,
  column: number,
) => readonly (readonly [line: number, column: number])[];

/**
 * Finds an expression of the source in what was emitted, by the source map: what begins where the map says, and is what a
 * compiler makes of the expression. Several, where a compiler has written it several times.
 */
export function placeByMap(
  source: SyntaxTree,
  emitted: SyntaxTree,
  expression: Node,
  positions: Positions,
  trust: Trust,
): readonly Node[] {
  const start = expression.getStart(source.source);
  const { line, character } = source.source.getLineAndCharacterOfPosition(start);
  const places = new Set<Node>();
  for (const [emittedLine, column] of positions(line, character)) {
    const offset = emitted.offsetOf(emittedLine, column);
    for (const candidate of offset === undefined ? [] : candidatesAt(emitted, offset)) {
      if (corresponds(source, emitted, [expression, candidate], trust)) places.add(candidate);
    }
  }
  return [...places].filter((place) => mayBeWrapped(emitted, place));
}

/** The expressions that begin at an offset, or with one that does: `(0, f)(x)` where `f` begins there. */
function candidatesAt(tree: SyntaxTree, offset: number): readonly Node[] {
  const { syntax } = tree;
  const candidates = new Set<Node>();
  for (const node of tree.expressionsAt(offset)) {
    const named = propertyValue(tree, node) ?? node;
    for (let inner = unwrap(syntax, named); !candidates.has(inner);) {
      candidates.add(inner);
      inner = headedBy(tree, inner) ?? inner;
    }
  }
  return [...candidates];
}

/** The value of a property whose name is found: `{ f }` has become `{ f: tools_1.f }`. */
function propertyValue({ syntax }: SyntaxTree, node: Node): Node | undefined {
  const { parent } = node;
  return syntax.isPropertyAssignment(parent) && parent.name === node ? parent.initializer : undefined;
}

/** The expression that begins with this one. */
function headedBy({ syntax }: SyntaxTree, node: Node): Node | undefined {
  let outer = node;
  while (syntax.isExpression(outer.parent) && unwrap(syntax, outer.parent) === node) outer = outer.parent;
  return headOf(syntax, outer.parent) === node ? outer.parent : undefined;
}

/** Whether a call may be put around an expression: not around what is called, assigned to, or only a name. */
function mayBeWrapped({ syntax }: SyntaxTree, node: Node): boolean {
  const { parent } = node;
  if (syntax.isShorthandPropertyAssignment(parent)) return true;
  if ("name" in parent && parent.name === node) return false;
  if ("propertyName" in parent && parent.propertyName === node) return false;
  if (syntax.isCallExpression(parent)) return parent.expression !== node;
  if (!syntax.isBinaryExpression(parent) || parent.left !== node) return true;
  const { FirstAssignment, LastAssignment } = syntax.SyntaxKind;
  const { kind } = parent.operatorToken;
  return kind < FirstAssignment || kind > LastAssignment;
}
