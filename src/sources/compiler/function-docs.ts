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

/**
 * The doc comments of a function that start on a line with other code before them: TypeScript takes them for comments of that
 * code. Right before a function expression or a variable, it reads them all the same.
 */
export function unreadComments(host: Host, node: Node): readonly string[] {
  const comments: string[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = holderOf(host, at)) {
    const file = at.getSourceFile();
    const trivia = file.text.slice(at.getFullStart(), at.getStart(file));
    const comment = at.getFullStart() === 0 ? null : /^[^\S\n]*(\/\*\*(?!\/)[^]*?\*\/)/.exec(trivia);
    if (comment?.[1] !== undefined) comments.push(comment[1]);
  }
  return comments;
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
