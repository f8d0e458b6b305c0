import type { Node } from "../compiler/host.ts";
import { isFunction, partsOf, returnedBy, type Detail, type Structures } from "./structure.ts";
import { unwrap, type SyntaxTree } from "./syntax-tree.ts";

/** An expression that holds the one that is looked for, or is it, and the way to it, part by part. */
interface Whole {
  readonly node: Node;
  readonly way: readonly number[];
}

/**
 * Finds an expression of the source in what was emitted without a map: by the smallest whole around it that both texts have
 * exactly once; else, as one of several, if both have as many of it, in the same surroundings.
 */
export function placeByStructure(
  structures: Structures,
  source: SyntaxTree,
  emitted: SyntaxTree,
  expression: Node,
): Node | undefined {
  for (const detail of ["all", "outline"] as const) {
    for (const { node, way } of wholesAround(source, expression, detail)) {
      const shape = structures.shapeOf(source, node, detail);
      const [match, ...others] = structures.nodesLike(emitted, shape, detail);
      if (match === undefined || others.length > 0) continue;
      if (structures.nodesLike(source, shape, detail).length === 1)
        return followWay(emitted, match, way, detail);
    }
  }
  return oneOfSeveral(structures, source, emitted, expression);
}

function oneOfSeveral(
  structures: Structures,
  source: SyntaxTree,
  emitted: SyntaxTree,
  expression: Node,
): Node | undefined {
  for (const { node, way } of [...wholesAround(source, expression, "all")].toReversed()) {
    const shape = structures.shapeOf(source, node, "all");
    const from = structures.nodesLike(source, shape, "all");
    const to = structures.nodesLike(emitted, shape, "all");
    if (from.length !== to.length) continue;
    const match = to[from.indexOf(node)];
    const areAlike = from.every((each, index) => haveLikeParents(source, emitted, each, to[index]));
    if (match !== undefined && areAlike) return followWay(emitted, match, way, "all");
  }
  return undefined;
}

function haveLikeParents(
  source: SyntaxTree,
  emitted: SyntaxTree,
  left: Node,
  right: Node | undefined,
): boolean {
  if (right === undefined) return false;
  return outerKind(source, left) === outerKind(emitted, right);
}

/** The kind of what holds a node, a name and a value of a property being one. */
function outerKind({ syntax }: SyntaxTree, node: Node): number {
  let { parent } = node;
  while (syntax.isExpression(parent) && unwrap(syntax, parent) === node) ({ parent } = parent);
  const { PropertyAssignment, ShorthandPropertyAssignment } = syntax.SyntaxKind;
  return parent.kind === ShorthandPropertyAssignment ? PropertyAssignment : parent.kind;
}

/** The expression and what is around it, from the inside out, as far as its structure shows all that is in it. */
function* wholesAround(tree: SyntaxTree, expression: Node, detail: Detail): Iterable<Whole> {
  let node = unwrap(tree.syntax, expression);
  let way: readonly number[] = [];
  yield { node, way };
  for (let outer = node.parent; outer !== undefined && outer !== tree.source; outer = outer.parent) {
    if (isLeftOut(tree, outer, node)) continue;
    const index = partsOf(tree, outer, detail).indexOf(node);
    if (index < 0) return;
    [node, way] = [outer, [index, ...way]];
    yield { node, way };
  }
}

/** Whether a node is left out of the structure, while its children stay. */
function isLeftOut(tree: SyntaxTree, outer: Node, node: Node): boolean {
  const { syntax } = tree;
  if (syntax.isExpression(outer) && unwrap(syntax, outer) === node) return true;
  const body = syntax.isReturnStatement(outer) ? outer.parent : outer;
  return isFunction(tree, body.parent) && returnedBy(syntax, body) !== undefined;
}

function followWay(tree: SyntaxTree, start: Node, way: readonly number[], detail: Detail): Node | undefined {
  let node: Node | undefined = start;
  for (const index of way) node = node && partsOf(tree, node, detail)[index];
  return node;
}
