import { leadingDocComment, type DocComment } from "./doc-comments.ts";
import type { Host, Node } from "./host.ts";

/** Of a function without a comment. */
export const emptyDoc: DocComment = { summary: "", parameters: new Map(), tags: [] };

/** The doc comment of a function: its own, else that of the variable, property or statement that it is the value of. */
export function functionDoc(host: Host, node: Node): DocComment {
  for (let at: Node | undefined = node; at !== undefined; at = holderOf(host, at)) {
    const doc = leadingDocComment(at);
    if (doc !== undefined) return doc;
  }
  return emptyDoc;
}

/** The node whose comment also speaks of `node`, if there is one. */
function holderOf({ syntax }: Host, node: Node): Node | undefined {
  const { parent } = node;
  if (parent === undefined) return undefined;
  if (syntax.isVariableDeclarationList(parent)) {
    return parent.declarations[0] === node ? parent : undefined;
  }
  const holds =
    syntax.isVariableDeclaration(parent) ||
    syntax.isVariableStatement(parent) ||
    syntax.isParenthesizedExpression(parent) ||
    syntax.isAsExpression(parent) ||
    syntax.isSatisfiesExpression(parent) ||
    syntax.isReturnStatement(parent) ||
    syntax.isPropertyAssignment(parent) ||
    syntax.isPropertyDeclaration(parent) ||
    syntax.isExportAssignment(parent) ||
    syntax.isExpressionStatement(parent);
  if (holds) return parent;
  return syntax.isBinaryExpression(parent) && parent.right === node ? parent : undefined;
}
