import type { Node } from "../compiler/host.ts";
import type { Syntax } from "./imported-names.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/**
 * What a name stands for, in words that a source and what was emitted from it share: `tools_1.add`, `_tools.add` and an
 * imported `add` are one. `undefined` for what is not a name.
 */
export function referenceOf({ syntax, imports }: SyntaxTree, node: Node): string | undefined {
  if (syntax.isIdentifier(node)) {
    // What an arrow function's `this` becomes where there are no arrow functions.
    if (/^_this(_\d+|\d*)$/.test(node.text)) return "this";
    return imports.get(node.text) ?? node.text;
  }
  if (node.kind === syntax.SyntaxKind.ThisKeyword) return "this";
  const member = memberOf(syntax, node);
  if (member === undefined || !syntax.isIdentifier(member.base)) return undefined;
  const base = member.base.text;
  if (base === "exports") return member.name;
  const module = imports.get(base);
  return module?.endsWith("#*") ? module.slice(0, -1) + member.name : undefined;
}

/** A member and what it is read from: `a.b`, and `a["b"]`, which is how `default` is written for old runtimes. */
export function memberOf(
  syntax: Syntax,
  node: Node,
): { readonly base: Node; readonly name: string } | undefined {
  if (syntax.isPropertyAccessExpression(node)) return { base: node.expression, name: node.name.text };
  if (!syntax.isElementAccessExpression(node) || !syntax.isStringLiteral(node.argumentExpression))
    return undefined;
  return { base: node.expression, name: node.argumentExpression.text };
}
